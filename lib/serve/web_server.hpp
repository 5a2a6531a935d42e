#pragma once
/// A small single-threaded web server for one page and its WebSocket connections. It works only within poll() and wait(), which
/// never block on a client, and is independent of simulations.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::serve {

using ClientId = std::uint64_t;  ///< never reused

struct WebSettings {
  std::string address = "127.0.0.1";  ///< numeric, of this machine
  std::uint16_t port = 8765;          ///< 0: any free port
  std::string token = {};             ///< required as ?token= in every URL; empty: none, and Host must be a loopback name
  std::size_t max_message = std::size_t{1} << 16;  ///< bytes; clients that send more are disconnected
  /// bytes of texts queued for a client, beyond which it is disconnected; also bytes of frames queued for it, beyond which the
  /// oldest are dropped, except for the newest one
  std::size_t max_queue = std::size_t{4} << 20;
  std::size_t max_clients = 64;           ///< HTTP and WebSocket connections
  std::vector<std::string> origins = {};  ///< origins of other pages that may connect: "https://app.foxglove.dev"
};

/// Response to a GET.
struct WebPage {
  std::string type;  ///< media type
  std::shared_ptr<const std::string> body;
};

/// WebSockets of programs, which are in lockstep with the run. Theirs are the only events of WebServer::wait_programs(): while one
/// has its turn, other clients wait. They are not pinged, never time out, and none of their messages are dropped.
struct ProgramHandlers {
  /// True if a program is expected at a path.
  std::function<bool(std::string_view path)> is_endpoint;
  std::function<void(ClientId, std::string_view path)> opened;
  /// Handles a message. @return false to stop reading until WebServer::read_on()
  std::function<bool(ClientId, std::string_view message, bool binary)> received;
  /// @param too_long  the reason was a message over max_message
  std::function<void(ClientId, bool too_long)> closed;
  std::size_t max_message = std::size_t{1} << 20;  ///< bytes
};

struct WebHandlers {
  /// The page at a path ("/", without the query); empty: 404.
  std::function<std::optional<WebPage>(std::string_view path)> get;
  /// True if a WebSocket may be opened at a path.
  std::function<bool(std::string_view path)> is_endpoint;
  /// Chooses one of the subprotocols that a client offers at a path (Sec-WebSocket-Protocol; may be empty); empty: none.
  std::function<std::string(std::string_view path, std::string_view offered)> subprotocol = {};
  /// @param spoken  result of `subprotocol` for this client
  std::function<void(ClientId, std::string_view path, std::string_view spoken)> opened;
  /// Handles a message. @return false if it is invalid: the client is disconnected
  std::function<bool(ClientId, std::string_view message, bool binary)> received;
  std::function<void(ClientId)> closed;
  ProgramHandlers programs = {};  ///< if is_endpoint is empty: no programs
};

/// Each client has one message in transit, a queue of texts that must arrive, and one slot each for the newest state and the
/// newest frame: unsent ones are replaced by newer ones, so that a slow client costs bounded memory and no time. A request is
/// refused (403) if Host is not a loopback name (unless a token protects against DNS rebinding), if Origin is that of another
/// page, or if the token is missing.
class WebServer {
 public:
  /// Starts to listen. @throws IoError
  WebServer(WebSettings settings, WebHandlers handlers);
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  std::uint16_t port() const;
  /// Handles pending events without waiting, for a bounded time.
  void poll();
  /// Like poll(), but waits up to `seconds` for events.
  void wait(double seconds);
  /// Waits up to this time for an event of a program.
  void wait_programs(double seconds);
  /// See ProgramHandlers::received.
  void read_on(ClientId program);
  /// Closes a connection after flushing its queue (closing handshake, RFC 6455, 7.1.2).
  void finish(ClientId client);

  /// Queues a text.
  void send_text(ClientId client, std::string text);
  /// Queues a text or binary message that may be replaced by a newer one before it is sent.
  void send_state(ClientId client, std::shared_ptr<const std::string> text);
  /// @param channel  a queued frame of the same channel is replaced
  void send_frame(ClientId client, std::shared_ptr<const std::string> bytes, std::uint32_t channel = 0);
  /// Queues a binary message; it is never replaced.
  void send_binary(ClientId client, std::string bytes);
  bool is_idle(ClientId client) const;  ///< nothing is being sent or queued
  std::size_t clients() const;          ///< open WebSockets, except those of programs
  std::uint64_t dropped() const;        ///< frames replaced before they were sent

  struct State;  ///< defined in the .cpp

 private:
  std::unique_ptr<State> state_;
};

}  // namespace simbatch::serve
