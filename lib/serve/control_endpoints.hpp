#pragma once
/// WebSocket control endpoints: remote programs exchange the lines of docs/controllers.md as text messages on /control/ROBOT, in
/// lockstep. Endpoints of one address share a web server; "ws" ones belong to the server of the live page.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lib/serve/web_server.hpp"
#include "lib/sim/program/command/controller.hpp"

namespace simbatch::serve {

/// Where a web server listens for programs.
struct WebAddress {
  std::string host = "127.0.0.1";  ///< numeric, of this machine
  std::uint16_t port = 0;          ///< 0: any that is free
  bool is_page = false;            ///< "ws": that of the live page
};
/// "ws", "ws:PORT" (of 127.0.0.1), "ws:ADDRESS:PORT", "ws:[ADDRESS]:PORT" with a numeric address; empty: none of these.
std::optional<WebAddress> parse_web_address(std::string_view text);

/// The robot of a control endpoint's path: "/control/car%20one" -> "car one"; empty: not such a path. Invalid escapes are kept.
std::string robot_of_path(std::string_view path);
/// The path of a robot's endpoint: all but letters, digits and - . _ ~ is escaped.
std::string control_path(std::string_view robot);

/// The endpoints of one web server.
class ControlEndpoints : public std::enable_shared_from_this<ControlEndpoints> {
 public:
  ControlEndpoints() = default;
  ControlEndpoints(const ControlEndpoints&) = delete;
  ControlEndpoints& operator=(const ControlEndpoints&) = delete;

  /// Handlers for the web server. @note this object must outlive the server
  ProgramHandlers handlers();
  /// Before any endpoint accepts. @param server  must outlive the endpoints
  /// @param host      as in URLs
  /// @param is_alone  the server is for programs only: others who come are answered (refused) while a program has its turn
  void attach(WebServer& server, std::string host, bool is_alone);
  /// @throws IoError if the robot has one already
  std::unique_ptr<sim::ProgramEndpoint> open(const std::string& robot);
  /// A robot whose program has not connected yet; empty: none.
  std::string awaited() const;

  struct Line;  ///< one robot's; defined in the .cpp

 private:
  friend class WebEndpoint;
  friend class WebLines;
  WebServer* server_ = nullptr;
  std::string host_;
  bool is_alone_ = false;
  std::map<std::string, std::shared_ptr<Line>> lines_;     // by robot
  std::map<ClientId, std::shared_ptr<Line>> connections_;  // that are open
};

/// Opens endpoints of any web address (sim::OpenEndpoint), each address with a server of its own, which lives as long as its endpoints.
class WebEndpointOpener {
 public:
  /// @param token  as of WebSettings; addresses that other machines reach need one
  /// @param page   the endpoints of "ws"; null: there is no such server
  explicit WebEndpointOpener(std::string token, std::shared_ptr<ControlEndpoints> page = {})
      : token_(std::move(token)), page_(std::move(page)) {}
  /// @throws IoError
  std::unique_ptr<sim::ProgramEndpoint> operator()(const std::string& robot, const std::string& address);

 private:
  struct Served;  // a server and its endpoints
  std::string token_;
  std::shared_ptr<ControlEndpoints> page_;
  std::map<std::string, std::weak_ptr<Served>> served_;  // by address
};

}  // namespace simbatch::serve
