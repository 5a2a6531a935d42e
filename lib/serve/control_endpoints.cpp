#include "lib/serve/control_endpoints.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/core/percent.hpp"
#include "base/process/socket.hpp"
#include "lib/sim/program/command/requests.hpp"

namespace simbatch::serve {

struct ControlEndpoints::Line {
  std::string robot;
  std::optional<ClientId> client;  // at most one per run
  bool is_closed = false, is_too_long = false;
  std::deque<std::string> received;
  std::size_t bytes = 0;  // of these

  bool is_full() const { return bytes > sim::kMaxRequestLine; }
};

namespace {

constexpr double kSlice = 0.1;        // s between two calls of keep_going
constexpr double kClosingTime = 0.2;  // s of real time for a closing handshake
constexpr std::string_view kPrefix = "/control/";

/// Seconds of real time until the deadline, at most a slice.
double slice_until(const Deadline& deadline) { return std::min(seconds_until(deadline), kSlice); }

bool is_over(const Deadline& deadline) { return seconds_until(deadline) <= 0; }

}  // namespace

std::optional<WebAddress> parse_web_address(std::string_view text) {
  WebAddress made;
  made.is_page = text == "ws";
  if (made.is_page) return made;
  if (!text.starts_with("ws:")) return std::nullopt;
  const auto address = parse_socket_address("tcp:" + std::string(text.substr(3)));
  if (!address) return std::nullopt;
  made.host = address->host;
  made.port = address->port;
  return made;
}

std::string robot_of_path(std::string_view path) {
  return path.starts_with(kPrefix) ? percent_decoded(path.substr(kPrefix.size())) : std::string();
}

std::string control_path(std::string_view robot) { return std::string(kPrefix) + percent_encoded(robot); }

/// The lines of a program that has connected.
class WebLines final : public LineExchange {
 public:
  WebLines(std::shared_ptr<ControlEndpoints> endpoints, std::shared_ptr<ControlEndpoints::Line> line,
           std::function<bool()> keep_going)
      : endpoints_(std::move(endpoints)), line_(std::move(line)), keep_going_(std::move(keep_going)) {}
  ~WebLines() override { close_sending(); }

  ChannelStatus send(std::string_view text, Deadline deadline) override {
    if (line_->is_closed) return ended();
    while (text.ends_with('\n')) text.remove_suffix(1);
    server().send_text(*line_->client, std::string(text));
    while (!line_->is_closed && !server().is_idle(*line_->client)) {
      if (line_->is_full()) return ChannelStatus::too_long;
      if (const auto status = wait(deadline); status != ChannelStatus::ok) return status;
    }
    return line_->is_closed ? ended() : ChannelStatus::ok;
  }

  ChannelStatus receive(std::string& line, Deadline deadline) override {
    while (line_->received.empty()) {
      if (line_->is_closed) return ended();
      if (const auto status = wait(deadline); status != ChannelStatus::ok) return status;
    }
    line = std::move(line_->received.front());
    line_->received.pop_front();
    line_->bytes -= line.size();
    server().read_on(*line_->client);
    return ChannelStatus::ok;
  }

  bool has_rest() const override { return false; }

  void close_sending() override {
    if (std::exchange(is_finished_, true) || line_->is_closed) return;
    server().finish(*line_->client);
    const Deadline soon = deadline_in(kClosingTime);
    while (!line_->is_closed && !is_over(soon)) {
      line_->received.clear();
      line_->bytes = 0;
      server().read_on(*line_->client);
      server().wait_programs(slice_until(soon));
    }
  }

 private:
  WebServer& server() const { return *endpoints_->server_; }
  ChannelStatus ended() const { return line_->is_too_long ? ChannelStatus::too_long : ChannelStatus::closed; }

  ChannelStatus wait(const Deadline& deadline) {
    if (is_over(deadline)) return ChannelStatus::timeout;
    server().wait_programs(slice_until(deadline));
    if (endpoints_->is_alone_) server().poll();
    return keep_going_ && !keep_going_() ? ChannelStatus::interrupted : ChannelStatus::ok;
  }

  std::shared_ptr<ControlEndpoints> endpoints_;
  std::shared_ptr<ControlEndpoints::Line> line_;
  std::function<bool()> keep_going_;
  bool is_finished_ = false;
};

class WebEndpoint final : public sim::ProgramEndpoint {
 public:
  WebEndpoint(std::shared_ptr<ControlEndpoints> endpoints, std::shared_ptr<ControlEndpoints::Line> line)
      : endpoints_(std::move(endpoints)), line_(std::move(line)) {}
  ~WebEndpoint() override { endpoints_->lines_.erase(line_->robot); }

  std::string address() const override {
    return "ws://" + endpoints_->host_ + ":" + number_text(endpoints_->server_->port()) + control_path(line_->robot);
  }

  std::unique_ptr<LineExchange> accept(Deadline deadline, const std::function<bool()>& keep_going) override {
    while (!line_->client) {
      if (is_over(deadline) || (keep_going && !keep_going())) return nullptr;
      endpoints_->server_->wait(slice_until(deadline));
    }
    return std::make_unique<WebLines>(endpoints_, line_, keep_going);
  }

 private:
  std::shared_ptr<ControlEndpoints> endpoints_;
  std::shared_ptr<ControlEndpoints::Line> line_;
};

ProgramHandlers ControlEndpoints::handlers() {
  ProgramHandlers made;
  made.max_message = sim::kMaxRequestLine;
  made.is_endpoint = [this](std::string_view path) {
    const auto found = lines_.find(robot_of_path(path));
    return found != lines_.end() && !found->second->client;
  };
  made.opened = [this](ClientId client, std::string_view path) {
    const auto found = lines_.find(robot_of_path(path));
    // Another client connected first.
    if (found == lines_.end() || found->second->client) return server_->finish(client);
    found->second->client = client;
    connections_[client] = found->second;
  };
  made.received = [this](ClientId client, std::string_view message, bool) {
    const auto found = connections_.find(client);
    if (found == connections_.end()) return true;
    Line& line = *found->second;
    if (message.ends_with('\n')) message.remove_suffix(1);
    // A message may contain several lines. Binary messages fail as invalid JSON.
    for (std::size_t at = 0; at <= message.size();) {
      const std::size_t end = std::min(message.find('\n', at), message.size());
      std::string_view text = message.substr(at, end - at);
      if (text.ends_with('\r')) text.remove_suffix(1);
      line.received.emplace_back(text);
      line.bytes += text.size();
      at = end + 1;
    }
    return !line.is_full();
  };
  made.closed = [this](ClientId client, bool is_too_long) {
    const auto found = connections_.find(client);
    if (found == connections_.end()) return;
    found->second->is_closed = true;
    found->second->is_too_long = is_too_long;
    connections_.erase(found);
  };
  return made;
}

void ControlEndpoints::attach(WebServer& server, std::string host, bool is_alone) {
  server_ = &server;
  is_alone_ = is_alone;
  host_ = host.find(':') == std::string::npos ? std::move(host) : "[" + host + "]";
}

std::unique_ptr<sim::ProgramEndpoint> ControlEndpoints::open(const std::string& robot) {
  auto line = std::make_shared<Line>();
  line->robot = robot;
  if (!lines_.emplace(robot, line).second) throw IoError(control_path(robot), "another program already uses this endpoint");
  return std::make_unique<WebEndpoint>(shared_from_this(), std::move(line));
}

std::string ControlEndpoints::awaited() const {
  for (const auto& [robot, line] : lines_)
    if (!line->client) return robot;
  return {};
}

struct WebEndpointOpener::Served : ControlEndpoints {
  std::optional<WebServer> server;
};

std::unique_ptr<sim::ProgramEndpoint> WebEndpointOpener::operator()(const std::string& robot, const std::string& address) {
  const auto parsed = parse_web_address(address);
  if (!parsed) throw IoError(address, "it is not ws:[ADDRESS:]PORT");
  if (parsed->is_page) {
    if (!page_) throw IoError(address, "only simrun serve has a page; ws:PORT names a port");
    return page_->open(robot);
  }
  std::shared_ptr<Served> served = served_[address].lock();
  if (!served) {
    SocketAddress where;
    where.host = parsed->host;
    if (!where.is_loopback() && token_.empty())
      throw IoError(address, "other machines reach it, and there is no token: set SIMBATCH_TOKEN");
    served = std::make_shared<Served>();
    WebHandlers handlers;
    handlers.get = [](std::string_view) { return std::optional<WebPage>(); };
    handlers.is_endpoint = [](std::string_view) { return false; };
    handlers.programs = served->handlers();
    WebSettings settings;
    settings.address = parsed->host;
    settings.port = parsed->port;
    settings.token = token_;
    served->server.emplace(settings, std::move(handlers));
    served->attach(*served->server, parsed->host, true);
    served_[address] = served;
  }
  return served->open(robot);
}

}  // namespace simbatch::serve
