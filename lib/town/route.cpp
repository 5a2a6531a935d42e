// Our own greedy method: straight on at each crossing. Curves become straight parts again (Ramer, An iterative procedure for the
// polygonal approximation of plane curves, 1972; Douglas and Peucker 1973). Fillets of a polyline: the tangent length of a corner of angle a and
// radius r is r tan(a / 2), and the arc leaves the corner by r (1 / cos(a / 2) - 1).
#include "lib/town/route.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <span>
#include <utility>

#include "lib/roads/road_lines.hpp"
#include "lib/roads/structures.hpp"
#include "lib/roads/usual_widths.hpp"
#include "lib/town/drivable.hpp"
#include "lib/town/rules.hpp"

namespace simbatch::town {
namespace {
using geo::EastNorth;

constexpr std::size_t kStarts = 400;
constexpr double kShortest = 30;                                // m
constexpr double kSharpestBend = 100 * std::numbers::pi / 180;  // at one node: no turning back
constexpr double kNarrowest = 3;                                // m: width of lanes to drive on
constexpr double kNarrowestStreet = 3.5;                        // m
constexpr double kStraight = 0.25;                              // m: what a straight part may be away from its street's curve
constexpr double kBesideEdge = 1.4;  // m from the lanes' edge to the car's middle on the inside of a bend
constexpr double kSmallestRadius = 5, kLargestRadius = 12;  // m
constexpr double kLeaveRight = 1.2, kLeaveLeft = 2.5;       // m: on the inside is the curb, or the other lane of a crossing
constexpr double kLevel = 0.1;                              // m under the ground: where a tunnel's ramp begins
constexpr double kLeast = 0.25;                             // m: what a car may leave the lane's line anywhere
constexpr double kRunIn = 3, kRunOut = 6;                   // m of street at the back of the car and beyond the drive's end

EastNorth operator+(EastNorth a, EastNorth b) { return {a.east + b.east, a.north + b.north}; }
EastNorth operator-(EastNorth a, EastNorth b) { return {a.east - b.east, a.north - b.north}; }
EastNorth operator*(EastNorth a, double s) { return {a.east * s, a.north * s}; }
double dot(EastNorth a, EastNorth b) { return a.east * b.east + a.north * b.north; }
double cross(EastNorth a, EastNorth b) { return a.east * b.north - a.north * b.east; }
double norm(EastNorth a) { return std::sqrt(dot(a, a)); }
EastNorth right_of(EastNorth a) { return {a.north, -a.east}; }

/// A directed piece of street from node to node: points of its road's line.
struct Edge {
  std::uint32_t from = 0, to = 0;  // nodes
  std::uint32_t road = 0;
  std::uint32_t first = 0, last = 0;  // of the points; `first` is greater if it is driven against the line
};

/// A straight piece of a drive along the middle of a street.
struct Part {
  EastNorth from, to;
  double half = 0;  // m: half the width of the lanes
  double side = 0;  // m to the right, where the car drives
};

class RouteFinder {
 public:
  enum class Ways : std::uint8_t { streets, all_roads };
  RouteFinder(const osm::Model& map, const detail::BuiltStreets& built, const autosim::MapSetup& setup, Ways ways)
      : built_(built.roads), is_clear_(built.is_clear), ways_(ways) {
    if (setup.terrain) half_ = {setup.terrain->width / 2 - kRunOut, setup.terrain->height / 2 - kRunOut};
    const std::vector<osm::Id> closed = closed_ways(map);
    for (std::uint32_t r = 0; r < built_.size(); ++r)
      if (!std::binary_search(closed.begin(), closed.end(), built_[r].id)) add_road(r);
    for (std::size_t e = 0; e < edges_.size(); ++e) leaving_[edges_[e].from].push_back(e);
  }

  std::optional<Route> best(double longest) {
    std::vector<std::pair<double, std::size_t>> starts;
    for (std::size_t e = 0; e < edges_.size(); ++e)
      if (is_on_ground(begin_of(e))) starts.emplace_back(norm(begin_of(e)), e);
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
  const std::vector<EastNorth>& line_of(std::size_t edge) const { return built_[edges_[edge].road].line; }
  EastNorth begin_of(std::size_t edge) const { return line_of(edge)[edges_[edge].first]; }
  /// Calls use(from, to) for its straight pieces.
  template <class Use>
  void each_piece(std::size_t edge, Use use) const {
    const Edge& of = edges_[edge];
    const std::vector<EastNorth>& line = line_of(edge);
    for (std::uint32_t k = of.first; k != of.last;) {
      const std::uint32_t next = of.first < of.last ? k + 1 : k - 1;
      use(line[k], line[next]);
      k = next;
    }
  }

  bool is_on_ground(EastNorth p) const { return std::fabs(p.east) <= half_.east && std::fabs(p.north) <= half_.north; }

  /// Ways that are not driven on, sorted: bridges, tunnels, roundabouts.
  static std::vector<osm::Id> closed_ways(const osm::Model& map) {
    std::vector<osm::Id> closed;
    for (std::size_t way = 0; way < map.ways.size(); ++way)
      for (const char* key : {"bridge", "tunnel", "covered", "junction"}) {
        const auto value = map.value_of(map.tags_of_way(way), key);
        if (value && *value != "no") closed.push_back(map.ways[way].id);
      }
    std::sort(closed.begin(), closed.end());
    return closed;
  }

  void add_road(std::uint32_t number) {
    const roads::Road& road = built_[number];
    if (!roads::is_for_cars(road.kind) || (ways_ == Ways::streets && !is_street(road.kind))) return;
    if (road.width < (ways_ == Ways::streets ? kNarrowestStreet : kNarrowest)) return;
    for (std::size_t i = 0; i + 1 < road.at.size(); ++i) {
      const std::uint32_t a = road.at[i], b = road.at[i + 1];
      if (norm(road.line[b] - road.line[a]) < 0.01) continue;
      const bool is_covered = is_under_ground(road, a, b);
      const auto is_open = [&](std::uint32_t k) {
        return (!is_covered || road.height[k] > -kLevel) && (is_clear_[number].empty() || is_clear_[number][k]);
      };
      for (std::uint32_t first = a; first < b; ++first) {
        std::uint32_t last = first;
        while (is_open(last) && last < b && is_open(last + 1)) ++last;
        if (last == first) continue;
        const std::uint32_t from = first == a ? road.nodes[i] : --cut_, to = last == b ? road.nodes[i + 1] : --cut_;
        if (road.one_way >= 0) edges_.push_back({from, to, number, first, last});
        if (road.one_way <= 0) edges_.push_back({to, from, number, last, first});
        first = last;
      }
    }
  }

  /// Whether it is under the ground somewhere: a car would be put on top of that.
  static bool is_under_ground(const roads::Road& road, std::uint32_t first, std::uint32_t last) {
    if (road.height.empty()) return false;
    return *std::min_element(road.height.begin() + first, road.height.begin() + last + 1) < -roads::kUnderGround / 2;
  }

  double length_of(std::size_t edge) const {
    double length = 0;
    each_piece(edge, [&](EastNorth a, EastNorth b) { length += norm(b - a); });
    return length;
  }
  /// Unit vectors along its first piece and along its last one.
  std::pair<EastNorth, EastNorth> directions_of(std::size_t edge) const {
    std::pair<EastNorth, EastNorth> ends;
    bool is_first = true;
    each_piece(edge, [&](EastNorth a, EastNorth b) {
      ends.second = (b - a) * (1 / std::max(1e-9, norm(b - a)));
      if (is_first) ends.first = ends.second;
      is_first = false;
    });
    return ends;
  }

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
      const EastNorth ahead = directions_of(edge).second;
      double best = kSharpestBend;
      std::size_t next = edges_.size();
      for (const std::size_t candidate : found->second) {
        if (seen.contains(edges_[candidate].to)) continue;
        const EastNorth way = directions_of(candidate).first;
        const double bend = std::fabs(std::atan2(cross(ahead, way), dot(ahead, way)));
        if (bend >= best) continue;
        best = bend;
        next = candidate;
      }
      if (next == edges_.size()) return chain;
      edge = next;
    }
  }

  /// The drive's straight pieces along the middles of streets, `longest` together; `goes_on`: the street does, for kRunOut.
  std::vector<Part> parts_of(const std::vector<std::size_t>& chain, double longest, bool& goes_on) const {
    std::vector<Part> parts, of_way;
    double length = 0;
    goes_on = false;
    for (std::size_t n = 0; n < chain.size(); ++n) {
      const roads::Road& road = built_[edges_[chain[n]].road];
      const double half = road.width / 2, side = detail::lane_offset(road);
      each_piece(chain[n], [&](EastNorth a, EastNorth b) {
        const double l = norm(b - a), left = longest - length;
        if (left > 0 && l > 0) of_way.push_back({a, l > left ? a + (b - a) * (left / l) : b, half, side});
        length += l;
        goes_on = goes_on || length > longest + kRunOut;
      });
      if (n + 1 < chain.size() && built_[edges_[chain[n + 1]].road].id == road.id) continue;
      add_straightened(of_way, parts);
      of_way.clear();
    }
    return parts;
  }

  /// Fewer and longer parts within kStraight: the arcs between them follow a curve better than its chords do.
  static void add_straightened(std::span<const Part> of_way, std::vector<Part>& parts) {
    std::vector<std::span<const Part>> left;  // the last one comes first
    if (!of_way.empty()) left.push_back(of_way);
    while (!left.empty()) {
      const std::span<const Part> some = left.back();
      left.pop_back();
      Part whole{some.front().from, some.back().to, some.front().half, some.front().side};
      std::size_t farthest = 0;
      double most = 0;
      for (std::size_t k = 0; k < some.size(); ++k) {
        whole.half = std::min(whole.half, some[k].half);
        whole.side = std::min(whole.side, some[k].side);
        const double off = distance_to(some[k].from, whole);
        if (off > most) most = off, farthest = k;
      }
      if (most > kStraight) {
        left.push_back(some.subspan(farthest));
        left.push_back(some.first(farthest));
      } else if (norm(whole.to - whole.from) > 0) {
        parts.push_back(whole);
      }
    }
  }
  static double distance_to(EastNorth p, const Part& part) {
    const EastNorth way = part.to - part.from;
    const double square = dot(way, way);
    const double t = square > 0 ? std::clamp(dot(p - part.from, way) / square, 0.0, 1.0) : 0;
    return norm(p - part.from - way * t);
  }

  /// The lane's line: the parts moved to the right, and cut where they meet.
  /// @param first  the part whose beginning, or a place on which, is the line's beginning
  std::vector<EastNorth> lane_of(const std::vector<Part>& parts, bool goes_on, std::size_t& first) const {
    std::vector<EastNorth> line;
    EastNorth last_way{};
    for (const Part& part : parts) {
      const EastNorth way = part.to - part.from, unit = way * (1 / norm(way)), aside = right_of(unit) * part.side;
      const EastNorth from = part.from + aside;
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
      line.push_back(part.to + aside);
      last_way = unit;
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
    route.way = built_[edges_[chain.front()].road].id;
    std::size_t first = 0;
    bool goes_on = false;
    const std::vector<Part> parts = parts_of(chain, longest, goes_on);
    std::vector<EastNorth> line = lane_of(parts, goes_on, first);
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
      const Part &before = parts[first + k - 1], &after = parts[first + k];
      const double half_street = std::min(before.half, after.half);
      const double room = turn < 0 ? half_street - std::max(before.side, after.side) - kBesideEdge
                                   : half_street + std::min(before.side, after.side) - kBesideEdge;
      const double leave = std::clamp(room, kLeast, turn < 0 ? kLeaveRight : kLeaveLeft),
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

  const std::vector<roads::Road>& built_;
  const std::vector<std::vector<bool>>& is_clear_;
  Ways ways_;
  EastNorth half_{HUGE_VAL, HUGE_VAL};  // of the setup's ground
  std::uint32_t cut_ = UINT32_MAX;      // the last number of an end that is not a node of the map
  std::vector<Edge> edges_;
  std::map<std::uint32_t, std::vector<std::size_t>> leaving_;  // by node
};
}  // namespace

double RoutePiece::length() const {
  const double chord = norm(to - from);
  return radius == 0 ? chord : 2 * radius * std::asin(std::min(1.0, chord / (2 * radius)));
}

std::optional<Route> find_route(const osm::Model& map, const autosim::MapSetup& setup, double longest) {
  const detail::BuiltStreets streets = detail::built_streets(map, setup);
  std::optional<Route> route = RouteFinder(map, streets, setup, RouteFinder::Ways::streets).best(longest);
  return route ? route : RouteFinder(map, streets, setup, RouteFinder::Ways::all_roads).best(longest);
}

}  // namespace simbatch::town
