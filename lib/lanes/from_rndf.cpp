// Outline: turn each lane into a line; cut it where exits leave or arrive between its ends; ends joined by exits form a
// junction.
// Our own method; the ends that exits connect are found by a union-find with path halving (Tarjan and van Leeuwen 1984).
// Fields: DARPA's RNDF, docs/formats/rndf.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "lib/lanes/codes.hpp"
#include "lib/lanes/network.hpp"

namespace simbatch::lanes {
namespace {

using geo::EastNorth;

constexpr double kUsualWidth = 3.6576;  // m: 12 feet, the width of lanes in the USA
constexpr double kWidest = 300;         // feet: maximum width of a lane
constexpr double kCut = 2;              // m between the roads before and after an exit within a lane

Mark mark_of(rndf::Boundary boundary) {
  switch (boundary) {
    case rndf::Boundary::double_yellow: return Mark::double_yellow;
    case rndf::Boundary::solid_yellow: return Mark::solid_yellow;
    case rndf::Boundary::solid_white: return Mark::solid;
    case rndf::Boundary::broken_white: return Mark::broken;
    case rndf::Boundary::unknown: break;
  }
  return Mark::none;
}

/// The ends of roads: 2 r for the start of road r, 2 r + 1 for its end. Ends connected by exits are in the same set.
class EndSets {
 public:
  void grow(std::size_t roads) {
    while (parent_.size() < 2 * roads) parent_.push_back(parent_.size());
  }
  std::size_t root(std::size_t end) {
    while (parent_[end] != end) end = parent_[end] = parent_[parent_[end]];
    return end;
  }
  void join(std::size_t a, std::size_t b) {
    a = root(a), b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

class NetworkReader {
 public:
  NetworkReader(const rndf::Rndf& rndf, Network& network, Diagnostics& diagnostics)
      : rndf_(rndf), network_(network), diagnostics_(diagnostics) {}

  bool run() {
    if (!find_origin()) return false;
    for (const rndf::Zone& zone : rndf_.zones) zones_.insert(zone.id);
    for (const rndf::Segment& segment : rndf_.segments)
      for (const rndf::Lane& lane : segment.lanes)
        for (const rndf::Exit& exit : lane.exits) leaves_.insert(exit.from), arrives_.insert(exit.to);
    for (const rndf::Segment& segment : rndf_.segments)
      for (const rndf::Lane& lane : segment.lanes) add_lane(segment, lane);
    if (network_.roads.empty()) {
      diagnostics_.report(code::kEmpty, {}, "the network has no lane with two waypoints");
      return false;
    }
    make_junctions();
    report_losses();
    return true;
  }

 private:
  bool find_origin() {
    for (const rndf::Segment& segment : rndf_.segments)
      for (const rndf::Lane& lane : segment.lanes)
        for (const rndf::Waypoint& waypoint : lane.waypoints) {
          if (!has_origin_) network_.origin = {waypoint.lat, waypoint.lon};
          has_origin_ = true;
          if (std::fabs(waypoint.lon - network_.origin.lon) < 60) continue;
          diagnostics_.report(code::kExtent, waypoint.place.at,
                              "waypoint " + to_text(waypoint.id) + " is over 60 degrees of longitude from the first one");
          return false;
        }
    return true;
  }

  void add_lane(const rndf::Segment& segment, const rndf::Lane& lane) {
    checkpoints_ += lane.checkpoints.size();
    const geo::LocalFrame frame(network_.origin);
    std::vector<EastNorth> points;
    std::vector<std::size_t> point_of;  // of each waypoint
    for (const rndf::Waypoint& waypoint : lane.waypoints) {
      const EastNorth at = frame.to_plane({waypoint.lat, waypoint.lon});
      if (points.empty() || distance(at, points.back()) > kPoint) points.push_back(at);
      point_of.push_back(points.size() - 1);
    }
    if (points.size() < 2) return;
    Road road;
    road.source = fmt::format("{}.{}", lane.segment, lane.number);
    road.name = segment.name;
    road.kind = "lane";
    const bool has_width = lane.width_ft && *lane.width_ft > 0 && *lane.width_ft <= kWidest;
    if (!has_width) ++guessed_widths_;
    const double width = has_width ? *lane.width_ft * rndf::kMetersPerFoot : kUsualWidth;
    road.right = {{width, false, mark_of(lane.right)}};
    road.center = mark_of(lane.left);
    road.shift = width / 2;
    road.line = rounded_line(points, {.leave = 0.1, .radius = 0});
    cut_lane(lane, road, point_of);
  }

  /// The road in pieces that begin and end where exits do.
  void cut_lane(const rndf::Lane& lane, const Road& road, const std::vector<std::size_t>& point_of) {
    const std::vector<double>& at = road.line.at_points;
    const std::size_t last = at.size() - 1;
    std::set<rndf::PointId> stop_ids;
    for (const rndf::Stop& stop : lane.stops) stop_ids.insert(stop.at);
    std::set<std::size_t> stops;                        // points
    std::map<std::size_t, std::pair<bool, bool>> cuts;  // point -> whether exits leave, and arrive
    for (std::size_t w = 0; w < lane.waypoints.size(); ++w) {
      const std::size_t point = point_of[w];
      if (stop_ids.contains(lane.waypoints[w].id)) stops.insert(point);
      const bool leaves = leaves_.contains(lane.waypoints[w].id), arrives = arrives_.contains(lane.waypoints[w].id);
      if (leaves && point != 0) cuts[point].first = true;
      if (arrives && point != last) cuts[point].second = true;
    }
    std::map<std::size_t, std::size_t> ends_at, begins_at;  // point -> road
    double begin = 0;
    std::size_t begin_point = 0, previous = network_.roads.size();
    bool has_previous = false;
    const auto add = [&](std::size_t point, double end) {
      const std::size_t number = network_.roads.size();
      Road piece = road;
      piece.line = part_of(road.line, begin, end);
      for (auto stop = stops.upper_bound(begin_point); stop != stops.end() && *stop <= point; ++stop)
        piece.signs.push_back({std::clamp(at[*stop], begin, end) - begin, false, true});
      network_.roads.push_back(std::move(piece));
      sets_.grow(network_.roads.size());
      begins_at[begin_point] = ends_at[point] = number;
      if (has_previous) {
        turns_.push_back({previous, -1, number, -1});
        joined_.emplace(previous, number);
        sets_.join(2 * previous + 1, 2 * number);
      }
      previous = number;
      has_previous = true;
    };
    for (const auto& [point, kinds] : cuts) {
      if (point == 0 || point == last) continue;
      // Exits leave at the end of a road and arrive at the start of one, so the gap is after it, before it, or on both sides.
      const double gap = std::min(kCut, (std::min(at[point] - at[point - 1], at[point + 1] - at[point])) / 4);
      const double before = kinds.second ? (kinds.first ? gap / 2 : gap) : 0;
      add(point, at[point] - before);
      begin = at[point] + gap - before;
      begin_point = point;
    }
    add(last, road.line.length);
    for (std::size_t w = 0; w < lane.waypoints.size(); ++w) {
      if (const auto end = ends_at.find(point_of[w]); end != ends_at.end()) road_to_[lane.waypoints[w].id] = end->second;
      if (const auto start = begins_at.find(point_of[w]); start != begins_at.end())
        road_from_[lane.waypoints[w].id] = start->second;
    }
  }

  void make_junctions() {
    for (const rndf::Segment& segment : rndf_.segments)
      for (const rndf::Lane& lane : segment.lanes)
        for (const rndf::Exit& exit : lane.exits) add_exit(exit);
    for (const rndf::Zone& zone : rndf_.zones) zone_exits_ += zone.exits.size();
    std::map<std::size_t, std::size_t> junctions;  // set -> number
    for (const Turn& turn : turns_) {
      const auto [at, is_new] = junctions.try_emplace(sets_.root(2 * turn.from_road + 1), network_.junctions.size());
      if (is_new) network_.junctions.push_back({network_.roads[turn.from_road].source, {}});
      network_.junctions[at->second].turns.push_back(turn);
      network_.roads[turn.from_road].end_junction = at->second;
      network_.roads[turn.to_road].start_junction = at->second;
    }
  }

  void add_exit(const rndf::Exit& exit) {
    if (zones_.contains(exit.to.segment)) {
      ++zone_exits_;
      return;
    }
    const auto from = road_to_.find(exit.from), to = road_from_.find(exit.to);
    if (from == road_to_.end() || to == road_from_.end()) {
      ++lost_exits_;
      return;
    }
    const Turn turn{from->second, -1, to->second, -1};
    if (!joined_.emplace(turn.from_road, turn.to_road).second) return;
    if (!curve_of(network_, turn)) {
      ++lost_exits_;
      return;
    }
    turns_.push_back(turn);
    sets_.join(2 * turn.from_road + 1, 2 * turn.to_road);
  }

  void report_losses() {
    for (const rndf::Zone& zone : rndf_.zones)
      for (const rndf::Spot& spot : zone.spots) checkpoints_ += spot.checkpoints.size();
    if (!rndf_.zones.empty())
      diagnostics_.report(code::kZone, {},
                          fmt::format("zones left out: {}; exits to or from them: {}", rndf_.zones.size(), zone_exits_));
    if (checkpoints_ > 0) diagnostics_.report(code::kCheckpoint, {}, fmt::format("checkpoints left out: {}", checkpoints_));
    if (lost_exits_ > 0)
      diagnostics_.report(
          code::kExit, {},
          fmt::format(
              "exits left out: {} (from the first waypoint of a lane, to the last one of a lane, or to their own place)",
              lost_exits_));
    if (guessed_widths_ > 0)
      diagnostics_.report_as(Severity::note, code::kGuess, {},
                             fmt::format("a width of 12 feet is used for {} lanes", guessed_widths_));
  }

  const rndf::Rndf& rndf_;
  Network& network_;
  Diagnostics& diagnostics_;
  std::set<rndf::PointId> leaves_, arrives_;
  std::map<rndf::PointId, std::size_t> road_to_, road_from_;  // waypoint -> the roads that end and begin there
  std::set<std::int32_t> zones_;
  std::vector<Turn> turns_;
  std::set<std::pair<std::size_t, std::size_t>> joined_;  // roads, by turns
  EndSets sets_;
  bool has_origin_ = false;
  std::size_t zone_exits_ = 0, lost_exits_ = 0, checkpoints_ = 0, guessed_widths_ = 0;
};

}  // namespace

std::optional<Network> from_rndf(const rndf::Rndf& rndf, Diagnostics& diagnostics) {
  Network network;
  network.name = rndf.name;
  if (!NetworkReader(rndf, network, diagnostics).run()) return std::nullopt;
  return network;
}

}  // namespace simbatch::lanes
