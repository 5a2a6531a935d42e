#pragma once
/// Heights of lanes, way by way: where two ways cross without meeting, one place has two heights.

#include <memory>
#include <vector>

#include "base/geo/geo.hpp"
#include "formats/osm/osm.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/road_lines.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

/// The surface of a town's lanes (m, in the world frame): that of structures_of() and road_meshes(), less HeightAboveTerrain.
class RoadHeights {
 public:
  /// @param roads   after set_levels()
  /// @param origin  of the plane of roads and ground
  /// @param budget  where it ends, all roads are on the ground
  RoadHeights(const std::vector<Road>& roads, HeightGrid ground, geo::LatLon origin, const Budget& budget = {});
  RoadHeights(RoadHeights&& other) noexcept;
  ~RoadHeights();

  /// Whether the way is one of the roads; others are on the ground.
  bool has(osm::Id way) const;
  /// Whether any of them leaves the ground.
  bool is_any_off_ground() const;
  /// At a place on a way's lanes, or on the way from one through a junction to another: of the lanes of the nearer one.
  /// O(1), apart from the roads that lie over one another there.
  /// @param frame  of the plane of the place, which may be another one than the town's
  double at(osm::Id from, osm::Id to, const geo::LocalFrame& frame, geo::EastNorth place) const;

 private:
  struct Raised;  // lanes off the ground
  HeightGrid ground_;
  bool is_level_;  // the ground
  geo::LocalFrame frame_;
  std::vector<osm::Id> ways_;  // sorted
  std::unique_ptr<const Raised> raised_;
};

}  // namespace simbatch::roads
