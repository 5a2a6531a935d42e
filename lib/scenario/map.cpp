#include "lib/scenario/map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "base/core/hash.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/read.hpp"
#include "lib/roads/buildings.hpp"
#include "lib/roads/carriageway.hpp"
#include "lib/roads/codes.hpp"
#include "lib/roads/hgt.hpp"
#include "lib/roads/level_widths.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/marks.hpp"
#include "lib/roads/road_place.hpp"
#include "lib/roads/roads.hpp"
#include "lib/roads/structures.hpp"
#include "lib/scenario/build_cache.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/map_report.hpp"

namespace simbatch::scenario::detail {
namespace {
namespace fs = std::filesystem;

/// Tags used for roads, buildings and houses.
const std::vector<std::string> kKeys = {"highway",  "area",    "tunnel",   "building",  "building:levels",
                                        "height",   "layer",   "location", "type",      "filePath",
                                        "fileType", "rotY",    "sizeX",    "sizeY",     "sizeZ",
                                        "name",     "landuse", "width",    "lanes",     "oneway",
                                        "junction", "bridge",  "crossing", "direction", "traffic_signals:direction",
                                        "railway"};
constexpr double kWidest = 1000;  ///< m, of a road or a pavement
constexpr double kMargin = 100;   ///< m of ground around the roads if the setup has no Size
/// Terrain of more heights stays a grid, which has no openings for the ramps of tunnels.
constexpr std::size_t kMostOpened = std::size_t{1} << 20;

/// The first of these files that exists in the map folder, as a name for Files::open; empty if there is none.
std::string find_file(const Site& site, const std::string& chosen, std::initializer_list<const char*> usual) {
  const fs::path folder = site.file.terrain.path;
  if (!chosen.empty()) return (folder / chosen).string();
  std::error_code error;
  for (const char* name : usual)
    if (fs::exists(fs::path(site.files.root().folder()) / folder / name, error)) return (folder / name).string();
  return {};
}

/// What a map's files are, without the scenario that uses them.
struct Town {
  bool is_good = false;    // all files could be read
  bool is_placed = false;  // the setup at least: the origin is known, and the scenario's sensors are not blamed for it
  Diagnostics problems;
  autosim::MapSetup setup;
  roads::HeightGrid grid;
  std::vector<roads::Road> roads;
  std::vector<roads::RoadMark> marks;
  roads::RoadMeshes meshes;
  roads::Structures structures;
  geo::TriangleMesh opened_ground;  // in place of the grid, if there are openings
  roads::BuildingSelection buildings;
  std::vector<roads::HouseBox> houses;
};

/// The files of a map; nothing where there is none.
struct TownFiles {
  std::optional<Input> setup, heights, streets;
  std::vector<Input> tiles;  // elevation, in place of heights
  /// Contents and names, which are in messages.
  std::string key() const {
    std::string key = "town";
    for (const std::optional<Input>* file : {&setup, &heights, &streets})
      key += *file ? "\n" + (*file)->name() + "\n" + hex64(hash64((*file)->text())) : std::string("\n-");
    for (const Input& tile : tiles) key += "\n" + tile.name() + "\n" + hex64(hash64(tile.text()));
    return key;
  }
};

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
                   std::to_string(tile.value->voids) + " of the tile's samples have no data, and are as a neighbor");
      problems.append(std::move(about));
    }
    tiles.push_back(std::move(*tile.value));
  }
  if (tiles.size() != files.size()) return std::nullopt;
  return tiles;
}

roads::HeightGrid grid_of_tiles(const std::vector<roads::HgtTile>& tiles, const autosim::MapSetup& setup,
                                const roads::TerrainOptions& options, const std::string& file, Diagnostics& problems) {
  std::size_t missing = 0;
  roads::HeightGrid grid = roads::terrain_of(tiles, geo::LocalFrame({setup.osm.lat, setup.osm.lon}), options, missing);
  if (missing > 0) {
    Diagnostics about(file);
    about.report(roads::code::kHgtVoid, {},
                 std::to_string(missing) + " of the map's " + std::to_string(grid.heights.size()) +
                     " points of ground lie outside of all elevation tiles; add the tiles beside it");
    problems.append(std::move(about));
  }
  return grid;
}

roads::HeightGrid make_grid(const autosim::MapSetup& setup, const std::optional<roads::HeightMap>& heights,
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
  if (heights) return roads::terrain_of(*heights, options);
  if (!tiles.empty()) return grid_of_tiles(tiles, setup, options, first_tile, problems);
  options.spacing = std::max(options.width, options.height) / 64;  // level: no need for more
  return roads::flat_terrain(options);
}

/// Without tunnels, nor what passes under others by a layer under 0.
void leave_out_tunnels(std::vector<roads::Road>& roads) {
  std::erase_if(roads, [](const roads::Road& road) { return road.is_tunnel; });
  for (roads::Road& road : roads) road.layer = std::max(road.layer, 0);
}

/// Reads and works out everything that depends on the files alone: most of the time that building takes.
Town make_town(const TownFiles& files) {
  Town town;
  Parsed<autosim::MapSetup> setup = autosim::read_setup(files.setup->text(), files.setup->name());
  bool is_good = setup.ok();
  town.problems.append(std::move(setup.diagnostics));
  if (is_good) town.setup = std::move(*setup.value);
  town.is_placed = is_good;
  is_good = is_good && check_widths(files, town);
  std::optional<roads::HeightMap> heights;
  if (files.heights) {
    Parsed<roads::HeightMap> parsed = roads::read_height_map(files.heights->text(), files.heights->name());
    town.problems.append(std::move(parsed.diagnostics));
    heights = std::move(parsed.value);
    is_good = is_good && heights.has_value();
  }
  const auto tiles = read_tiles(files.tiles, town.problems);
  is_good = is_good && tiles.has_value();
  osm::Model streets;
  std::string street_name;
  if (files.streets) {
    osm::ReadOptions options;
    options.keep_keys = kKeys;
    Parsed<osm::Document> parsed = osm::read(*files.streets, options);
    is_good = is_good && parsed.ok();
    if (parsed.ok()) streets = std::move(parsed.value->model);
    town.problems.append(std::move(parsed.diagnostics));
    street_name = files.streets->name();
  }
  if (!is_good) return town;
  const geo::LocalFrame frame({town.setup.osm.lat, town.setup.osm.lon});
  roads::RoadSelection selection = roads::road_lines(streets, town.setup.highways, frame);
  town.grid = make_grid(town.setup, heights, *tiles, files.tiles.empty() ? "" : files.tiles.front().name(), selection.roads,
                        town.problems);
  if ((heights || !tiles->empty()) && town.grid.heights.size() > kMostOpened) leave_out_tunnels(selection.roads);
  town.buildings = roads::mapped_buildings(streets, frame, town.grid);
  roads::open_passages(town.buildings, selection.roads);
  auto houses = roads::generated_houses(streets, frame, town.grid, street_name);
  town.problems.append(std::move(houses.diagnostics));
  town.houses = std::move(*houses.value);
  Diagnostics about_map(street_name);
  report_extent(streets, town.setup, selection, town.grid, town.buildings, town.houses.size(), about_map);
  town.roads = std::move(selection.roads);
  const roads::Fitting fitting = roads::fit_roads(town.roads, town.buildings, town.houses);
  report_fitting(fitting, town.buildings.crossed, about_map);
  const roads::Levels levels = roads::set_levels(town.roads, roads::railway_lines(streets, frame));
  report_levels(levels, roads::fit_levels(town.roads), about_map);
  town.marks = roads::road_marks(streets, town.roads);
  const roads::LevelPieces pieces = roads::split_levels(town.roads);
  town.structures = roads::structures_of(pieces, town.setup.roads, town.grid);
  town.meshes = roads::road_meshes(pieces.ground, town.setup.roads, town.grid, town.structures.openings, town.structures.low);
  if (town.meshes.crowded) report_crowded(town.roads, *town.meshes.crowded, frame, about_map);
  town.problems.append(std::move(about_map));
  if (!town.structures.openings.empty()) town.opened_ground = roads::opened_ground(town.grid, town.structures.openings);
  town.is_good = !town.meshes.crowded;
  return town;
}

class MapBuilder {
 public:
  explicit MapBuilder(const Site& site) : site_(site), at_(site.file.terrain.place.at) {}

  Scene build() {
    TownFiles files;
    if (!open(files)) return {};
    const std::shared_ptr<const Town> town = site_.options.cache
                                                 ? site_.options.cache->get(files.key(), [&] { return make_town(files); })
                                                 : std::make_shared<const Town>(make_town(files));
    site_.files.append(town->problems);
    if (town->is_placed) set_origin({town->setup.osm.lat, town->setup.osm.lon}, *files.setup);
    if (!town->is_good) return {};
    site_.assembly.roads = std::shared_ptr<const std::vector<roads::Road>>(town, &town->roads);
    if (!town->structures.lanes.indices.empty())
      site_.assembly.ground_under_roads = std::shared_ptr<const roads::HeightGrid>(town, &town->grid);
    site_.assembly.road_lift = town->setup.roads.height_above_terrain;
    if (files.streets) street_name_ = files.streets->name();
    add_roads(town->meshes, town->structures);
    add_buildings(town->buildings);
    add_houses(town->houses);
    for (auto& [square, body] : bodies_)
      scene_.appearance.parts[static_cast<std::uint32_t>(site_.simulation.world().add_body(std::move(body)))] =
          std::move(looks_[square]);
    add_markings(*town);
    const physics::TerrainSettings settings{"terrain", terrain_friction(), restitution()};
    if (town->opened_ground.indices.empty())
      site_.simulation.world().add_terrain(town->grid, settings);
    else
      add_mesh({{&town->opened_ground, scene::Material::ground}}, settings);
    return std::move(scene_);
  }

 private:
  bool open(TownFiles& files) {
    files.setup = site_.files.open((fs::path(site_.file.terrain.path) / "setup.xml").string(), at_);
    if (!files.setup) return false;
    const std::string heights =
        find_file(site_, site_.file.terrain.height_map, {"heightmap.png", "heightmap.bmp", "heightmap.jpg", "heightmap.txt"});
    if (heights.ends_with(".hgt") || heights.empty()) {
      if (!open_tiles(files, heights)) return false;
    } else {
      files.heights = site_.files.open(heights, at_);
      if (!files.heights) return false;
    }
    const std::string streets =
        find_file(site_, site_.file.terrain.street_map, {"map.osm", "map.osm.gz", "map.osm.bz2", "map.osm.pbf"});
    if (!streets.empty()) files.streets = site_.files.open(streets, at_);
    return streets.empty() || files.streets;
  }

  /// The elevation tile that was chosen, else all in the folder, by name.
  bool open_tiles(TownFiles& files, const std::string& chosen) {
    std::vector<std::string> names;
    if (!chosen.empty()) {
      names.push_back(chosen);
    } else {
      const fs::path folder = site_.file.terrain.path;
      std::error_code error;
      for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(site_.files.root().folder()) / folder, error))
        if (entry.path().extension() == ".hgt") names.push_back((folder / entry.path().filename()).string());
      std::sort(names.begin(), names.end());
    }
    for (const std::string& name : names) {
      std::optional<Input> tile = site_.files.open(name, at_);
      if (!tile) return false;
      files.tiles.push_back(std::move(*tile));
    }
    return true;
  }

  void set_origin(geo::LatLon offset, const Input& setup) {
    if (!site_.simulation.settings().origin) {
      site_.simulation.set_origin(offset);
    } else if (*site_.simulation.settings().origin != offset) {
      site_.files.report(code::kOriginDiffers, site_.file.physics.place.at,
                         "Origin differs from the NodeOffset of " + setup.name() + ", about which the map is laid");
    }
  }

  double restitution() const { return site_.file.physics.restitution; }
  double terrain_friction() const { return site_.file.terrain.friction.value_or(site_.surface_friction("terrain")); }

  /// A body of several meshes, each with its look.
  void add_mesh(std::initializer_list<std::pair<const geo::TriangleMesh*, scene::Material>> pieces,
                const physics::TerrainSettings& settings) {
    geo::TriangleMesh all;
    std::vector<scene::TerrainStretch> stretches;
    for (const auto& [mesh, material] : pieces) {
      stretches.push_back({all.triangle_count(), material});
      all.append(*mesh);
    }
    if (all.indices.empty()) return;
    const physics::BodyId id =
        site_.simulation.world().add_terrain(physics::TriangleMesh{std::move(all.points), std::move(all.indices)}, settings);
    scene_.appearance.terrains[static_cast<std::uint32_t>(id)] = std::move(stretches);
  }

  void add_roads(const roads::RoadMeshes& meshes, const roads::Structures& structures) {
    using scene::Material;
    const auto settings = [&](const char* name, const char* surface) {
      return physics::TerrainSettings{name, site_.surface_friction(surface), restitution()};
    };
    if (structures.lanes.indices.empty())
      add_mesh({{&meshes.lanes, Material::road}, {&meshes.junctions, Material::junction}}, settings("roads", "road"));
    else
      add_mesh({{&meshes.lanes, Material::road},
                {&meshes.junctions, Material::junction},
                {&structures.lanes, Material::road},
                {&structures.junctions, Material::junction}},
               settings("roads", "road"));
    add_mesh({{&meshes.pavements, Material::pavement}, {&meshes.curbs, Material::kerb}}, settings("pavements", "pavement"));
    add_mesh({{&structures.walls, Material::kerb}}, settings("bridges", "pavement"));
  }

  /// What the paint on the lanes goes by.
  void add_markings(const Town& town) {
    const bool has_levels = !town.structures.lanes.indices.empty();
    auto mark = town.marks.begin();
    for (std::uint32_t r = 0; r < town.roads.size(); ++r) {
      const roads::Road& road = town.roads[r];
      scene::RoadAppearance look{road.line, road.width, road.kind != "track" && road.kind != "unsurfaced"};
      look.lanes = roads::lane_count(road);
      look.is_one_way = road.one_way != 0;
      for (; mark != town.marks.end() && mark->road == r; ++mark)
        look.marks.push_back({mark->along, mark->kind == roads::RoadMark::Kind::stop_line, mark->direction});
      for (std::size_t k = 0; has_levels && k < road.line.size(); ++k)
        look.y.push_back(roads::height_at(town.grid, road.line[k].east, road.line[k].north) +
                         town.setup.roads.height_above_terrain + (road.height.empty() ? 0 : road.height[k]));
      scene_.appearance.roads.push_back(std::move(look));
    }
  }

  /// The body for the square that contains this point; the caller adds a part to it, with this appearance.
  physics::BodySettings& body_at(const char* kind, double x, double z, scene::PartAppearance look) {
    const auto column = static_cast<int>(std::floor(x / kTownSquare)), row = static_cast<int>(std::floor(z / kTownSquare));
    physics::BodySettings& body = bodies_[{kind, column, row}];
    looks_[{kind, column, row}].push_back(std::move(look));
    if (body.parts.empty()) {
      body.name = std::string(kind) + "." + std::to_string(column) + "." + std::to_string(row);
      body.kind = physics::BodyKind::fixed;
      body.pose.p = {(column + 0.5) * kTownSquare, 0, (row + 0.5) * kTownSquare};
      body.friction = site_.surface_friction("building");
      body.restitution = restitution();
    }
    return body;
  }

  static bool is_convex(const std::vector<geo::EastNorth>& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const geo::EastNorth a = ring[i], b = ring[(i + 1) % ring.size()], c = ring[(i + 2) % ring.size()];
      if ((b.east - a.east) * (c.north - b.north) - (b.north - a.north) * (c.east - b.east) < 0) return false;
    }
    return true;
  }

  void add_buildings(const roads::BuildingSelection& selection) {
    for (const roads::Prism& prism : selection.prisms) {
      physics::BodySettings& body =
          body_at("buildings", prism.outer[0].east, prism.outer[0].north, {scene::Material::building, {}});
      const geo::Vec3 origin = body.pose.p;
      if (prism.holes.empty() && is_convex(prism.outer)) {
        physics::ConvexHull hull;
        for (const geo::EastNorth p : prism.outer)
          for (const double y : {prism.base, prism.top}) hull.points.push_back(geo::Vec3{p.east, y, p.north} - origin);
        if (physics::check_shape(hull).empty()) {
          body.parts.push_back({std::move(hull), {}});
          continue;
        }
      }
      geo::TriangleMesh mesh;
      roads::add_prism(prism, mesh);
      for (geo::Vec3& p : mesh.points) p = p - origin;
      body.parts.push_back({physics::TriangleMesh{std::move(mesh.points), std::move(mesh.indices)}, {}});
    }
  }

  void add_houses(const std::vector<roads::HouseBox>& houses) {
    for (const roads::HouseBox& house : houses) {
      // Objects on wooded land are trees, as in the thesis' house lists.
      const bool is_tree = house.landuse == "forest" || house.landuse == "wood";
      const autosim::Model model{house.file_path, house.file_type};
      scene::PartAppearance look{is_tree ? scene::Material::tree : scene::Material::house,
                                 site_.files.model_of(model, street_name_, {})};
      physics::BodySettings& body = body_at("houses", house.base.x, house.base.z, std::move(look));
      const geo::Vec3 middle = house.base + geo::Vec3{0, house.size.y / 2, 0} - body.pose.p;
      body.parts.push_back({physics::Box{house.size}, {middle, geo::rotation({0, 1, 0}, geo::radians(house.heading))}});
    }
  }

  const Site& site_;
  Scene scene_;
  Position at_;
  std::string street_name_;
  std::map<std::tuple<std::string, int, int>, physics::BodySettings> bodies_;
  std::map<std::tuple<std::string, int, int>, std::vector<scene::PartAppearance>> looks_;  // one a part
};

}  // namespace

Scene build_map(const Site& site) { return MapBuilder(site).build(); }

}  // namespace simbatch::scenario::detail
