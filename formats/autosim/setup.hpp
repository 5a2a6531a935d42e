#pragma once
/// The Map Setup file setup.xml (thesis C.5, docs/formats/autosim-setup.md): settings of roads and terrain. Meters, degrees.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/autosim/common.hpp"

namespace simbatch::autosim {

struct OsmSetup {
  std::string name;
  SourcePlace place;
  double lat = 0, lon = 0;  ///< NodeOffset: WGS84 degrees of the world frame's origin
  friend bool operator==(const OsmSetup&, const OsmSetup&) = default;
};
inline constexpr double kMaxRoadHeight = 10;  ///< m
struct RoadDimensions {
  std::string name;
  SourcePlace place;
  double height_above_terrain = 0.03;  ///< HeightAboveTerrain (m), 0..kMaxRoadHeight
  double curb_height = 0.15;           ///< CurbHeight over the lanes (m), 0..kMaxRoadHeight
  double levels_of_detail = 1;         ///< LevelsOfDetail, graphics only, >= 1
  friend bool operator==(const RoadDimensions&, const RoadDimensions&) = default;
};
/// One kind of highway to load, `<residential width= leftPavementWidth= rightPavementWidth=/>`. Left and right as seen in the
/// direction the way is drawn.
struct HighwayKind {
  std::string kind;  ///< value of the OSM tag `highway`
  SourcePlace place;
  double width = 0;                              ///< all lanes together, without pavements (m), > 0
  double left_pavement = 0, right_pavement = 0;  ///< m, >= 0
  friend bool operator==(const HighwayKind&, const HighwayKind&) = default;
};
struct HighwayDimensions {
  std::string name;
  SourcePlace place;
  std::vector<HighwayKind> kinds;  ///< in file order, each kind once
  /// The entry of a kind, or nullptr: such roads are not loaded.
  const HighwayKind* find(std::string_view kind) const;
  friend bool operator==(const HighwayDimensions&, const HighwayDimensions&) = default;
};
/// Files are relative to AutoSim's working folder in the thesis, to the setup file's folder for us. Graphics only.
struct RoadTextures {
  std::string name;
  SourcePlace place;
  std::string road, left_pavement, right_pavement, left_curb, right_curb, intersection;  ///< empty: not given
  friend bool operator==(const RoadTextures&, const RoadTextures&) = default;
};
struct TerrainTextures {
  std::string name;
  SourcePlace place;
  std::string texture;        ///< empty: not given
  double texture_repeat = 1;  ///< > 0
  Model sky_box;              ///< folder and file type; empty: not given
  friend bool operator==(const TerrainTextures&, const TerrainTextures&) = default;
};
struct TerrainDimensions {
  std::string name;
  SourcePlace place;
  double width = 1000, height = 1000;  ///< Size: extent along x and along z (m), > 0, centered on the origin
  double tile_size = 64;               ///< m, a multiple of height_data_per_area; graphics only
  double maximum_lod = 6;              ///< graphics only, 0..7
  double levels_of_detail = 1;         ///< graphics only
  double layers_of_each_lod = 1;       ///< graphics only
  double height_data_per_area = 8;     ///< meters from one height value to the next, > 0
  double camera_steps_per_tile = -1;   ///< graphics only; -1: moves with the camera
  double height_division = 10;         ///< HeightDivisionCoefficient: picture value (0..255) / this = meters, > 0
  friend bool operator==(const TerrainDimensions&, const TerrainDimensions&) = default;
};

struct MapSetup {
  std::string name;
  SourcePlace place;
  OsmSetup osm;
  RoadDimensions roads;
  HighwayDimensions highways;
  std::optional<RoadTextures> road_textures;
  std::optional<TerrainTextures> terrain_textures;
  std::optional<TerrainDimensions> terrain;
  friend bool operator==(const MapSetup&, const MapSetup&) = default;
};

/// Reads a setup.xml. Reports every problem with its position. More than kMaxRecords named blocks are one error.
Parsed<MapSetup> read_setup(std::string_view text, const std::string& file_name);
/// The canonical text; read_setup(write_setup(s)) == s.
std::string write_setup(const MapSetup& setup);

}  // namespace simbatch::autosim
