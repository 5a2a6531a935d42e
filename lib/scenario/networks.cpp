#include "lib/scenario/networks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/core/number.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/traffic_lanes.hpp"
#include "lib/traffic/traffic.hpp"

namespace simbatch::scenario::detail {
namespace {

/// The file that a position refers to; empty: none.
std::string network_name(const Site& site, const autosim::WaypointPosition& position) {
  if (!position.rndf.empty()) return position.rndf;
  return site.file.traffic.empty() ? std::string() : site.file.traffic.front().rndf;
}

/// A network of traffic, which reports its problems.
bool is_of_traffic(const Site& site, const std::string& name) {
  return std::any_of(site.file.traffic.begin(), site.file.traffic.end(),
                     [&](const autosim::Traffic& traffic) { return traffic.rndf == name; });
}

/// Whether anything that refers to a network says that its coordinates are meters: it is read once.
bool is_planar(const Site& site, const std::string& name) {
  const auto says = [&](const autosim::Pose& pose) {
    return pose.waypoint && pose.waypoint->planar && network_name(site, *pose.waypoint) == name;
  };
  const autosim::World& world = site.file;
  return std::any_of(world.traffic.begin(), world.traffic.end(),
                     [&](const autosim::Traffic& traffic) { return traffic.planar && traffic.rndf == name; }) ||
         std::any_of(world.robots.begin(), world.robots.end(), [&](const auto& robot) { return says(robot.pose); }) ||
         std::any_of(world.statics.begin(), world.statics.end(), [&](const auto& object) { return says(object.pose); });
}

/// Null if it cannot be used. Each file is read, and its problems are reported, once.
const traffic::Network* network_of(const Site& site, const std::string& name, Position at) {
  const auto [entry, fresh] = site.assembly.networks.try_emplace(name);
  if (!fresh) return entry->second.get();
  const auto input = site.files.open(name, at);
  if (!input) return nullptr;
  Diagnostics problems;
  if (!file_kind::report_other_kind(input->text(), input->name(), file_kind::Purpose::network, problems))
    entry->second = traffic::read_network(
        input->text(), input->name(),
        {.planar = is_planar(site, name), .plane_origin = site.assembly.given_origin.value_or(geo::LatLon{})}, problems);
  if (!is_of_traffic(site, name)) site.files.append(std::move(problems));
  return entry->second.get();
}

std::string no_waypoint(const traffic::Network& network, const rndf::PointId& id) {
  const std::string text = "the network has no waypoint " + rndf::to_text(id);
  const auto beside = network.index.points(id.segment, id.lane);
  if (!beside.empty())
    return text + ", expected one of " + rndf::to_text(beside.front().id) + " to " + rndf::to_text(beside.back().id);
  std::vector<std::string> names;
  for (const rndf::Segment& segment : network.rndf.segments)
    for (const rndf::Lane& lane : segment.lanes)
      for (const rndf::Waypoint& waypoint : lane.waypoints) names.push_back(rndf::to_text(waypoint.id));
  const std::string_view near = nearest(rndf::to_text(id), std::vector<std::string_view>(names.begin(), names.end()));
  if (!near.empty()) return text + ", did you mean " + quoted(near) + "?";
  return names.empty() ? text : text + "; it begins with " + names.front();
}

}  // namespace

void set_origin_of_networks(const Site& site) {
  if (site.simulation.settings().origin) return;
  // The order of objects is of no consequence: the network of the traffic comes first, then the first by name.
  std::map<std::string, Position> used;
  const auto note = [&](const autosim::Pose& pose, Position at) {
    if (!pose.waypoint) return;
    if (std::string name = network_name(site, *pose.waypoint); !name.empty())
      used.try_emplace(std::move(name), pose.place.at != Position{} ? pose.place.at : at);
  };
  for (const autosim::RobotEntry& entry : site.file.robots) note(entry.pose, entry.place.at);
  for (const autosim::StaticObject& object : site.file.statics) note(object.pose, object.place.at);
  if (used.empty()) return;
  const std::string name = site.file.traffic.empty() ? used.begin()->first : site.file.traffic.front().rndf;
  const traffic::Network* network = network_of(site, name, used.begin()->second);
  if (network == nullptr) return;
  if (const auto place = traffic::first_place(network->rndf)) site.simulation.set_origin(*place);
}

Scene build_networks(const Site& site) {
  Scene scene;
  for (const auto& [name, network] : site.assembly.networks) {
    if (network == nullptr || is_of_traffic(site, name) || !site.simulation.settings().origin) continue;
    const std::vector<NetworkLine> lines = network_lines(network->rndf, *site.simulation.settings().origin, name);
    scene.network_lines.insert(scene.network_lines.end(), lines.begin(), lines.end());
  }
  return scene;
}

std::optional<WaypointPlace> place_by_waypoint(const Site& site, const autosim::WaypointPosition& position, Position at) {
  const std::string name = network_name(site, position);
  if (name.empty()) {
    site.files.report(code::kWaypoint, at,
                      "a position by a waypoint needs a road network: <Position waypoint= rndf=\"FILE\"/>, or a <Traffic>");
    return std::nullopt;
  }
  const traffic::Network* network = network_of(site, name, at);
  if (network == nullptr) return std::nullopt;
  const auto [segment, lane, point] = position.waypoint;
  const rndf::PointId id{segment, lane, point};
  const rndf::Waypoint* waypoint = network->index.find(id);
  if (waypoint == nullptr || !site.simulation.settings().origin) {
    site.files.report(code::kWaypoint, at, no_waypoint(*network, id));
    return std::nullopt;
  }
  const geo::LocalFrame frame(*site.simulation.settings().origin);
  const WaypointPlace place{frame.to_plane({waypoint->lat, waypoint->lon}), traffic::lane_heading(id, network->index, frame)};
  if (std::isfinite(place.at.east + place.at.north)) return place;
  site.files.report(code::kWaypoint, at, "the waypoint " + rndf::to_text(id) + " is too far from the world's origin");
  return std::nullopt;
}

}  // namespace simbatch::scenario::detail
