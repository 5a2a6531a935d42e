// Own. Crossing segments by the orientations of their ends: Cormen, Leiserson, Rivest, Stein, Introduction to Algorithms, 33.1.
#include <fmt/format.h>

#include <algorithm>

#include "base/core/text.hpp"
#include "formats/rndf/codes.hpp"
#include "formats/rndf/coordinates.hpp"
#include "formats/rndf/rndf.hpp"

namespace simbatch::rndf {
namespace {

/// Crossing is tested for each pair of edges.
constexpr std::size_t kMaxCrossingTest = 1000;

double side(const Waypoint& a, const Waypoint& b, const Waypoint& c) {
  return (b.lon - a.lon) * (c.lat - a.lat) - (b.lat - a.lat) * (c.lon - a.lon);
}
bool cross(const Waypoint& a, const Waypoint& b, const Waypoint& c, const Waypoint& d) {
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

class Checker {
 public:
  Checker(const Rndf& rndf, Diagnostics& diagnostics)
      : index_(rndf), diagnostics_(diagnostics), is_planar_(detail::spread_of(rndf).is_planar()) {}

  void points(const std::vector<Waypoint>& points, bool steps) {
    for (std::size_t i = 1; steps && i < points.size(); ++i) {
      const Waypoint &a = points[i - 1], &b = points[i];
      if (a.id == b.id || !a.is_placed || !b.is_placed) continue;  // reported already
      if (a.lat == b.lat && a.lon == b.lon)
        report(code::kStepZero, b.place, "waypoint {} is the same place as {}", to_text(b.id), to_text(a.id));
      else if (const double d = detail::rough_distance(a, b); d > detail::kLongStep && !is_planar_)
        report(code::kStepLong, b.place, "waypoint {} is about {:.0f} km from {}", to_text(b.id), d / 1000, to_text(a.id));
    }
  }

  void checkpoints(const std::vector<Checkpoint>& checkpoints) {
    for (const Checkpoint& c : checkpoints) {
      checkpoints_.push_back(&c);
      if (index_.find(c.at) == nullptr)
        report(code::kCheckpointDangling, c.place, "checkpoint {} is at waypoint {}, which does not exist", c.id,
               to_text(c.at));
    }
  }

  void exits(const std::vector<Exit>& exits) {
    std::vector<const Exit*> sorted;
    for (const Exit& e : exits) {
      sorted.push_back(&e);
      if (index_.find(e.from) == nullptr)
        report(code::kExitDangling, e.place, "exit leaves {}, which does not exist", to_text(e.from));
      if (index_.find(e.to) == nullptr)
        report(code::kExitDangling, e.place, "exit from {} enters {}, which does not exist", to_text(e.from), to_text(e.to));
      if (e.from == e.to) report(code::kExitSelf, e.place, "exit from {} leads to itself", to_text(e.from));
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const Exit* a, const Exit* b) {
      return std::pair{a->from, a->to} < std::pair{b->from, b->to};
    });
    for (std::size_t i = 1; i < sorted.size(); ++i)
      if (sorted[i]->from == sorted[i - 1]->from && sorted[i]->to == sorted[i - 1]->to)
        report(code::kExitRepeated, sorted[i]->place, "duplicate exit from {} to {}", to_text(sorted[i]->from),
               to_text(sorted[i]->to));
  }

  void lane(const Lane& lane) {
    if (lane.waypoints.size() < 2)
      report(code::kLaneShort, lane.place, "lane {}.{} has {} waypoints, expected at least two", lane.segment, lane.number,
             lane.waypoints.size());
    points(lane.waypoints, true);
    checkpoints(lane.checkpoints);
    exits(lane.exits);
    for (const Stop& s : lane.stops)
      if (index_.find(s.at) == nullptr)
        report(code::kStopDangling, s.place, "stop is at waypoint {}, which does not exist", to_text(s.at));
  }

  void zone(const Zone& zone) {
    points(zone.perimeter, true);
    exits(zone.exits);
    const std::size_t n = zone.perimeter.size();
    if (n < 3)
      report(code::kPerimeterShort, zone.place, "the perimeter of zone {} has {} points, expected at least three", zone.id, n);
    const bool is_placed =
        std::all_of(zone.perimeter.begin(), zone.perimeter.end(), [](const Waypoint& w) { return w.is_placed; });
    for (std::size_t i = 0; is_placed && n <= kMaxCrossingTest && i < n; ++i) {
      for (std::size_t j = i + 2; j < n; ++j) {
        const auto& p = zone.perimeter;
        if ((j + 1) % n == i || !cross(p[i], p[i + 1], p[j], p[(j + 1) % n])) continue;
        report(code::kPerimeterCrossing, p[j].place, "the perimeter crosses itself: {}-{} and {}-{}", to_text(p[i].id),
               to_text(p[i + 1].id), to_text(p[j].id), to_text(p[(j + 1) % n].id));
        i = j = n;  // one is enough
      }
    }
    for (const Spot& spot : zone.spots) {
      points(spot.waypoints, true);
      checkpoints(spot.checkpoints);
    }
  }

  /// `things` have `place` and are named by `name`; those equal to a neighbor after sorting by `key` are duplicates.
  template <class T, class Key, class Name>
  void duplicates(const Code& code, std::vector<T> things, Key key, Name name) {
    std::stable_sort(things.begin(), things.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    report_duplicates(code, things, key, name);
  }
  template <class T, class Key, class Name>
  void report_duplicates(const Code& code, const std::vector<T>& things, Key key, Name name) {
    for (std::size_t i = 1; i < things.size(); ++i) {
      if (key(things[i]) != key(things[i - 1])) continue;
      report(code, things[i]->place, "duplicate {}", name(things[i]));
      diagnostics_.note(code, things[i - 1]->place.at, "first defined here");
    }
  }

  void finish(const Rndf& rndf) {
    report_duplicates(
        code::kIdDuplicate, index_.waypoints(), [](const Waypoint* w) { return w->id; },
        [](const Waypoint* w) { return "waypoint " + to_text(w->id); });
    duplicates(
        code::kCheckpointDuplicate, checkpoints_, [](const Checkpoint* c) { return c->id; },
        [](const Checkpoint* c) { return fmt::format("checkpoint id {}", c->id); });
    std::vector<const Lane*> lanes;
    std::vector<const Spot*> spots;
    struct Area {
      std::int32_t id;
      SourcePlace place;
    };
    std::vector<Area> areas;
    for (const Segment& s : rndf.segments) {
      areas.push_back({s.id, s.place});
      for (const Lane& l : s.lanes) lanes.push_back(&l);
    }
    for (const Zone& z : rndf.zones) {
      areas.push_back({z.id, z.place});
      for (const Spot& s : z.spots) spots.push_back(&s);
    }
    std::vector<const Area*> area_pointers;
    for (const Area& a : areas) area_pointers.push_back(&a);
    duplicates(
        code::kIdDuplicate, lanes,
        [](const Lane* l) {
          return std::pair{l->segment, l->number};
        },
        [](const Lane* l) { return fmt::format("lane {}.{}", l->segment, l->number); });
    duplicates(
        code::kIdDuplicate, spots,
        [](const Spot* s) {
          return std::pair{s->zone, s->number};
        },
        [](const Spot* s) { return fmt::format("spot {}.{}", s->zone, s->number); });
    duplicates(
        code::kIdDuplicate, area_pointers, [](const Area* a) { return a->id; },
        [](const Area* a) { return fmt::format("segment or zone {}", a->id); });
  }

 private:
  template <class... T>
  void report(const Code& code, const SourcePlace& place, fmt::format_string<T...> format, T&&... arguments) {
    diagnostics_.report(code, place.at, fmt::format(format, std::forward<T>(arguments)...));
  }

  Index index_;
  Diagnostics& diagnostics_;
  bool is_planar_;  // as the reader reported
  std::vector<const Checkpoint*> checkpoints_;
};

/// "uce_rndf_1.txt", "UCE_RNDF_1" and "maps/uce_rndf_1.rndf" name the same network.
std::string loose_name(std::string_view name) {
  name.remove_prefix(std::min(name.find_last_of('/') + 1, name.size()));
  if (const std::size_t dot = name.rfind('.');
      dot != std::string_view::npos && name.find_first_of("0123456789", dot) == std::string_view::npos)
    name = name.substr(0, dot);
  return lower_ascii(name);
}

}  // namespace

void check(const Rndf& rndf, Diagnostics& diagnostics) {
  Checker checker(rndf, diagnostics);
  for (const Segment& segment : rndf.segments)
    for (const Lane& lane : segment.lanes) checker.lane(lane);
  for (const Zone& zone : rndf.zones) checker.zone(zone);
  checker.finish(rndf);
}

void check(const Mdf& mdf, const Rndf* rndf, Diagnostics& diagnostics, std::string_view rndf_file) {
  std::vector<std::pair<std::int32_t, SourcePlace>> areas;
  for (const SpeedLimit& limit : mdf.speed_limits) {
    areas.emplace_back(limit.area, limit.place);
    // 0 means no limit.
    if (limit.max_mph > 0 && limit.min_mph > limit.max_mph)
      diagnostics.report(
          code::kMdfLimits, limit.place.at,
          fmt::format("area {} has a minimum of {} mph above its maximum of {} mph", limit.area, limit.min_mph, limit.max_mph));
  }
  std::stable_sort(areas.begin(), areas.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < areas.size(); ++i)
    if (areas[i].first == areas[i - 1].first)
      diagnostics.report(code::kMdfAreaRepeated, areas[i].second.at,
                         fmt::format("area {} has a second speed limit", areas[i].first));
  if (rndf == nullptr) return;
  const Index index(*rndf);
  const std::string name = loose_name(mdf.rndf);
  if (!name.empty() && name != loose_name(rndf->name) && name != loose_name(rndf_file))
    diagnostics.report(code::kMdfName, mdf.rndf_place.at,
                       fmt::format("the mission is for {}, the network is {}", quoted(mdf.rndf), quoted(rndf->name)));
  for (const Visit& visit : mdf.checkpoints)
    if (index.checkpoint(visit.checkpoint) == nullptr)
      diagnostics.report(code::kMdfCheckpoint, visit.place.at,
                         fmt::format("checkpoint {} is not in the network", visit.checkpoint));
  for (const auto& [area, place] : areas)
    if (!index.has_area(area)) diagnostics.report(code::kMdfArea, place.at, fmt::format("area {} is not in the network", area));
  const auto limited = [&](std::int32_t id) {
    const auto at = std::lower_bound(areas.begin(), areas.end(), id, [](const auto& a, std::int32_t i) { return a.first < i; });
    return at != areas.end() && at->first == id;
  };
  std::size_t missing = 0;
  std::int32_t first_missing = 0;
  const auto count_missing = [&](std::int32_t id) {
    if (limited(id)) return;
    if (missing++ == 0) first_missing = id;
  };
  for (const Segment& s : rndf->segments) count_missing(s.id);
  for (const Zone& z : rndf->zones) count_missing(z.id);
  if (missing > 0)
    diagnostics.report(code::kMdfAreaMissing, {},
                       fmt::format("{} of {} segments and zones have no speed limit, area {} first", missing,
                                   rndf->segments.size() + rndf->zones.size(), first_missing));
}

}  // namespace simbatch::rndf
