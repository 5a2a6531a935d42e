// WebSocket (RFC 6455), the client's side, with Boost.Beast. Everything happens within calls, as in a LineChannel.

#include "lib/serve/web_client.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/core/percent.hpp"
#include "base/process/socket.hpp"

namespace simbatch::serve {
namespace {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;
using boost::system::error_code;

constexpr auto kClientSlice = std::chrono::milliseconds(100);  // between two calls of keep_going
constexpr auto kOpeningTime = std::chrono::seconds(10);        // to open the connection
constexpr double kLeavingTime = 1;                             // s for the closing handshake
constexpr std::size_t kMaxSaid = 300;                          // maximum number of bytes quoted from a refusal

bool is_graphic(char c) { return c > ' ' && c < 0x7F; }

class ClientLines final : public LineExchange {
 public:
  ClientLines(std::size_t max_line, std::function<bool()> keep_going) : keep_going_(std::move(keep_going)), stream_(io_) {
    auto timeout = websocket::stream_base::timeout::suggested(boost::beast::role_type::client);
    timeout.handshake_timeout = kOpeningTime;
    timeout.idle_timeout = websocket::stream_base::none();  // turns of a program, and of a simulation, may take long
    timeout.keep_alive_pings = false;
    stream_.set_option(timeout);
    stream_.read_message_max(max_line);
  }
  ~ClientLines() override { close_sending(); }

  /// @throws IoError
  void open(const std::string& url, const WebTarget& to, const std::string& target) {
    Descriptor socket = connect_socket(to.peer);
    error_code error;
    stream_.next_layer().assign(asio::ip::tcp::v4(), socket.release(),
                                error);  // the family only matters for endpoint queries, which are not made
    if (error) throw IoError(url, "cannot connect: " + error.message());
    websocket::response_type answer;
    stream_.async_handshake(answer, to.host, target, [this](error_code result) { result_ = result; });
    if (wait({}) != ChannelStatus::ok) throw IoError(url, "cannot connect: interrupted");
    is_open_ = !failed();
    if (is_open_) return;
    std::string why = result_->message();
    if (*result_ == websocket::error::upgrade_declined) {
      std::string said = answer.body().substr(0, kMaxSaid);
      std::replace_if(
          said.begin(), said.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
      while (said.ends_with(' ')) said.pop_back();
      why = number_text(answer.result_int()) + " " + std::string(answer.reason());
      if (!said.empty()) why += ": " + said;
    }
    throw IoError(url, "does not open a WebSocket: " + why);
  }

  ChannelStatus send(std::string_view text, Deadline deadline) override {
    if (!is_open_) return ChannelStatus::closed;
    while (text.ends_with('\n')) text.remove_suffix(1);
    begin();
    stream_.text(true);
    stream_.async_write(asio::buffer(text), [this](error_code result, std::size_t) { result_ = result; });
    return done(deadline);
  }

  ChannelStatus receive(std::string& line, Deadline deadline) override {
    if (!is_open_) return ChannelStatus::closed;
    begin();
    stream_.async_read(buffer_, [this](error_code result, std::size_t) { result_ = result; });
    if (const ChannelStatus status = done(deadline); status != ChannelStatus::ok) return status;
    const auto data = buffer_.cdata();
    line.assign(static_cast<const char*>(data.data()), data.size());
    buffer_.consume(buffer_.size());
    while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
    return ChannelStatus::ok;
  }

  bool has_rest() const override { return buffer_.size() > 0; }

  void close_sending() override {
    if (!is_open_) return;
    begin();
    stream_.async_close(websocket::close_code::normal, [this](error_code result) { result_ = result; });
    keep_going_ = {};
    (void)wait(deadline_in(kLeavingTime));
    is_open_ = false;
  }

 private:
  void begin() { result_.reset(); }
  bool failed() const { return static_cast<bool>(*result_); }

  /// Runs until the pending operation has a result. Giving up closes the connection.
  ChannelStatus wait(const Deadline& deadline) {
    ChannelStatus status = ChannelStatus::ok;
    while (!result_) {
      io_.restart();
      if (status != ChannelStatus::ok) {
        io_.run_one();
        continue;
      }
      io_.run_one_for(kClientSlice);
      if (result_) break;
      if (deadline && seconds_until(deadline) <= 0) status = ChannelStatus::timeout;
      if (keep_going_ && !keep_going_()) status = ChannelStatus::interrupted;
      error_code ignored;
      if (status != ChannelStatus::ok) stream_.next_layer().close(ignored);
    }
    return status;
  }

  ChannelStatus done(const Deadline& deadline) {
    ChannelStatus status = wait(deadline);
    if (status == ChannelStatus::ok && failed())
      status = *result_ == websocket::error::message_too_big ? ChannelStatus::too_long : ChannelStatus::closed;
    if (status != ChannelStatus::ok) is_open_ = false;
    return status;
  }

  std::function<bool()> keep_going_;
  asio::io_context io_{1};
  websocket::stream<asio::ip::tcp::socket> stream_;
  boost::beast::flat_buffer buffer_;
  std::optional<error_code> result_;  // of the last operation
  bool is_open_ = false;
};

}  // namespace

bool is_web_url(std::string_view text) { return text.starts_with("ws://") || text.starts_with("wss://"); }

std::optional<WebTarget> parse_web_url(std::string_view url) {
  constexpr std::string_view kScheme = "ws://";
  if (!url.starts_with(kScheme) || !std::all_of(url.begin(), url.end(), is_graphic)) return std::nullopt;
  url.remove_prefix(kScheme.size());
  const std::size_t end = std::min(url.find_first_of("/?"), url.size());
  WebTarget made;
  made.host = std::string(url.substr(0, end));
  made.target = std::string(url.substr(end));
  if (!made.target.starts_with('/')) made.target.insert(0, 1, '/');
  // A colon within brackets is part of an IPv6 address.
  const std::size_t bracket = made.host.rfind(']'), colon = made.host.rfind(':');
  const bool has_port = colon != std::string::npos && (bracket == std::string::npos || colon > bracket);
  if (made.host.empty() || colon == 0 || made.host.find_first_of("@#") != std::string::npos) return std::nullopt;
  made.peer = has_port ? made.host : made.host + ":80";
  if (has_port) {
    const auto port = parse_integer<std::uint16_t>(std::string_view(made.host).substr(colon + 1));
    if (!port || port.value == 0) return std::nullopt;
  }
  return made;
}

std::unique_ptr<LineExchange> connect_web(const std::string& url, std::string_view token, std::size_t max_line,
                                          std::function<bool()> keep_going) {
  if (url.starts_with("wss://"))
    throw IoError(url, "TLS is not supported here: use a proxy on this machine (docs/serve.md), or a Python program");
  const auto to = parse_web_url(url);
  if (!to) throw IoError(url, "is not ws://HOST:PORT/control/ROBOT");
  std::string target = to->target;
  const std::size_t query = target.find('?');
  if (!token.empty() && (query == std::string::npos || target.find("token=", query) == std::string::npos))
    target += (query == std::string::npos ? "?token=" : "&token=") + percent_encoded(token);
  auto made = std::make_unique<ClientLines>(max_line, std::move(keep_going));
  made->open(url, *to, target);
  return made;
}

}  // namespace simbatch::serve
