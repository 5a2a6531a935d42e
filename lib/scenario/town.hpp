#pragma once
/// The town of a map, for export.

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "lib/roads/road_heights.hpp"
#include "lib/roads/town_geojson.hpp"
#include "lib/scenario/build.hpp"

namespace simbatch::scenario {

/// What the street map in a map folder is called; the first that is there counts.
inline constexpr std::array kStreetMaps{"map.osm", "map.osm.gz", "map.osm.bz2", "map.osm.pbf"};

/// The town as a simulation builds it: streets fitted between buildings, raised and lowered; without building anything.
/// @param path     a map folder, a scenario with a <Map> (of which only that is read; the rest is reported: sim-loss-scenario), or
///                 an OpenStreetMap file, packed too: with usual widths of streets, on level ground
/// @param options  root and library, as for building it
/// @return nothing after an error @throws IoError when the file itself cannot be read
std::optional<roads::TownMap> read_town(const std::string& path, const BuildOptions& options, Diagnostics& problems);

/// A street map, and the ground under it.
class RoadMap {
 public:
  /// @param path   as for read_town(); a map folder may be without setup.xml
  /// @param input  the file of that path, or the street map in that folder
  /// @return nothing after an error
  static std::optional<RoadMap> open(const std::string& path, Input input, const BuildOptions& options, Diagnostics& problems);
  RoadMap(RoadMap&& other) noexcept;
  ~RoadMap();

  const Input& streets() const;
  /// Without a height map or elevation tiles.
  bool is_level() const;
  /// With elevation tiles: heights are those above the geoid EGM96.
  bool is_above_geoid() const;
  /// Heights as read_town() has them. Of the problems of the streets, which whoever reads them knows, only what concerns heights
  /// is reported.
  /// @param obstacle  receives why heights are absent although the files have no errors: no simulation can be built either
  std::optional<roads::RoadHeights> heights(std::string& obstacle, Diagnostics& problems) const;

 private:
  struct Source;
  explicit RoadMap(std::unique_ptr<Source> source);
  std::unique_ptr<Source> source_;
};

}  // namespace simbatch::scenario
