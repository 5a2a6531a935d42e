// Ways of one name are chained by the nodes that they share, as renderers and routers join them (OSM wiki, "Way": a street may
// be split into several ways). Along the chain, lengths are measured on the map plane; a lane is offset at right angles to the
// piece.
#include "lib/roads/road_place.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"

namespace simbatch::roads {
namespace {

constexpr double kTwoLanes = 5.5;  // m: narrower roads have no center line

/// A way, in the direction of the road.
struct DirectedWay {
  const Road* road;
  bool reversed;
  std::uint32_t first() const { return reversed ? road->nodes.back() : road->nodes.front(); }
  std::uint32_t last() const { return reversed ? road->nodes.front() : road->nodes.back(); }
};

std::vector<const Road*> roads_called(const std::vector<Road>& roads, std::string_view name) {
  std::vector<const Road*> found;
  for (const Road& road : roads)
    if (road.name == name && road.line.size() > 1) found.push_back(&road);
  if (!found.empty()) return found;
  const auto id = parse_integer<osm::Id>(name);
  for (const Road& road : roads)
    if (id && road.id == id.value && road.line.size() > 1) found.push_back(&road);
  return found;
}

/// The chain through the first way, as far as ways meet on both sides.
std::vector<DirectedWay> joined(std::vector<const Road*> ways) {
  std::vector<DirectedWay> chain{{ways.front(), false}};
  ways.erase(ways.begin());
  const auto take = [&](std::uint32_t node, bool at_front) {
    for (auto way = ways.begin(); way != ways.end(); ++way)
      for (const bool reversed : {false, true}) {
        const DirectedWay piece{*way, reversed};
        if ((at_front ? piece.last() : piece.first()) != node) continue;
        chain.insert(at_front ? chain.begin() : chain.end(), piece);
        ways.erase(way);
        return true;
      }
    return false;
  };
  while (take(chain.back().last(), false)) {
  }
  while (take(chain.front().first(), true)) {
  }
  return chain;
}

struct Centerline {
  std::vector<geo::EastNorth> points;
  std::vector<double> width;  ///< of the road before each point
  std::vector<double> height;
};

Centerline line_of(const std::vector<DirectedWay>& chain) {
  Centerline line;
  for (const DirectedWay& piece : chain) {
    std::vector<geo::EastNorth> points = piece.road->line;
    if (piece.reversed) std::reverse(points.begin(), points.end());
    line.points.insert(line.points.end(), points.begin(), points.end());
    line.width.insert(line.width.end(), points.size(), piece.road->width);
    std::vector<double> heights = piece.road->height;
    heights.resize(points.size());
    if (piece.reversed) std::reverse(heights.begin(), heights.end());
    line.height.insert(line.height.end(), heights.begin(), heights.end());
  }
  return line;
}

std::string no_road(const std::vector<Road>& roads, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Road& road : roads)
    if (!road.name.empty() && std::find(names.begin(), names.end(), road.name) == names.end()) names.push_back(road.name);
  const std::string_view near = nearest(name, names);
  std::string text = "the map has no road " + quoted(name);
  if (!near.empty()) return text + ", did you mean " + quoted(near) + "?";
  constexpr std::size_t kShown = 5;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) text += (i == 0 ? "; it has " : ", ") + quoted(names[i]);
  if (names.empty() && !roads.empty()) text += "; its roads have no names, but ids: " + number_text(roads.front().id);
  return text + (names.size() > kShown ? ", ..." : "");
}

}  // namespace

int lane_count(const Road& road) {
  if (road.lanes > 0) return road.lanes;
  if (road.one_way != 0) return std::max(1, static_cast<int>(road.width / kLaneWidth));
  return road.width < kTwoLanes ? 1 : 2 * std::max(1, static_cast<int>(road.width / 2 / kLaneWidth));
}

std::optional<RoadPlace> place_on(const std::vector<Road>& roads, const RoadAddress& address, std::string& problem) {
  const std::vector<const Road*> ways = roads_called(roads, address.road);
  if (ways.empty()) {
    problem = no_road(roads, address.road);
    return std::nullopt;
  }
  const Centerline line = line_of(joined(ways));
  std::vector<double> along{0};
  for (std::size_t i = 1; i < line.points.size(); ++i)
    along.push_back(along.back() +
                    std::hypot(line.points[i].east - line.points[i - 1].east, line.points[i].north - line.points[i - 1].north));
  const double length = along.back();
  double at = address.at.value_or(length / 2);
  if (at < 0) at += length;
  if (!(at >= 0 && at <= length)) {
    problem = quoted(address.road) + " is " + number_text(std::floor(length)) + " m long";
    return std::nullopt;
  }
  // The piece of the line that contains the place; where ways join, pieces have no length.
  std::size_t end = 1;
  while (end + 1 < along.size() && (along[end] < at || along[end] == along[end - 1])) ++end;
  while (end > 1 && along[end] == along[end - 1]) --end;
  const double piece = along[end] - along[end - 1];
  if (!(piece > 0)) {
    problem = quoted(address.road) + " has no length";
    return std::nullopt;
  }
  const geo::EastNorth a = line.points[end - 1], b = line.points[end];
  const double east = (b.east - a.east) / piece, north = (b.north - a.north) / piece;
  const double half = line.width[end] / 2;
  const int lanes = std::max(1, static_cast<int>(half / kLaneWidth));
  if (std::abs(address.lane) > lanes) {
    problem = quoted(address.road) + " has " + number_text(lanes) + (lanes == 1 ? " lane" : " lanes") +
              " in each direction, being " + number_text(line.width[end]) + " m wide there";
    return std::nullopt;
  }
  // The middle of the lane; to the right of (east, north) is (north, -east).
  const double side = address.lane == 0 ? 0 : std::copysign((std::abs(address.lane) - 0.5) * half / lanes, address.lane);
  const double t = at - along[end - 1];
  const double height = line.height[end - 1] + t / piece * (line.height[end] - line.height[end - 1]);
  return RoadPlace{{a.east + t * east + side * north, a.north + t * north - side * east}, std::atan2(east, north), height};
}

}  // namespace simbatch::roads
