#include "lib/scenario/map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include "formats/autosim/setup.hpp"
#include "formats/osm/read.hpp"
#include "lib/roads/buildings.hpp"
#include "lib/roads/roads.hpp"
#include "lib/scenario/codes.hpp"

namespace simbatch::scenario::detail {
namespace {
namespace fs = std::filesystem;

/// Tags that roads, buildings and houses are made from.
const std::vector<std::string> kKeys = {"highway", "area",     "tunnel", "building", "building:levels", "height",
                                        "layer",   "location", "type",   "filePath", "fileType",        "rotY",
                                        "sizeX",   "sizeY",    "sizeZ",  "name",     "landuse"};
constexpr double kWidest = 1000;  ///< m, of a road or a pavement
constexpr double kMargin = 100;   ///< m of ground beyond the roads where the setup gives no Size

/// The first of these files that is in the map folder, as a name for Files::open; empty if there is none.
std::string find_file(const Site& site, const std::string& chosen, std::initializer_list<const char*> usual) {
  const fs::path folder = site.file.terrain.path;
  if (!chosen.empty()) return (folder / chosen).string();
  std::error_code error;
  for (const char* name : usual)
    if (fs::exists(fs::path(site.files.root().folder()) / folder / name, error)) return (folder / name).string();
  return {};
}

class MapBuilder {
 public:
  explicit MapBuilder(const Site& site) : site_(site), at_(site.file.terrain.place.at) {}

  Scene build() {
    if (!read_setup() || !read_heights() || !read_streets()) return {};
    const geo::LocalFrame frame({setup_.osm.lat, setup_.osm.lon});
    const roads::RoadSelection roads = roads::road_lines(streets_, setup_.highways, frame);
    const roads::HeightGrid grid = make_grid(roads.roads);
    add_roads(roads::road_meshes(roads.roads, setup_.roads, grid));
    roads::BuildingSelection buildings = roads::mapped_buildings(streets_, frame, grid);
    roads::open_passages(buildings, roads.roads);
    add_buildings(buildings);
    auto houses = roads::generated_houses(streets_, frame, grid, street_name_);
    site_.files.append(std::move(houses.diagnostics));
    add_houses(*houses.value);
    for (auto& [square, body] : bodies_)
      scene_.appearance.parts[static_cast<std::uint32_t>(site_.simulation.world().add_body(std::move(body)))] =
          std::move(looks_[square]);
    for (const roads::Road& road : roads.roads)
      scene_.appearance.roads.push_back({road.line, road.width, road.kind != "track" && road.kind != "unsurfaced"});
    site_.simulation.world().add_terrain(grid, {"terrain", terrain_friction(), restitution()});
    return std::move(scene_);
  }

 private:
  bool read_setup() {
    const auto file = site_.files.open((fs::path(site_.file.terrain.path) / "setup.xml").string(), at_);
    if (!file) return false;
    Parsed<autosim::MapSetup> parsed = autosim::read_setup(file->text(), file->name());
    const bool is_good = parsed.ok();
    site_.files.append(std::move(parsed.diagnostics));
    if (!is_good) return false;
    setup_ = std::move(*parsed.value);
    const geo::LatLon offset{setup_.osm.lat, setup_.osm.lon};
    if (!site_.simulation.settings().origin) {
      site_.simulation.set_origin(offset);
    } else if (*site_.simulation.settings().origin != offset) {
      site_.files.report(code::kOriginDiffers, site_.file.physics.place.at,
                         "Origin differs from the NodeOffset of " + file->name() + ", about which the map is laid");
    }
    bool fits = true;
    for (const autosim::HighwayKind& kind : setup_.highways.kinds) {
      const double widest = std::max({kind.width, kind.left_pavement, kind.right_pavement});
      if (widest <= kWidest) continue;
      fits = false;
      site_.files.report(
          code::kRoadWidth, file->name(), kind.place.at,
          "a " + kind.kind + " is " + number_text(widest) + " m wide, expected at most " + number_text(kWidest) + " m");
    }
    return fits;
  }

  bool read_heights() {
    const std::string name =
        find_file(site_, site_.file.terrain.height_map, {"heightmap.png", "heightmap.bmp", "heightmap.jpg", "heightmap.txt"});
    if (name.empty()) return true;
    const auto file = site_.files.open(name, at_);
    if (!file) return false;
    Parsed<roads::HeightMap> parsed = roads::read_height_map(file->text(), file->name());
    site_.files.append(std::move(parsed.diagnostics));
    heights_ = std::move(parsed.value);
    return heights_.has_value();
  }

  bool read_streets() {
    street_file_ = find_file(site_, site_.file.terrain.street_map, {"map.osm", "map.osm.gz", "map.osm.bz2", "map.osm.pbf"});
    if (street_file_.empty()) return true;
    const auto file = site_.files.open(street_file_, at_);
    if (!file) return false;
    osm::ReadOptions options;
    options.keep_keys = kKeys;
    Parsed<osm::Document> parsed = osm::read(*file, options);
    const bool is_good = parsed.ok();
    site_.files.append(std::move(parsed.diagnostics));
    street_name_ = file->name();
    if (is_good) streets_ = std::move(parsed.value->model);
    return is_good;
  }

  roads::HeightGrid make_grid(const std::vector<roads::Road>& roads) const {
    roads::TerrainOptions options;
    if (setup_.terrain) {
      options = {setup_.terrain->height_data_per_area, setup_.terrain->height_division, setup_.terrain->width,
                 setup_.terrain->height};
    } else if (!heights_) {
      const roads::Extent extent = roads::extent_of(roads);
      options.width = 2 * (std::max(std::fabs(extent.low.east), std::fabs(extent.high.east)) + kMargin);
      options.height = 2 * (std::max(std::fabs(extent.low.north), std::fabs(extent.high.north)) + kMargin);
    }
    if (heights_) return roads::terrain_of(*heights_, options);
    options.spacing = std::max(options.width, options.height) / 64;  // level: no need for more
    return roads::flat_terrain(options);
  }

  double restitution() const { return site_.file.physics.restitution; }
  double terrain_friction() const { return site_.file.terrain.friction.value_or(site_.surface_friction("terrain")); }

  static physics::TriangleMesh mesh_of(const geo::TriangleMesh& first, const geo::TriangleMesh& second) {
    physics::TriangleMesh mesh{first.points, first.indices};
    const auto offset = static_cast<std::uint32_t>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), second.points.begin(), second.points.end());
    for (const std::uint32_t i : second.indices) mesh.indices.push_back(offset + i);
    return mesh;
  }

  void add_roads(const roads::RoadMeshes& meshes) {
    using scene::Material;
    const auto add = [&](const char* name, const geo::TriangleMesh& first, const geo::TriangleMesh& second, const char* surface,
                         Material material, Material second_material) {
      if (first.indices.empty() && second.indices.empty()) return;
      const physics::BodyId id =
          site_.simulation.world().add_terrain(mesh_of(first, second), {name, site_.surface_friction(surface), restitution()});
      scene_.appearance.terrains[static_cast<std::uint32_t>(id)] = {{0, material}, {first.triangle_count(), second_material}};
    };
    add("roads", meshes.lanes, meshes.junctions, "road", Material::road, Material::junction);
    add("pavements", meshes.pavements, meshes.curbs, "pavement", Material::pavement, Material::kerb);
  }

  /// The body for the square that contains this place; the caller adds a part to it, which looks like this.
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
  autosim::MapSetup setup_;
  std::optional<roads::HeightMap> heights_;
  std::string street_file_, street_name_;  // as Files::open takes it, and as it was opened
  osm::Model streets_;
  std::map<std::tuple<std::string, int, int>, physics::BodySettings> bodies_;
  std::map<std::tuple<std::string, int, int>, std::vector<scene::PartAppearance>> looks_;  // one a part
};

}  // namespace

Scene build_map(const Site& site) { return MapBuilder(site).build(); }

}  // namespace simbatch::scenario::detail
