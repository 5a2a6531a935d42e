#include "lib/scenario/map_town.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "formats/osm/antimeridian.hpp"
#include "formats/osm/read.hpp"
#include "lib/roads/codes.hpp"
#include "lib/roads/hgt.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/town_geojson.hpp"
#include "lib/roads/waterways.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/map_report.hpp"
#include "lib/scenario/starter_map.hpp"

namespace simbatch::scenario::detail {
namespace {

/// Tags used for roads, buildings and houses.
const std::vector<std::string> kKeys = {"highway",      "area",    "tunnel",       "building",    "building:levels",
                                        "height",       "layer",   "location",     "type",        "filePath",
                                        "fileType",     "rotY",    "sizeX",        "sizeY",       "sizeZ",
                                        "name",         "landuse", "width",        "lanes",       "oneway",
                                        "junction",     "bridge",  "crossing",     "direction",   "traffic_signals:direction",
                                        "natural",      "leisure", "amenity",      "waterway",    "railway",
                                        "place",        "parking", "traffic_sign", "addr:street", "addr:housenumber",
                                        "simbatch:kind"};
constexpr double kWidest = 1000;     ///< m, of a road or a pavement
constexpr double kWidestAngle = 60;  ///< degrees of longitude from the origin
constexpr double kMargin = 100;      ///< m of ground around the roads if the setup has no Size
/// Terrain of more heights stays a grid, which has no openings for the ramps of tunnels.
constexpr std::size_t kMostOpened = std::size_t{1} << 20;

bool check_widths(const TownFiles& files, Town& town) {
  Diagnostics problems(files.setup->name());
  for (const autosim::HighwayKind& kind : town.setup.highways.kinds) {
    const double widest = std::max({kind.width, kind.left_pavement, kind.right_pavement});
    if (widest > kWidest)
      problems.report(
          code::kRoadWidth, kind.place.at,
          "a " + kind.kind + " is " + number_text(widest) + " m wide, expected at most " + number_text(kWidest) + " m");
  }
  const bool fits = !problems.has_errors();
  town.problems.append(std::move(problems));
  return fits;
}

/// Elevation tiles; nothing after an error.
std::optional<std::vector<roads::HgtTile>> read_tiles(const std::vector<Input>& files, Diagnostics& problems) {
  std::vector<roads::HgtTile> tiles;
  for (const Input& file : files) {
    Parsed<roads::HgtTile> tile = roads::read_hgt(file.text(), file.name());
    problems.append(std::move(tile.diagnostics));
    if (!tile.value) continue;
    if (tile.value->voids > 0) {
      Diagnostics about(file.name());
      about.report(roads::code::kHgtVoid, {},
                   std::to_string(tile.value->voids) + " of the tile's samples have no data, and get a neighbor's height");
      problems.append(std::move(about));
    }
    tiles.push_back(std::move(*tile.value));
  }
  if (tiles.size() != files.size()) return std::nullopt;
  return tiles;
}

constexpr double kElsewhere = 0.95;  // share of the ground outside all tiles from which on they are those of another place

/// Names of the tiles at the middle and the corners of the ground that are not among these.
std::string absent_tiles(const std::vector<roads::HgtTile>& tiles, const roads::HeightGrid& grid,
                         const geo::LocalFrame& frame) {
  std::vector<std::string> there, names;
  for (const roads::HgtTile& tile : tiles) there.push_back(roads::hgt_name({tile.lat + 0.5, tile.lon + 0.5}));
  const double width = (grid.nx - 1) * grid.spacing, depth = (grid.nz - 1) * grid.spacing;
  const auto look_at = [&](double u, double v) {
    std::string name = roads::hgt_name(frame.to_geographic({grid.x0 + u * width, grid.z0 + v * depth}));
    for (const std::vector<std::string>* known : {&there, &names})
      if (std::find(known->begin(), known->end(), name) != known->end()) return;
    names.push_back(std::move(name));
  };
  look_at(0.5, 0.5);
  for (const double u : {0.0, 1.0})
    for (const double v : {0.0, 1.0}) look_at(u, v);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

roads::HeightGrid grid_of_tiles(const std::vector<roads::HgtTile>& tiles, const autosim::MapSetup& setup,
                                const roads::TerrainOptions& options, const std::string& file, Diagnostics& problems) {
  const geo::LocalFrame frame({setup.osm.lat, setup.osm.lon});
  std::size_t missing = 0;
  roads::HeightGrid grid = roads::terrain_of(tiles, frame, options, missing);
  if (missing == 0) return grid;
  const std::string outside = std::to_string(missing) + " of the map's " + std::to_string(grid.heights.size()) +
                              " points of ground lie outside all elevation tiles";
  const std::string absent = absent_tiles(tiles, grid, frame);
  Diagnostics about(file);
  if (static_cast<double>(missing) > kElsewhere * static_cast<double>(grid.heights.size()))
    about.report(code::kMapElevation, {},
                 outside + " and get a height from the nearest edge: the tile is of another place; this map needs " + absent);
  else
    about.report(roads::code::kHgtVoid, {}, outside + "; add " + absent);
  problems.append(std::move(about));
  return grid;
}

roads::HeightGrid make_grid(const autosim::MapSetup& setup, std::optional<roads::HeightMap> heights,
                            const std::vector<roads::HgtTile>& tiles, const std::string& first_tile,
                            const std::vector<roads::Road>& roads, Diagnostics& problems) {
  roads::TerrainOptions options;
  if (setup.terrain) {
    options = {setup.terrain->height_data_per_area, setup.terrain->height_division, setup.terrain->width,
               setup.terrain->height};
  } else if (!heights) {
    const roads::Extent extent = roads::extent_of(roads);
    options.width = 2 * (std::max(std::fabs(extent.low.east), std::fabs(extent.high.east)) + kMargin);
    options.height = 2 * (std::max(std::fabs(extent.low.north), std::fabs(extent.high.north)) + kMargin);
  }
  if (heights) return roads::terrain_of(*std::move(heights), options);
  if (!tiles.empty()) return grid_of_tiles(tiles, setup, options, first_tile, problems);
  options.spacing = std::max(options.width, options.height) / 64;  // level: no need for more
  return roads::flat_terrain(options);
}

/// Omits tunnels and roads that pass under others because of a negative layer.
void leave_out_tunnels(std::vector<roads::Road>& roads) {
  std::erase_if(roads, [](const roads::Road& road) { return road.is_tunnel; });
  for (roads::Road& road : roads) road.layer = std::max(road.layer, 0);
}

/// Areas and water, and the ground with openings for water and for everything below the ground.
/// @return  the area of water that gives way to cuttings (m2)
double cover_ground(roads::MapAreas areas, std::optional<double> water_level, const roads::Budget& budget, Town& town) {
  std::vector<std::vector<geo::EastNorth>> openings = town.structures.openings;
  std::vector<roads::MapPart>& water = areas.parts[static_cast<std::size_t>(roads::Cover::water)];
  roads::OpenWater open = roads::beside_openings(water, openings, budget);
  if (water_level && town.grid.heights.size() <= kMostOpened) {
    town.water.emplace(water, open.parts, town.grid, *water_level);
    water.clear();
    const auto more = town.water->openings();
    openings.insert(openings.end(), more.begin(), more.end());
  }
  town.covers = roads::cover_meshes(areas, town.grid, town.setup.roads.height_above_terrain * 0.8, openings, budget);
  if (!openings.empty()) town.opened_ground = roads::opened_ground(town.grid, openings, budget);
  return open.cut;
}

/// Fits roads and buildings to each other, and places what is beside the roads. @return  false: the roads are too crowded
bool place_all(const osm::Model& streets, const geo::LocalFrame& frame, const std::vector<roads::MapPart>& water,
               const roads::Budget& budget, Town& town, Diagnostics& about_map) {
  const auto layout = roads::lay_out(streets, frame, town.roads, town.buildings, town.houses, water, town.grid, budget);
  if (!layout) return false;
  report_fitting(layout->fitting, town.buildings.crossed, about_map);
  town.layout = *layout;
  town.marks = roads::road_marks(streets, town.roads, budget);
  town.furniture = roads::street_furniture(streets, frame, town.roads, town.marks, town.grid, budget);
  return true;
}

/// Makes the meshes of roads. @return  where they are too crowded for that, if so
std::optional<geo::EastNorth> lay_out(const std::vector<roads::MapPart>& water, const roads::Budget& budget, Town& town) {
  const roads::LevelPieces pieces = roads::split_levels(town.roads);
  town.structures = roads::structures_of(pieces, town.setup.roads, town.grid, water, budget);
  if (budget.crowded()) return budget.crowded();
  town.meshes = roads::road_meshes(pieces.ground, town.setup.roads, town.grid, town.structures.openings, town.structures.low);
  return town.meshes.crowded;
}

/// The usual setup, with ground under all nodes that are near enough.
autosim::MapSetup setup_around(const osm::Model& streets) {
  autosim::MapSetup setup = usual_setup(streets);
  osm::LatLon low{900000000, 1800000000}, high{-900000000, -1800000000};
  for (const osm::LatLon at : streets.node_positions) {
    low = {std::min(low.lat_e7, at.lat_e7), std::min(low.lon_e7, at.lon_e7)};
    high = {std::max(high.lat_e7, at.lat_e7), std::max(high.lon_e7, at.lon_e7)};
  }
  if (low.lat_e7 > high.lat_e7) return setup;
  if (setup.osm.lat == 0 && setup.osm.lon == 0) {
    setup.osm.lat = (low.lat_deg() + high.lat_deg()) / 2;
    setup.osm.lon = (low.lon_deg() + high.lon_deg()) / 2;
  }
  const geo::LocalFrame frame({setup.osm.lat, setup.osm.lon});
  double width = kMargin, height = kMargin;
  for (const osm::LatLon at : streets.node_positions) {
    if (std::fabs(at.lon_deg() - setup.osm.lon) > kWidestAngle) continue;
    const geo::EastNorth place = frame.to_plane({at.lat_deg(), at.lon_deg()});
    width = std::max(width, std::fabs(place.east) + kMargin);
    height = std::max(height, std::fabs(place.north) + kMargin);
  }
  setup.terrain.emplace();
  setup.terrain->width = 2 * width;
  setup.terrain->height = 2 * height;
  return setup;
}

/// What make_town() and plan_town() read.
struct TownSource {
  osm::Model streets;
  std::string street_name;
  roads::RoadSelection selection;        // its roads are the town's
  std::optional<geo::LocalFrame> frame;  // absent after an error
};

/// Reads the files: setup, roads without heights, ground, buildings and houses of a town.
TownSource read_source(const TownFiles& files, const std::vector<std::string>& keys, Town& town, Diagnostics& about_map) {
  TownSource source;
  bool is_good = true;
  if (files.setup) {
    Parsed<autosim::MapSetup> setup = autosim::read_setup(files.setup->text(), files.setup->name());
    is_good = setup.ok();
    town.problems.append(std::move(setup.diagnostics));
    if (is_good) town.setup = std::move(*setup.value);
    town.is_placed = is_good;
    is_good = is_good && check_widths(files, town);
  }
  std::optional<roads::HeightMap> heights;
  if (files.heights) {
    Parsed<roads::HeightMap> parsed = roads::read_height_map(files.heights->text(), files.heights->name());
    town.problems.append(std::move(parsed.diagnostics));
    heights = std::move(parsed.value);
    is_good = is_good && heights.has_value();
  }
  const auto tiles = read_tiles(files.tiles, town.problems);
  is_good = is_good && tiles.has_value();
  if (files.streets) {
    osm::ReadOptions options;
    options.keep_keys = keys;
    const std::vector<std::string> of_waters = roads::water_keys();
    options.keep_keys.insert(options.keep_keys.end(), of_waters.begin(), of_waters.end());
    Parsed<osm::Document> parsed = osm::read(*files.streets, options);
    is_good = is_good && parsed.ok();
    if (parsed.ok()) source.streets = std::move(parsed.value->model);
    town.problems.append(std::move(parsed.diagnostics));
    if (osm::crosses_antimeridian(source.streets)) {
      about_map.report(code::kMapAntimeridian, {}, osm::kAntimeridianText);
      town.problems.append(std::move(about_map));
      is_good = false;
    }
    source.street_name = files.streets->name();
  }
  if (!is_good) return source;
  if (!files.setup) town.setup = setup_around(source.streets);
  const geo::LocalFrame& frame = source.frame.emplace(geo::LatLon{town.setup.osm.lat, town.setup.osm.lon});
  roads::RoadSelection& selection = source.selection;
  selection = roads::road_lines(source.streets, town.setup.highways, frame);
  const bool has_heights = heights.has_value();
  town.grid = make_grid(town.setup, std::move(heights), *tiles, files.tiles.empty() ? "" : files.tiles.front().name(),
                        selection.roads, town.problems);
  if ((has_heights || !tiles->empty()) && town.grid.heights.size() > kMostOpened) leave_out_tunnels(selection.roads);
  town.is_level = !has_heights && tiles->empty();
  town.buildings = roads::mapped_buildings(source.streets, frame, town.grid);
  auto houses = roads::generated_houses(source.streets, frame, town.grid, source.street_name);
  town.problems.append(std::move(houses.diagnostics));
  town.houses = std::move(*houses.value);
  report_extent(source.streets, town.setup, selection, town.grid, town.buildings, town.houses.size(), about_map);
  town.roads = std::move(selection.roads);
  return source;
}

}  // namespace

std::string TownFiles::key() const {
  std::string key = "town";
  for (const std::optional<Input>* file : {&setup, &heights, &streets})
    key += *file ? "\n" + (*file)->name() + "\n" + hex64(hash64((*file)->text())) : std::string("\n-");
  for (const Input& tile : tiles) key += "\n" + tile.name() + "\n" + hex64(hash64(tile.text()));
  if (water_level) key += "\nwater " + number_text(*water_level);
  return key;
}

Town make_town(const TownFiles& files) {
  Town town;
  Diagnostics about_map(files.streets ? files.streets->name() : std::string());
  const TownSource source = read_source(files, kKeys, town, about_map);
  if (!source.frame) return town;
  if (files.setup) report_kinds(*files.setup, town.setup, source.selection, town.roads, town.problems);
  report_widths(source.selection.unused_widths, about_map);
  const roads::Budget budget(town.roads);
  roads::MapAreas areas = roads::map_areas(source.streets, *source.frame, town.grid);
  const std::vector<roads::MapPart>& water = areas.parts[static_cast<std::size_t>(roads::Cover::water)];
  const bool is_placed = place_all(source.streets, *source.frame, water, budget, town, about_map);
  if (const auto crowded = is_placed ? lay_out(water, budget, town) : budget.crowded()) {
    report_crowded(town.roads, *crowded, *source.frame, about_map);
  } else {
    const double cut = cover_ground(std::move(areas), files.water_level, budget, town);
    report_levels(town.layout.levels, town.layout.beside_ramps, cut, about_map);
    if (budget.crowded()) report_crowded_ground(*budget.crowded(), *source.frame, about_map);
  }
  town.is_good = !about_map.has_errors();
  town.problems.append(std::move(about_map));
  return town;
}

TownPlan plan_town(const TownFiles& files) {
  TownPlan plan;
  Diagnostics about_map(files.streets ? files.streets->name() : std::string());
  std::vector<std::string> keys = roads::town_keys();
  keys.insert(keys.end(), kKeys.begin(), kKeys.end());
  TownSource source = read_source(files, keys, plan.town, about_map);
  if (!source.frame) return plan;
  const roads::Budget budget(plan.town.roads);
  const roads::MapAreas areas = roads::map_areas(source.streets, *source.frame, plan.town.grid, &plan.areas);
  plan.open_areas = areas.open;
  if (place_all(source.streets, *source.frame, areas.parts[static_cast<std::size_t>(roads::Cover::water)], budget, plan.town,
                about_map))
    report_levels(plan.town.layout.levels, plan.town.layout.beside_ramps, 0, about_map);
  else
    report_crowded(plan.town.roads, *budget.crowded(), *source.frame, about_map);
  plan.other_ways = source.selection.kinds_skipped();
  plan.streets = std::move(source.streets);
  plan.streets.build_index();
  plan.town.is_good = !about_map.has_errors();
  plan.town.problems.append(std::move(about_map));
  return plan;
}

}  // namespace simbatch::scenario::detail
