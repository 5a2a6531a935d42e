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
  std::uint16_t port = 0;          ///< 0: any free port
  bool is_page = false;            ///< "ws": the server of the live page
};
/// "ws", "ws:PORT" (of 127.0.0.1), "ws:ADDRESS:PORT", "ws:[ADDRESS]:PORT" with a numeric address; empty: none of these.
std::optional<WebAddress> parse_web_address(std::string_view text);

/// The robot of a control endpoint's path: "/control/car%20one" -> "car one"; empty: not such a path. Invalid escapes are kept.
std::string robot_of_path(std::string_view path);
/// The path of a robot's endpoint. All characters except letters, digits and - . _ ~ are percent-encoded.
std::string control_path(std::string_view robot);

/// The endpoints of one web server.
class ControlEndpoints : public std::enable_shared_from_this<ControlEndpoints> {
 public:
  ControlEndpoints() = default;
  ControlEndpoints(const ControlEndpoints&) = delete;
  ControlEndpoints& operator=(const ControlEndpoints&) = delete;

  /// Handlers for the web server. @note This object must outlive the server.
  ProgramHandlers handlers();
  /// Call before any endpoint accepts. @param server  must outlive the endpoints
  /// @param host      as it appears in URLs
  /// @param is_alone  the server has no page: other requests are refused even while a program has its turn
  void attach(WebServer& server, std::string host, bool is_alone);
  /// @throws IoError if the robot already has an endpoint
  std::unique_ptr<sim::ProgramEndpoint> open(const std::string& robot);
  /// Name of a robot whose program has not connected yet; empty if there is none.
  std::string awaited() const;

  struct Line;  ///< the connection of one robot; defined in the .cpp

 private:
  friend class WebEndpoint;
  friend class WebLines;
  WebServer* server_ = nullptr;
  std::string host_;
  bool is_alone_ = false;
  std::map<std::string, std::shared_ptr<Line>> lines_;     // by robot name
  std::map<ClientId, std::shared_ptr<Line>> connections_;  // open connections
};

/// Opens endpoints at any web address (sim::OpenEndpoint). Each address has its own server, which lives as long as its endpoints.
class WebEndpointOpener {
 public:
  /// @param token  see WebSettings::token; required for addresses that other machines can reach
  /// @param page   endpoints on the live page's port, for "ws"; null if there is no live page
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
