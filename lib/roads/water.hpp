#pragma once
/// The waters of a map with room in them.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/geo/geo.hpp"
#include "base/geo/pose.hpp"
#include "base/geo/triangle_mesh.hpp"
#include "lib/roads/areas.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

/// The parts of waters outside openings of the ground.
struct OpenWater {
  std::vector<MapPart> parts;
  double cut = 0;  ///< area that was taken away (m2)
};
/// Keeps waters out of open cuttings, as the walls of a trough do: they end 0.3 m beside the lanes, in the ground that the wall
/// takes. A stream that crosses one is thought to pass under the road in a pipe.
/// @param openings  convex polygons of at most 4 corners, as from structures_of()
/// @param budget    where it ends, the result is not complete
OpenWater beside_openings(const std::vector<MapPart>& water, const std::vector<std::vector<geo::EastNorth>>& openings,
                          const Budget& budget = {});

/// Depth of the water of a map (m).
inline constexpr double kWaterDepth = 3;

/// Water as a volume: its extent, and the ground beneath it.
class Water {
 public:
  /// Waters are added in order until their parts cover a total of 4 million squares of 32 m.
  /// @param parts  of all waters of the map
  /// @param open   what of them is built: see beside_openings()
  /// @param level  height of each surface relative to the lowest ground at the corners of its area (m), <= 0
  Water(const std::vector<MapPart>& parts, const std::vector<MapPart>& open, const HeightGrid& terrain, double level);
  bool empty() const { return parts_.empty(); }
  /// The height y of the water's surface (m) at a place over the water, or in it down to kWaterDepth; nothing beside the water
  /// or below its bottom.
  std::optional<double> level_at(geo::Vec3 place) const;
  /// Outlines of its parts, where the ground is open.
  std::vector<std::vector<geo::EastNorth>> openings() const;
  /// Bottoms, normals up, and banks, seen from the water.
  const geo::TriangleMesh& bed() const { return bed_; }
  /// Surfaces, normals up. Where parts overlap, the highest one is that of level_at().
  geo::TriangleMesh surface() const;

 private:
  struct Part {
    std::vector<geo::EastNorth> outline;
    double level = 0;
    geo::EastNorth low, high;  // box
  };
  void add_banks(const Part& part, const HeightGrid& terrain);
  bool covers(geo::EastNorth p) const;
  template <class Use>
  void near(geo::EastNorth p, Use use) const;

  std::vector<Part> parts_;
  std::vector<std::pair<std::pair<int, int>, std::uint32_t>> cells_;  // squares to parts, sorted
  geo::TriangleMesh bed_;
};

}  // namespace simbatch::roads
