#include "formats/rndf/rndf.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/rndf/codes.hpp"

namespace simbatch::rndf {

std::string to_text(const PointId& id) { return fmt::format("{}.{}.{}", id.segment, id.lane, id.point); }

std::string_view to_text(Boundary boundary) {
  constexpr std::string_view kWords[] = {"unknown", "double_yellow", "solid_yellow", "solid_white", "broken_white"};
  return kWords[static_cast<int>(boundary)];
}

namespace {

std::size_t waypoint_count(const Rndf& rndf) {
  std::size_t count = 0;
  for (const Segment& segment : rndf.segments)
    for (const Lane& lane : segment.lanes) count += lane.waypoints.size();
  for (const Zone& zone : rndf.zones) {
    count += zone.perimeter.size();
    for (const Spot& spot : zone.spots) count += spot.waypoints.size();
  }
  return count;
}

}  // namespace

Index::Index(const Rndf& rndf) {
  waypoints_.reserve(waypoint_count(rndf));
  const auto add = [this](const std::vector<Waypoint>& points) {
    for (const Waypoint& w : points) waypoints_.push_back(&w);
  };
  for (const Segment& segment : rndf.segments) {
    areas_.push_back(segment.id);
    for (const Lane& lane : segment.lanes) {
      runs_.push_back({lane.segment, lane.number, &lane, lane.waypoints});
      add(lane.waypoints);
      for (const Checkpoint& c : lane.checkpoints) checkpoints_.push_back(&c);
    }
  }
  for (const Zone& zone : rndf.zones) {
    areas_.push_back(zone.id);
    zones_.push_back(&zone);
    runs_.push_back({zone.id, 0, nullptr, zone.perimeter});
    add(zone.perimeter);
    for (const Spot& spot : zone.spots) {
      runs_.push_back({spot.zone, spot.number, nullptr, spot.waypoints});
      add(spot.waypoints);
      for (const Checkpoint& c : spot.checkpoints) checkpoints_.push_back(&c);
    }
  }
  const auto before = [](const Waypoint* a, const Waypoint* b) { return a->id < b->id; };
  // Usual files are in order, and sorting takes half of the list again.
  if (!std::is_sorted(waypoints_.begin(), waypoints_.end(), before))
    std::stable_sort(waypoints_.begin(), waypoints_.end(), before);
  std::stable_sort(checkpoints_.begin(), checkpoints_.end(),
                   [](const Checkpoint* a, const Checkpoint* b) { return a->id < b->id; });
  std::stable_sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) {
    return a.segment != b.segment ? a.segment < b.segment : a.number < b.number;
  });
  std::sort(areas_.begin(), areas_.end());
}

const Waypoint* Index::find(const PointId& id) const {
  const auto at =
      std::lower_bound(waypoints_.begin(), waypoints_.end(), id, [](const Waypoint* w, const PointId& i) { return w->id < i; });
  return at != waypoints_.end() && (*at)->id == id ? *at : nullptr;
}

std::span<const Waypoint> Index::points(std::int32_t segment, std::int32_t lane) const {
  const auto at = std::lower_bound(runs_.begin(), runs_.end(), std::pair{segment, lane}, [](const Run& r, const auto& key) {
    return std::pair{r.segment, r.number} < key;
  });
  if (at == runs_.end() || at->segment != segment || at->number != lane) return {};
  return at->points;
}

const Lane* Index::lane(std::int32_t segment, std::int32_t number) const {
  const auto at = std::lower_bound(runs_.begin(), runs_.end(), std::pair{segment, number}, [](const Run& r, const auto& key) {
    return std::pair{r.segment, r.number} < key;
  });
  return at == runs_.end() || at->segment != segment || at->number != number ? nullptr : at->lane;
}

const Zone* Index::zone(std::int32_t id) const {
  const auto at = std::find_if(zones_.begin(), zones_.end(), [&](const Zone* z) { return z->id == id; });
  return at == zones_.end() ? nullptr : *at;
}

const Checkpoint* Index::checkpoint(std::int32_t id) const {
  const auto at = std::lower_bound(checkpoints_.begin(), checkpoints_.end(), id,
                                   [](const Checkpoint* c, std::int32_t i) { return c->id < i; });
  return at != checkpoints_.end() && (*at)->id == id ? *at : nullptr;
}

bool Index::has_area(std::int32_t id) const { return std::binary_search(areas_.begin(), areas_.end(), id); }

}  // namespace simbatch::rndf
