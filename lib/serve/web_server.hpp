#pragma once
/// A small web server for one page and its WebSocket connections, in one thread: it works only inside of poll() and wait(), and never blocks
/// whoever calls them. It knows nothing of simulations.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace simbatch::serve {

using ClientId = std::uint64_t;  ///< never used again

struct WebSettings {
  std::string address = "127.0.0.1";  ///< numeric, of this machine
  std::uint16_t port = 8765;          ///< 0: any that is free
  std::string token = {};  ///< asked for as ?token= of every address; empty: none, and then Host must be this machine's
  std::size_t max_message = std::size_t{1} << 16;  ///< bytes; a client that sends more is sent away
  std::size_t max_queue = std::size_t{4} << 20;    ///< bytes that wait for a client besides a frame; one with more is sent away
  std::size_t max_clients = 64;                    ///< connections of both kinds
};

/// What a GET is answered with.
struct WebPage {
  std::string type;  ///< media type
  std::shared_ptr<const std::string> body;
};

struct WebHandlers {
  /// The page at a path ("/", without the query); empty: 404.
  std::function<std::optional<WebPage>(std::string_view path)> get;
  /// Whether a WebSocket may be opened at a path.
  std::function<bool(std::string_view path)> is_door;
  std::function<void(ClientId, std::string_view path)> opened;
  /// A message. @return false: it makes no sense, and the client is sent away
  std::function<bool(ClientId, std::string_view message, bool binary)> received;
  std::function<void(ClientId)> closed;
};

/// Each client has one message on its way, a queue of texts that must arrive, and one place each for the newest state and the newest frame:
/// what is not sent in time is replaced by what is newer, so that a slow client costs bounded memory and no time.
/// A request is refused (403) whose Host is not this machine's name for itself (where no token protects against names that lead here), whose
/// Origin is another page's, or that lacks the token.
class WebServer {
 public:
  /// Listens. @throws IoError
  WebServer(WebSettings settings, WebHandlers handlers);
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  std::uint16_t port() const;
  /// Does what can be done without waiting, but not for long.
  void poll();
  /// The same, and waits for something to do, at most so many seconds.
  void wait(double seconds);

  /// Sends a text after those that wait.
  void send_text(ClientId client, std::string text);
  /// Sends a text, or a binary message, unless a newer one comes before its turn.
  void send_state(ClientId client, std::shared_ptr<const std::string> text);
  void send_frame(ClientId client, std::shared_ptr<const std::string> bytes);
  std::size_t clients() const;    ///< open WebSockets
  std::uint64_t dropped() const;  ///< frames that were replaced before they were sent

  struct State;  ///< of the .cpp

 private:
  std::unique_ptr<State> state_;
};

}  // namespace simbatch::serve
