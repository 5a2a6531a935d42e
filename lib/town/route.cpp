// Our own greedy method: straight on at each crossing. Fillets of a polyline: the tangent length of a corner of angle a and
// radius r is r tan(a / 2), and the arc leaves the corner by r (1 / cos(a / 2) - 1).
#include "lib/town/route.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string_view>
#include <utility>

#include "lib/town/rules.hpp"

namespace simbatch::town {
namespace {
using geo::EastNorth;

constexpr std::size_t kStarts = 400;
constexpr double kShortest = 30;                                // m
constexpr double kSharpestBend = 100 * std::numbers::pi / 180;  // at one node: no turning back
constexpr double kSmallestRadius = 5, kLargestRadius = 12;      // m
constexpr double kLeaveRight = 1.2, kLeaveLeft = 3;             // m: on the inside is the curb, or the other lane of a crossing
constexpr double kLeast = 0.3;                                  // m: what a car may leave the lane's line anywhere
constexpr double kRunIn = 3, kRunOut = 6;                       // m of street at the back of the car and beyond the drive's end

EastNorth operator+(EastNorth a, EastNorth b) { return {a.east + b.east, a.north + b.north}; }
EastNorth operator-(EastNorth a, EastNorth b) { return {a.east - b.east, a.north - b.north}; }
EastNorth operator*(EastNorth a, double s) { return {a.east * s, a.north * s}; }
double dot(EastNorth a, EastNorth b) { return a.east * b.east + a.north * b.north; }
double cross(EastNorth a, EastNorth b) { return a.east * b.north - a.north * b.east; }
double norm(EastNorth a) { return std::sqrt(dot(a, a)); }
EastNorth right_of(EastNorth a) { return {a.north, -a.east}; }

/// A directed piece of street from node to node.
struct Edge {
  std::uint32_t from = 0, to = 0;
  std::uint32_t way = 0;
  double lane = 0;  // m from the middle line to the middle of the lane to drive in, to the right
  double room = 0;  // m from there to the left for the middle of a car
};

class RouteFinder {
 public:
  enum class Ways : std::uint8_t { streets, all_roads };
  RouteFinder(const osm::Model& map, const autosim::MapSetup& setup, Ways ways)
      : map_(map), setup_(setup), ways_(ways), frame_({setup.osm.lat, setup.osm.lon}) {
    if (setup.terrain) half_ = {setup.terrain->width / 2 - kRunOut, setup.terrain->height / 2 - kRunOut};
    for (std::size_t way = 0; way < map.ways.size(); ++way) add_way(way);
    for (std::size_t e = 0; e < edges_.size(); ++e) leaving_[edges_[e].from].push_back(e);
  }

  std::optional<Route> best(double longest) {
    std::vector<std::pair<double, std::size_t>> starts;
    for (std::size_t e = 0; e < edges_.size(); ++e)
      if (is_on_ground(at(edges_[e].from))) starts.emplace_back(norm(at(edges_[e].from)), e);
    std::sort(starts.begin(), starts.end());
    if (starts.size() > kStarts) starts.resize(kStarts);
    std::optional<Route> best;
    for (const auto& start : starts) {
      Route route = route_of(follow(start.second, longest + kRunIn), longest + kRunIn);
      if (route.length > (best ? best->length + 1 : kShortest)) best = std::move(route);
    }
    return best;
  }

 private:
  EastNorth at(std::uint32_t node) const {
    const osm::LatLon p = map_.node_positions[node];
    return frame_.to_plane({p.lat_deg(), p.lon_deg()});
  }

  bool is_on_ground(EastNorth p) const { return std::fabs(p.east) <= half_.east && std::fabs(p.north) <= half_.north; }

  void add_way(std::size_t way) {
    const auto tags = map_.tags_of_way(way);
    const auto kind = map_.value_of(tags, "highway");
    if (!kind || *kind == "pedestrian" || *kind == "busway" || (ways_ == Ways::streets && !is_street(*kind))) return;
    const autosim::HighwayKind* known = setup_.highways.find(*kind);
    if (known == nullptr || known->width < 3) return;
    const auto yes = [&](std::string_view key) {
      const auto value = map_.value_of(tags, key);
      return value && *value != "no";
    };
    if (yes("bridge") || yes("tunnel") || yes("covered") || yes("area") || yes("junction")) return;
    const std::string_view oneway = map_.value_of(tags, "oneway").value_or("no");
    const bool backwards = oneway == "-1" || oneway == "reverse",
               is_oneway = backwards || (oneway != "no" && oneway != "false");
    const double lane = is_oneway || known->width < 5 ? 0 : known->width / 4;
    // Half of the carriageway, and a meter for the car's wheels. A wide one-way street has two lanes, and one at the least.
    const double carriageway = is_oneway ? std::min(known->width, std::max(known->width / 2, 3.5)) : known->width;
    const double room = std::max(kLeast, lane + carriageway / 2 - 1);
    const auto refs = map_.refs_of(way);
    for (std::size_t i = 0; i + 1 < refs.size(); ++i) {
      if (refs[i].is_missing() || refs[i + 1].is_missing()) continue;
      const std::uint32_t a = refs[i].number(), b = refs[i + 1].number();
      if (norm(at(a) - at(b)) < 0.5) continue;
      const auto number = static_cast<std::uint32_t>(way);
      if (!backwards) edges_.push_back({a, b, number, lane, room});
      if (!is_oneway || backwards) edges_.push_back({b, a, number, lane, room});
    }
  }

  double length_of(std::size_t edge) const { return norm(at(edges_[edge].to) - at(edges_[edge].from)); }

  /// Straight on from crossing to crossing, never through a node twice.
  std::vector<std::size_t> follow(std::size_t edge, double longest) const {
    double length = 0;
    std::vector<std::size_t> chain;
    std::set<std::uint32_t> seen{edges_[edge].from};
    while (true) {
      chain.push_back(edge);
      length += length_of(edge);
      const std::uint32_t node = edges_[edge].to;
      if (length >= longest || !seen.insert(node).second) return chain;
      const auto found = leaving_.find(node);
      if (found == leaving_.end()) return chain;
      const EastNorth ahead = at(node) - at(edges_[edge].from);
      double best = kSharpestBend;
      std::size_t next = edges_.size();
      for (const std::size_t candidate : found->second) {
        if (seen.contains(edges_[candidate].to)) continue;
        const EastNorth way = at(edges_[candidate].to) - at(node);
        const double bend = std::fabs(std::atan2(cross(ahead, way), dot(ahead, way)));
        if (bend >= best) continue;
        best = bend;
        next = candidate;
      }
      if (next == edges_.size()) return chain;
      edge = next;
    }
  }

  /// The lane's line: the pieces of street moved to the right, and cut where they meet.
  /// @param first  the piece of the chain whose beginning, or a place on which, is the line's beginning
  std::vector<EastNorth> lane_of(const std::vector<std::size_t>& chain, double longest, std::size_t& first) const {
    std::vector<EastNorth> line;
    EastNorth last_way{};
    double length = 0;
    bool goes_on = false;
    for (const std::size_t e : chain) {
      const EastNorth a = at(edges_[e].from), way = at(edges_[e].to) - a;
      const EastNorth unit = way * (1 / norm(way)), aside = right_of(unit) * edges_[e].lane;
      const EastNorth from = a + aside;
      EastNorth to = a + way + aside;
      if (length + norm(way) > longest) {
        to = from + unit * std::max(1.0, longest - length);
        goes_on = norm(way) > norm(to - from) + kRunOut;
      }
      if (line.empty()) {
        line.push_back(from);
      } else {
        // Where the two lanes' lines cross; nearly parallel ones are joined as they are.
        const double sine = cross(last_way, unit);
        if (std::fabs(sine) > 0.15) {
          const double t = cross(from - line.back(), unit) / sine;
          line.back() = line.back() + last_way * t;
        } else {
          line.back() = (line.back() + from) * 0.5;
        }
      }
      line.push_back(to);
      last_way = unit;
      length += norm(way);
    }
    // A car needs street under all wheels where it starts and stops.
    if (!leave_ground(line) && !goes_on) shorten(line, kRunOut);
    const std::size_t all = line.size();
    std::reverse(line.begin(), line.end());
    shorten(line, kRunIn);
    std::reverse(line.begin(), line.end());
    first = all - line.size();
    return line;
  }

  /// Cuts a line that begins on the ground where it leaves it, and says whether it does.
  bool leave_ground(std::vector<EastNorth>& line) const {
    const auto out = std::find_if(line.begin() + 1, line.end(), [&](EastNorth p) { return !is_on_ground(p); });
    if (out == line.end()) return false;
    const EastNorth from = *(out - 1), way = *out - from;
    double part = 1;
    if (std::fabs(out->east) > half_.east) part = (std::copysign(half_.east, out->east) - from.east) / way.east;
    if (std::fabs(out->north) > half_.north)
      part = std::min(part, (std::copysign(half_.north, out->north) - from.north) / way.north);
    *out = from + way * part;
    line.erase(out + 1, line.end());
    return true;
  }

  /// Takes a length off the end of a line; a shorter line becomes empty.
  static void shorten(std::vector<EastNorth>& line, double length) {
    while (line.size() > 1) {
      EastNorth& end = line.back();
      const EastNorth last = end - line[line.size() - 2];
      if (norm(last) > length) {
        end = end - last * (length / norm(last));
        return;
      }
      length -= norm(last);
      line.pop_back();
    }
    line.clear();
  }

  Route route_of(const std::vector<std::size_t>& chain, double longest) const {
    Route route;
    route.way = map_.ways[edges_[chain.front()].way].id;
    std::size_t first = 0;
    std::vector<EastNorth> line = lane_of(chain, longest, first);
    if (line.size() < 2) return route;
    EastNorth from = line.front();
    const auto straight = [&](EastNorth to) {
      if (norm(to - from) > 0.01) route.pieces.push_back({from, to, {}, 0, false});
    };
    for (std::size_t k = 1; k + 1 < line.size(); ++k) {
      const EastNorth in = line[k] - from, out = line[k + 1] - line[k];
      const double l_in = norm(in), l_out = norm(out);
      if (l_in < 0.01 || l_out < 0.01) continue;
      const EastNorth u = in * (1 / l_in), v = out * (1 / l_out);
      const double turn = std::atan2(cross(u, v), dot(u, v)), half = std::fabs(turn) / 2;
      if (half < 0.02) {
        straight(line[k]);
        from = line[k];
        continue;
      }
      const double room = std::min(edges_[chain[first + k - 1]].room, edges_[chain[first + k]].room);
      const double leave = std::min(turn < 0 ? kLeaveRight : kLeaveLeft, room),
                   largest = kLargestRadius + 400 * std::max(0.0, 0.35 - half);
      const double radius = std::min({std::min(l_in, l_out / 2) / std::tan(half), leave / (1 / std::cos(half) - 1), largest});
      if (radius < kSmallestRadius && half > 0.05) {
        // Too sharp for a car: the drive ends before the corner.
        line.resize(k + 1);
        line[k] = from + u * std::max(l_in - 3, 0.1);
        break;
      }
      const double tangent = radius * std::tan(half);
      const EastNorth begin = line[k] - u * tangent, end = line[k] + v * tangent;
      straight(begin);
      const bool right = turn < 0;
      route.pieces.push_back({begin, end, begin + right_of(u) * (right ? radius : -radius), radius, right});
      from = end;
    }
    straight(line.back());
    for (const RoutePiece& piece : route.pieces) route.length += piece.length();
    const EastNorth begin = line[1] - line[0];
    route.heading = geo::degrees(std::atan2(begin.east, begin.north));
    if (route.heading < 0) route.heading += 360;
    return route;
  }

  const osm::Model& map_;
  const autosim::MapSetup& setup_;
  Ways ways_;
  geo::LocalFrame frame_;
  EastNorth half_{HUGE_VAL, HUGE_VAL};  // of the setup's ground
  std::vector<Edge> edges_;
  std::map<std::uint32_t, std::vector<std::size_t>> leaving_;  // by node
};
}  // namespace

double RoutePiece::length() const {
  const double chord = norm(to - from);
  return radius == 0 ? chord : 2 * radius * std::asin(std::min(1.0, chord / (2 * radius)));
}

std::optional<Route> find_route(const osm::Model& map, const autosim::MapSetup& setup, double longest) {
  std::optional<Route> route = RouteFinder(map, setup, RouteFinder::Ways::streets).best(longest);
  return route ? route : RouteFinder(map, setup, RouteFinder::Ways::all_roads).best(longest);
}

}  // namespace simbatch::town
