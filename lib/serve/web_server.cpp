// HTTP/1.1 and WebSocket (RFC 6455), the server's side, with Boost.Beast.

#include "lib/serve/web_server.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "lib/serve/gate.hpp"

namespace simbatch::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr auto kRequestTime = std::chrono::seconds(10);   // for a request and its response
constexpr auto kIdleTime = std::chrono::seconds(60);      // clients that answer no ping for this long are disconnected
constexpr auto kHandshakeTime = std::chrono::seconds(3);  // for a program's answer to a closing handshake
constexpr int kMaxHandlers = 256;                         // per poll(), so that a flooding client cannot stop the run
using Bytes = std::shared_ptr<const std::string>;

class Client;

}  // namespace

struct WebServer::State {
  State(WebSettings s, WebHandlers h) : settings(std::move(s)), handlers(std::move(h)), acceptor(io) {}

  void listen();
  void accept();

  WebSettings settings;
  WebHandlers handlers;
  ClientId next_id = 1;
  std::size_t connections = 0;
  std::uint64_t dropped = 0;
  bool ending = false;
  std::map<ClientId, std::shared_ptr<Client>> open;
  std::size_t programs = 0;  // open ones
  // Declared after everything that pending handlers reference: the contexts' destructors destroy the handlers.
  asio::io_context io{1};
  asio::io_context program_io{1};  // for programs only
  tcp::acceptor acceptor;
};

namespace {

/// A socket whose events are another context's.
tcp::socket moved(tcp::socket socket, asio::io_context& to) {
  error_code error;
  const tcp::endpoint local = socket.local_endpoint(error);
  tcp::socket made(to);
  const auto native = socket.release(error);
  if (!error) made.assign(local.protocol(), native, error);
  return made;
}

/// A WebSocket client, after the handshake.
class Client : public std::enable_shared_from_this<Client> {
 public:
  /// @param is_program  the socket belongs to program_io
  Client(WebServer::State& server, tcp::socket socket, std::string path, bool is_program)
      : server_(server), stream_(std::move(socket)), path_(std::move(path)), is_program_(is_program), id_(server.next_id++) {}
  ~Client() { --server_.connections; }

  void begin(const http::request<http::empty_body>& request) {
    auto timeout = websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeout.idle_timeout = is_program_ ? websocket::stream_base::none() : kIdleTime;
    timeout.keep_alive_pings = !is_program_;
    if (is_program_) timeout.handshake_timeout = kHandshakeTime;
    stream_.set_option(timeout);
    stream_.auto_fragment(false);  // one frame per message, so that minimal clients can read it
    stream_.read_message_max(is_program_ ? server_.handlers.programs.max_message : server_.settings.max_message);
    stream_.next_layer().set_option(tcp::no_delay(true), ignored_);
    if (is_program_) stream_.next_layer().set_option(asio::socket_base::keep_alive(true), ignored_);
    const auto offered = request.find(http::field::sec_websocket_protocol);
    if (!is_program_ && server_.handlers.subprotocol) {
      const std::string_view all =
          offered == request.end() ? std::string_view() : std::string_view(offered->value().data(), offered->value().size());
      spoken_ = server_.handlers.subprotocol(path_, all);
      if (!spoken_.empty())
        stream_.set_option(websocket::stream_base::decorator(
            [chosen = spoken_](websocket::response_type& answer) { answer.set(http::field::sec_websocket_protocol, chosen); }));
    }
    stream_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (error || self->server_.ending) return;
      self->server_.open[self->id_] = self;
      if (self->is_program_) {
        ++self->server_.programs;
        self->server_.handlers.programs.opened(self->id_, self->path_);
      } else {
        self->server_.handlers.opened(self->id_, self->path_, self->spoken_);
      }
      self->read();
    });
  }

  void send(std::string message, bool is_text) {
    waiting_ += message.size();
    if (waiting_ > server_.settings.max_queue && !is_program_) return leave();
    queue_.push_back({std::make_shared<const std::string>(std::move(message)), is_text});
    write();
  }
  bool is_idle() const { return !writing_ && !gone_ && queue_.empty() && frames_.empty() && !state_; }
  void send_state(Bytes text) {
    state_ = std::move(text);
    write();
  }
  void send_frame(Bytes bytes, std::uint32_t channel) {
    if (const auto found = frames_.find(channel); found != frames_.end()) drop(found);
    frame_bytes_ += bytes->size();
    frames_.emplace(channel, Frame{std::move(bytes), ++frame_order_});
    // A client that reads too slowly for its subscriptions gets only the newest frames.
    while (frame_bytes_ > server_.settings.max_queue && frames_.size() > 1)
      drop(std::min_element(frames_.begin(), frames_.end(),
                            [](const auto& a, const auto& b) { return a.second.order < b.second.order; }));
    write();
  }
  void read_on() {
    if (!std::exchange(is_held_, false) || gone_) return;
    read();
  }
  void finish() {
    if (gone_) return;
    finishing_ = true;
    write();
  }

 private:
  struct Frame {
    Bytes bytes;
    std::uint64_t order = 0;  // in which it was queued
  };
  using Frames = std::map<std::uint32_t, Frame>;  // by channel

  void drop(Frames::iterator frame) {
    frame_bytes_ -= frame->second.bytes->size();
    frames_.erase(frame);
    ++server_.dropped;
  }

  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->leave(error == websocket::error::message_too_big);
      const auto data = self->buffer_.cdata();
      const std::string_view text(static_cast<const char*>(data.data()), data.size());
      if (self->gone_) return;
      const bool is_binary = !self->stream_.got_text();
      if (self->is_program_) {
        self->is_held_ = !self->server_.handlers.programs.received(self->id_, text, is_binary);
      } else if (!self->server_.handlers.received(self->id_, text, is_binary)) {
        return self->leave();
      }
      self->buffer_.consume(self->buffer_.size());
      if (!self->gone_ && !self->is_held_) self->read();
    });
  }

  void write() {
    if (writing_ || gone_) return;
    if (!queue_.empty()) {
      sending_ = std::move(queue_.front().bytes);
      stream_.text(queue_.front().is_text);
      queue_.pop_front();
      waiting_ -= sending_->size();
    } else if (state_) {
      sending_ = std::move(state_);
      stream_.text(true);
    } else if (!frames_.empty()) {
      // Round robin, so that no channel starves.
      auto next = frames_.upper_bound(last_channel_);
      if (next == frames_.end()) next = frames_.begin();
      last_channel_ = next->first;
      sending_ = std::move(next->second.bytes);
      frame_bytes_ -= sending_->size();
      frames_.erase(next);
      stream_.binary(true);
    } else {
      if (finishing_) close();
      return;
    }
    writing_ = true;
    stream_.async_write(asio::buffer(*sending_), [self = shared_from_this()](error_code error, std::size_t) {
      self->writing_ = false;
      self->sending_.reset();
      if (error) return self->leave();
      self->write();
    });
  }

  /// The closing handshake.
  void close() {
    writing_ = true;  // nothing is sent afterwards
    stream_.async_close(websocket::close_code::normal, [self = shared_from_this()](error_code) { self->leave(); });
  }

  /// Closes the connection without a closing handshake: the peer may not respond.
  void leave(bool is_too_long = false) {
    if (gone_) return;
    gone_ = true;
    beast::get_lowest_layer(stream_).close(ignored_);
    if (server_.open.erase(id_) == 0) return;
    if (is_program_) --server_.programs;
    if (server_.ending) return;
    if (is_program_)
      server_.handlers.programs.closed(id_, is_too_long);
    else
      server_.handlers.closed(id_);
  }

  WebServer::State& server_;
  websocket::stream<tcp::socket> stream_;
  std::string path_, spoken_;
  bool is_program_;
  ClientId id_;
  beast::flat_buffer buffer_;
  struct Queued {
    Bytes bytes;
    bool is_text = true;
  };
  std::deque<Queued> queue_;
  std::size_t waiting_ = 0;  // bytes in queue_
  Frames frames_;
  std::size_t frame_bytes_ = 0;
  std::uint64_t frame_order_ = 0;
  std::uint32_t last_channel_ = 0;
  Bytes state_, sending_;
  bool writing_ = false, gone_ = false;
  bool is_held_ = false;  // reading of a program's messages is paused
  bool finishing_ = false;
  error_code ignored_;
};

/// A connection with one HTTP request and response, or an upgrade to a WebSocket.
class Visitor : public std::enable_shared_from_this<Visitor> {
 public:
  Visitor(WebServer::State& server, tcp::socket socket) : server_(server), stream_(std::move(socket)) {
    ++server_.connections;
    parser_.header_limit(16 * 1024);
    parser_.body_limit(0);
  }
  ~Visitor() {
    if (!handed_over_) --server_.connections;
  }

  void begin() {
    if (server_.connections > server_.settings.max_clients)
      return answer(http::status::service_unavailable, "too many connections\n");
    stream_.expires_after(kRequestTime);
    http::async_read(stream_, buffer_, parser_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return;
      self->request_ = self->parser_.release();
      self->decide();
    });
  }

 private:
  std::string_view header(http::field field) const {
    const auto found = request_.find(field);
    return found == request_.end() ? std::string_view() : std::string_view(found->value().data(), found->value().size());
  }

  void decide() {
    const std::string_view target(request_.target().data(), request_.target().size());
    const Visit visit{target, header(http::field::host), header(http::field::origin), request_.count(http::field::host) == 1};
    if (const std::string problem = refusal(visit, server_.settings.token, server_.settings.origins); !problem.empty())
      return answer(http::status::forbidden, problem + "\n");
    const std::string path(target.substr(0, target.find('?')));
    if (websocket::is_upgrade(request_)) {
      const bool is_program = server_.handlers.programs.is_endpoint && server_.handlers.programs.is_endpoint(path);
      if (!is_program && !server_.handlers.is_endpoint(path)) return answer(http::status::not_found, "no WebSocket here\n");
      handed_over_ = true;
      stream_.expires_never();
      tcp::socket socket = stream_.release_socket();
      if (is_program) socket = moved(std::move(socket), server_.program_io);
      std::make_shared<Client>(server_, std::move(socket), path, is_program)->begin(request_);
      return;
    }
    if (request_.method() != http::verb::get && request_.method() != http::verb::head)
      return answer(http::status::method_not_allowed, "only GET\n");
    const auto page = server_.handlers.get(path);
    if (!page) return answer(http::status::not_found, "nothing here\n");
    send(http::status::ok, page->type, page->body);
  }

  void answer(http::status status, std::string text) {
    send(status, "text/plain; charset=utf-8", std::make_shared<const std::string>(std::move(text)));
  }

  void send(http::status status, std::string_view type, Bytes body) {
    body_ = std::move(body);
    response_ = {};
    response_.version(11);
    response_.result(status);
    response_.set(http::field::content_type, beast::string_view(type.data(), type.size()));
    response_.set(http::field::cache_control, "no-store");
    response_.set(http::field::x_frame_options, "DENY");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.content_length(body_->size());
    response_.keep_alive(false);
    response_.body().data = request_.method() == http::verb::head ? nullptr : const_cast<char*>(body_->data());  // read-only
    response_.body().size = request_.method() == http::verb::head ? 0 : body_->size();
    response_.body().more = false;
    serializer_.emplace(response_);
    // A large page on a slow connection takes longer than a request.
    stream_.expires_after(10 * kRequestTime);
    http::async_write(stream_, *serializer_, [self = shared_from_this()](error_code, std::size_t) {
      error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  WebServer::State& server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> parser_;
  http::request<http::empty_body> request_;
  Bytes body_;
  http::response<http::buffer_body> response_;
  std::optional<http::response_serializer<http::buffer_body>> serializer_;
  bool handed_over_ = false;
};

[[noreturn]] void cannot_listen(const WebSettings& settings, const error_code& error) {
  throw IoError::from_errno(settings.address + ":" + number_text(settings.port), "listen", error.value());
}

}  // namespace

void WebServer::State::listen() {
  error_code error;
  const auto address = asio::ip::make_address(settings.address, error);
  if (error) cannot_listen(settings, error);
  const tcp::endpoint endpoint(address, settings.port);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) cannot_listen(settings, error);
  accept();
}

void WebServer::State::accept() {
  acceptor.async_accept([this](error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) std::make_shared<Visitor>(*this, std::move(socket))->begin();
    accept();
  });
}

WebServer::WebServer(WebSettings settings, WebHandlers handlers)
    : state_(std::make_unique<State>(std::move(settings), std::move(handlers))) {
  state_->listen();
}

WebServer::~WebServer() {
  state_->ending = true;
  state_->open.clear();
}

std::uint16_t WebServer::port() const { return state_->acceptor.local_endpoint().port(); }

void WebServer::poll() {
  for (int i = 0; i < kMaxHandlers && state_->io.poll_one() > 0; ++i) {
  }
  state_->program_io.restart();  // a context stops when it runs out of work
  for (int i = 0; i < kMaxHandlers && state_->program_io.poll_one() > 0; ++i) {
  }
}

void WebServer::wait(double seconds) {
  state_->io.run_one_for(std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::duration<double>(seconds)));
  poll();
}

void WebServer::wait_programs(double seconds) {
  asio::io_context& io = state_->program_io;
  io.restart();
  io.run_one_for(std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::duration<double>(seconds)));
}

void WebServer::read_on(ClientId program) {
  if (const auto found = state_->open.find(program); found != state_->open.end()) std::shared_ptr(found->second)->read_on();
}

void WebServer::finish(ClientId client) {
  if (const auto found = state_->open.find(client); found != state_->open.end()) std::shared_ptr(found->second)->finish();
}

void WebServer::send_text(ClientId client, std::string text) {
  if (const auto found = state_->open.find(client); found != state_->open.end())
    std::shared_ptr(found->second)->send(std::move(text), true);
}

void WebServer::send_binary(ClientId client, std::string bytes) {
  if (const auto found = state_->open.find(client); found != state_->open.end())
    std::shared_ptr(found->second)->send(std::move(bytes), false);
}

void WebServer::send_state(ClientId client, std::shared_ptr<const std::string> text) {
  if (const auto found = state_->open.find(client); found != state_->open.end())
    std::shared_ptr(found->second)->send_state(std::move(text));
}

void WebServer::send_frame(ClientId client, std::shared_ptr<const std::string> bytes, std::uint32_t channel) {
  if (const auto found = state_->open.find(client); found != state_->open.end())
    std::shared_ptr(found->second)->send_frame(std::move(bytes), channel);
}

bool WebServer::is_idle(ClientId client) const {
  const auto found = state_->open.find(client);
  return found != state_->open.end() && found->second->is_idle();
}

std::size_t WebServer::clients() const { return state_->open.size() - state_->programs; }
std::uint64_t WebServer::dropped() const { return state_->dropped; }

}  // namespace simbatch::serve
