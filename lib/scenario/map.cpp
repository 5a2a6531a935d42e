#include "lib/scenario/map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "base/core/heap.hpp"
#include "lib/roads/road_place.hpp"
#include "lib/scenario/build_cache.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/map_files.hpp"
#include "lib/scenario/map_signals.hpp"
#include "lib/scenario/map_town.hpp"

namespace simbatch::scenario::detail {
namespace {

/// Properties of a cover: its friction as a fraction of the scenario's, and its color.
struct CoverLook {
  double friction = 1;
  geo::Vec3 color;
};
/// In the order of roads::Cover. The values are rough estimates for rubber, as fractions of its friction on dry asphalt (Wong,
/// Theory of Ground Vehicles, table 1.4: grass and earth 0.55 to 0.7, sand and gravel 0.6).
constexpr CoverLook kCoverLooks[] = {{0.6, {0.15, 0.30, 0.07}}, {0.6, {0.06, 0.14, 0.04}}, {0.6, {0.55, 0.46, 0.28}},
                                     {0.7, {0.12, 0.34, 0.16}}, {1, {0.36, 0.33, 0.29}},   {1, {0.13, 0.13, 0.14}},
                                     {0.6, {0.17, 0.15, 0.13}}, {0.3, {0.04, 0.12, 0.20}}};
static_assert(std::size(kCoverLooks) == roads::kCovers);

class MapBuilder {
 public:
  explicit MapBuilder(const Site& site) : site_(site) {}

  Scene build() {
    const std::optional<TownFiles> opened = open_town(site_.files, site_.file);
    if (!opened) return nothing();
    const TownFiles& files = *opened;
    if (!site_.options.cache) own_ = std::make_shared<Town>(make_town(files));
    const std::shared_ptr<const Town> town =
        own_ ? own_ : site_.options.cache->get(files.key(), [&] { return make_town(files); });
    trim_heap();  // of the map and what was laid out on the way
    site_.files.append(town->problems);
    if (town->is_placed) set_origin({town->setup.osm.lat, town->setup.osm.lon}, *files.setup);
    if (!town->is_good) return nothing();
    site_.assembly.is_ground_reported = false;
    site_.assembly.roads = std::shared_ptr<const std::vector<roads::Road>>(town, &town->roads);
    if (!town->structures.lanes.indices.empty())
      site_.assembly.ground_under_roads = std::shared_ptr<const roads::HeightGrid>(town, &town->grid);
    site_.assembly.prisms = std::shared_ptr<const std::vector<roads::Prism>>(town, &town->buildings.prisms);
    site_.assembly.houses = std::shared_ptr<const std::vector<roads::HouseBox>>(town, &town->houses);
    site_.assembly.road_lift = town->setup.roads.height_above_terrain;
    if (files.streets) street_name_ = files.streets->name();
    add_roads(*town);
    add_covers(*town);
    add_buildings(town->buildings);
    add_houses(town->houses);
    site_.assembly.furniture = std::shared_ptr<const std::vector<roads::Furniture>>(town, &town->furniture);
    add_furniture(town->furniture);
    for (auto& [square, body] : bodies_)
      scene_.appearance.parts[static_cast<std::uint32_t>(site_.simulation.world().add_body(std::move(body)))] =
          std::move(looks_[square]);
    add_markings(*town);
    const physics::TerrainSettings settings{"terrain", terrain_friction(), restitution()};
    if (town->opened_ground.indices.empty())
      site_.simulation.world().add_terrain(town->grid, settings);
    else
      add_mesh({stretch(
                   *town, [](auto& of) { return &of.opened_ground; }, scene::Material::ground)},
               settings);
    return std::move(scene_);
  }

 private:
  /// Of a map that is in error. What needs an origin is not reported for the lack of one: there is no result.
  Scene nothing() const {
    if (!site_.simulation.settings().origin) site_.simulation.set_origin({});
    return {};
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
  struct Stretch {
    const geo::TriangleMesh* mesh = nullptr;
    scene::Material material = {};
    std::optional<geo::Vec3> color = {};
    geo::TriangleMesh* spent = nullptr;  // the same, if it is of no use afterwards
  };
  /// @param get  gives the mesh in a town, which is a constant one if other worlds use it
  template <class Get>
  Stretch stretch(const Town& town, Get get, scene::Material material, std::optional<geo::Vec3> color = {}) const {
    return {get(town), material, color, own_ ? get(*own_) : nullptr};
  }
  void add_mesh(std::initializer_list<Stretch> pieces, const physics::TerrainSettings& settings) {
    geo::TriangleMesh all;
    std::vector<scene::TerrainStretch> stretches;
    std::size_t points = 0, indices = 0;
    for (const Stretch& piece : pieces) {
      points += piece.mesh->points.size();
      indices += piece.mesh->indices.size();
    }
    all.points.reserve(points);
    all.indices.reserve(indices);
    for (const Stretch& piece : pieces) {
      stretches.push_back({all.triangle_count(), piece.material, piece.color});
      all.append(*piece.mesh);
      if (piece.spent != nullptr) *piece.spent = {};  // the meshes of a town's streets may be hundreds of megabytes
    }
    if (all.indices.empty()) return;
    const physics::BodyId id =
        site_.simulation.world().add_terrain(physics::TriangleMesh{std::move(all.points), std::move(all.indices)}, settings);
    scene_.appearance.terrains[static_cast<std::uint32_t>(id)] = std::move(stretches);
  }

  void add_roads(const Town& town) {
    using scene::Material;
    const auto settings = [&](const char* name, const char* surface) {
      return physics::TerrainSettings{name, site_.surface_friction(surface), restitution()};
    };
    const Stretch lanes = stretch(
        town, [](auto& of) { return &of.meshes.lanes; }, Material::road);
    const Stretch junctions = stretch(
        town, [](auto& of) { return &of.meshes.junctions; }, Material::junction);
    if (town.structures.lanes.indices.empty())
      add_mesh({lanes, junctions}, settings("roads", "road"));
    else
      add_mesh({lanes, junctions, {&town.structures.lanes, Material::road}, {&town.structures.junctions, Material::junction}},
               settings("roads", "road"));
    add_mesh({stretch(
                  town, [](auto& of) { return &of.meshes.pavements; }, Material::pavement),
              stretch(
                  town, [](auto& of) { return &of.meshes.curbs; }, Material::kerb)},
             settings("pavements", "pavement"));
    add_mesh({stretch(
                 town, [](auto& of) { return &of.structures.walls; }, Material::kerb)},
             settings("bridges", "pavement"));
  }

  /// Parks, water and the like.
  void add_covers(const Town& town) {
    for (std::size_t c = 0; c < roads::kCovers; ++c) {
      const std::string name(roads::kCoverNames[c]);
      const physics::TerrainSettings settings{"areas." + name, cover_friction(c), restitution()};
      add_mesh({stretch(
                   town, [c](auto& of) { return &of.covers[c]; }, scene::Material::plain, kCoverLooks[c].color)},
               settings);
      if (c != static_cast<std::size_t>(roads::Cover::water) || !town.water || town.water->empty()) continue;
      add_mesh({{&town.water->bed(), scene::Material::plain, kCoverLooks[c].color}}, settings);
      scene_.appearance.drawn.push_back(
          {"areas.water.surface", town.water->surface(), {{0, scene::Material::plain, kCoverLooks[c].color}}});
      scene_.appearance.water_is_drawn = town.is_level;
      limit_water(town);
    }
  }
  /// On level ground there is water only in the map's areas, since tunnels are lower; otherwise also where the ground is lower.
  void limit_water(const Town& town) {
    const double level = site_.file.physics.water->level;
    const std::optional<double> elsewhere = town.is_level ? std::nullopt : std::optional(level);
    const WaterLevelAt level_at = [water = *town.water, elsewhere](geo::Vec3 p) {
      const std::optional<double> here = water.level_at(p);
      return here && elsewhere ? std::max(here, elsewhere) : here ? here : elsewhere;
    };
    site_.assembly.fluid->set_level(level_at);
    site_.assembly.devices->set_water_level(level_at);
  }
  double cover_friction(std::size_t cover) const {
    const std::string_view name = roads::kCoverNames[cover];
    for (const autosim::Surface& entry : site_.file.physics.surfaces)
      if (entry.name == name) return entry.friction;
    return kCoverLooks[cover].friction * site_.default_friction();
  }

  /// What determines the markings on the lanes.
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

  static scene::PartAppearance look_of(const roads::HouseBox& house) {
    if (house.kind == "car") return {scene::Material::vehicle, {}};
    if (house.kind == "fence") return {scene::Material::plain, {}};
    // Objects on wooded land are trees, as in the thesis' house lists.
    const bool is_tree = house.kind == "tree" || house.kind == "hedge" || house.landuse == "forest" || house.landuse == "wood";
    return {is_tree ? scene::Material::tree : scene::Material::house, {}};
  }

  void add_houses(const std::vector<roads::HouseBox>& houses) {
    for (const roads::HouseBox& house : houses) {
      const autosim::Model model{house.file_path, house.file_type};
      scene::PartAppearance look = look_of(house);
      look.model = site_.files.model_of(&model, street_name_, {});
      physics::BodySettings& body = body_at("houses", house.base.x, house.base.z, std::move(look));
      const geo::Vec3 middle = house.base + geo::Vec3{0, house.size.y / 2, 0} - body.pose.p;
      body.parts.push_back({physics::Box{house.size}, {middle, geo::rotation({0, 1, 0}, geo::radians(house.heading))}});
    }
  }

  /// Heads of signals only if they are not a robot's parts.
  void add_furniture(const std::vector<roads::Furniture>& furniture) {
    const bool has_heads = !has_signals(site_.file);
    for (const roads::Furniture& piece : furniture) {
      std::vector<roads::FurnitureBox> boxes = roads::boxes_of(piece.kind);
      if (piece.kind == roads::Furniture::Kind::signal && !has_heads) boxes.pop_back();
      const geo::Quat turn = geo::rotation({0, 1, 0}, piece.heading);
      for (const roads::FurnitureBox& box : boxes) {
        physics::BodySettings& body = body_at("furniture", piece.at.x, piece.at.z, {scene::Material::plain, {}});
        body.parts.push_back({physics::Box{box.size}, {piece.at - body.pose.p + turn * box.middle, turn}});
      }
    }
  }

  const Site& site_;
  std::shared_ptr<Town> own_;  // the town, if no other world uses it
  Scene scene_;
  std::string street_name_;
  std::map<std::tuple<std::string, int, int>, physics::BodySettings> bodies_;
  std::map<std::tuple<std::string, int, int>, std::vector<scene::PartAppearance>> looks_;  // one a part
};

}  // namespace

Scene build_map(const Site& site) { return MapBuilder(site).build(); }

}  // namespace simbatch::scenario::detail
