// Our own: a moving figure's bounding sphere is that of the box around its corners; colors of houses and fixtures are drawn
// from a hash of their names, so that they do not depend on the order of bodies.
#include "lib/sim/scene/scene_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/core/hash.hpp"
#include "lib/sim/scene/bounds.hpp"
#include "lib/sim/scene/figures.hpp"
#include "lib/sim/scene/palette.hpp"
#include "lib/sim/scene/tessellate.hpp"

namespace simbatch::scene {
namespace {

using physics::BodyId;

/// Margin of the spheres about figures, for rounding.
constexpr double kRadiusMargin = 1.001;

constexpr std::string_view kInsteadOfWheel = "a plain wheel";
constexpr std::string_view instead_of_body(bool is_car) { return is_car ? "a plain car of its size" : "its shape"; }

std::string_view drawn_instead(const PartAppearance& look) {
  return look.material == Material::tree      ? "a plain tree of its size"
         : look.material == Material::house   ? "a plain house of its size"
         : look.material == Material::vehicle ? "a plain car of its size"
                                              : "its shape";
}

Rgb part_color(const std::array<float, 3>& screen) {
  const auto byte = [](float share) { return static_cast<int>(std::lround(255 * std::clamp(share, 0.0f, 1.0f))); };
  return screen_color(byte(screen[0]), byte(screen[1]), byte(screen[2]));
}

Figure plain_figure(const physics::TriangleMesh& mesh) {
  Figure figure;
  figure.add_mesh(mesh, 0);
  return figure;
}

physics::TriangleMesh part_surface(const physics::World& world, BodyId body, std::size_t index, const physics::Part& part) {
  return std::holds_alternative<physics::ConvexHull>(part.shape) ? world.hull_surface(body, index) : triangles_of(part.shape);
}

/// Lowest height of a grid's border.
double lowest_border(const physics::HeightGrid& grid) {
  double low = std::numeric_limits<double>::infinity();
  for (int x = 0; x < grid.nx; ++x)
    for (int z = 0; z < grid.nz; ++z)
      if (x == 0 || z == 0 || x == grid.nx - 1 || z == grid.nz - 1)
        low = std::min(
            low, grid.heights[static_cast<std::size_t>(z) * static_cast<std::size_t>(grid.nx) + static_cast<std::size_t>(x)]);
  return low;
}

/// The paint of each of so many triangles; those before the first stretch have none.
void append_paints(std::vector<std::uint32_t>& to, const std::vector<PaintStretch>& stretches, std::size_t triangles) {
  to.reserve(to.size() + triangles);
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const std::size_t end = i + 1 < stretches.size() ? stretches[i + 1].first_triangle : triangles;
    const std::size_t first = std::min<std::size_t>(stretches[i].first_triangle, end);
    to.insert(to.end(), end - first, stretches[i].paint);
  }
}

}  // namespace

const std::string& name_of(const FixedFigure& figure, const physics::World& world) {
  return figure.body == physics::kNoBody ? figure.name : world.name(figure.body);
}

SceneBuilder::SceneBuilder(const sim::Simulation& simulation, const Appearance& appearance)
    : simulation_(simulation), appearance_(appearance), models_(appearance.max_model_triangles) {}

std::uint32_t SceneBuilder::add_paint(const Paint& paint) {
  scene_.paints.push_back(paint);
  return static_cast<std::uint32_t>(scene_.paints.size() - 1);
}

PaintedScene SceneBuilder::build(Terrains terrains) {
  const physics::World& world = simulation_.world();
  scene_ = {};
  terrains_ = terrains;
  shapes_.clear();
  has_opened_ground_ = false;
  lowest_mesh_ = std::numeric_limits<double>::infinity();
  models_.begin_scene();
  for (std::size_t i = 0; i < world.body_count(); ++i) {
    const BodyId body{static_cast<std::uint32_t>(i)};
    if (world.is_terrain(body))
      add_terrain(body);
    else if (world.kind(body) == physics::BodyKind::fixed)
      add_fixed(body);
    else
      add_mover(body);
  }
  for (std::size_t i = 0; i < world.vehicle_count(); ++i) add_wheels(physics::VehicleId(static_cast<std::uint32_t>(i)));
  for (const DrawnSurface& surface : appearance_.drawn) add_drawn(surface);
  models_.report_missing();
  if (!appearance_.water_is_drawn) scene_.water_y = appearance_.water_level;
  // Ground with openings is a mesh: what is around it lies under the deepest tunnel.
  if (has_opened_ground_) scene_.plain_y = std::min(scene_.plain_y.value_or(lowest_mesh_), lowest_mesh_) - 0.1;
  return std::exchange(scene_, {});
}

void SceneBuilder::check_models() {
  const physics::World& world = simulation_.world();
  models_.begin_scene();
  for (std::size_t i = 0; i < world.body_count(); ++i) {
    const auto number = static_cast<std::uint32_t>(i);
    const BodyId body{number};
    if (world.is_terrain(body)) continue;
    if (world.kind(body) == physics::BodyKind::fixed) {
      if (const auto known = appearance_.parts.find(number); known != appearance_.parts.end())
        for (const PartAppearance& look : known->second) models_.place(look.model, drawn_instead(look));
    } else if (const auto known = appearance_.bodies.find(number); known != appearance_.bodies.end()) {
      models_.place(known->second, instead_of_body(is_car(body, world.parts(body))));
    }
  }
  for (const auto& [wheel, model] : appearance_.wheels) models_.place(model, kInsteadOfWheel);
  models_.report_missing();
}

void SceneBuilder::add_terrain(BodyId body) {
  const physics::World& world = simulation_.world();
  if (const std::optional<double> height = world.terrain_plane(body)) {
    scene_.plain_y = scene_.plain_y ? std::min(*scene_.plain_y, *height) : *height;
    scene_.plain_is_ground = *scene_.plain_y == *height;
    return;
  }
  if (const physics::HeightGrid* grid = world.terrain_grid(body)) {
    Paint paint;
    paint.material = Material::ground;
    const std::uint32_t number = add_paint(paint);
    physics::TriangleMesh mesh = triangles_of(*grid);
    FixedFigure& figure = scene_.fixed.emplace_back(FixedFigure{{}, body});
    if (terrains_ == Terrains::shared) {
      figure.shared = std::make_shared<const physics::TriangleMesh>(std::move(mesh));
      figure.stretches = {{0, number}};
    } else {
      figure.mesh.paints.assign(mesh.triangle_count(), number);
      figure.mesh.points = std::move(mesh.points);
      figure.mesh.indices = std::move(mesh.indices);
    }
    const double low = lowest_border(*grid);
    scene_.plain_y = (scene_.plain_y ? std::min(*scene_.plain_y, low) : low) - 0.1;  // a little under the lowest border
    return;
  }
  const auto known = appearance_.terrains.find(static_cast<std::uint32_t>(body));
  std::vector<TerrainStretch> stretches{{0, Material::ground}};
  if (known != appearance_.terrains.end()) stretches = known->second;
  for (const TerrainStretch& stretch : stretches)
    has_opened_ground_ = has_opened_ground_ || (known != appearance_.terrains.end() && stretch.material == Material::ground);
  const std::shared_ptr<const physics::TriangleMesh> mesh = world.mesh(body, 0);
  for (const std::uint32_t i : mesh->indices) lowest_mesh_ = std::min(lowest_mesh_, mesh->points[i].y);
  FixedFigure& figure = scene_.fixed.emplace_back(FixedFigure{{}, body});
  std::vector<PaintStretch> paints = stretch_paints(stretches, mesh->triangle_count());
  if (terrains_ == Terrains::shared) {  // a town's pavements are a million triangles
    figure.shared = mesh;
    figure.stretches = std::move(paints);
    return;
  }
  physics::TriangleMesh copy = std::get<physics::TriangleMesh>(world.parts(body).front().shape);
  figure.mesh.points = std::move(copy.points);
  figure.mesh.indices = std::move(copy.indices);
  append_paints(figure.mesh.paints, paints, mesh->triangle_count());
}

std::vector<PaintStretch> SceneBuilder::stretch_paints(const std::vector<TerrainStretch>& stretches, std::size_t triangles) {
  std::vector<PaintStretch> paints;
  for (const TerrainStretch& stretch : stretches) {
    Paint paint;
    paint.material = stretch.material;
    if (const auto& c = stretch.color)
      paint.color = {static_cast<float>(c->x), static_cast<float>(c->y), static_cast<float>(c->z)};
    paints.push_back({static_cast<std::uint32_t>(std::min(stretch.first_triangle, triangles)), add_paint(paint)});
  }
  return paints;
}

void SceneBuilder::add_drawn(const DrawnSurface& surface) {
  PaintedMesh& mesh = scene_.fixed.emplace_back(FixedFigure{{}, physics::kNoBody, surface.name}).mesh;
  mesh.points = surface.mesh.points;
  mesh.indices = surface.mesh.indices;
  const std::size_t triangles = surface.mesh.triangle_count();
  append_paints(mesh.paints, stretch_paints(surface.stretches, triangles), triangles);
}

/// Sorted by paint index: the first paint's triangles first.
void SceneBuilder::append(PaintedMesh& to, const Figure& figure, const std::vector<Paint>& paints, const geo::Pose& pose) {
  const auto first = static_cast<std::uint32_t>(to.points.size());
  for (const Vec3& p : figure.mesh.points) to.points.push_back(pose * p);
  for (std::size_t k = 0; k < paints.size(); ++k) {
    if (std::find(figure.paint.begin(), figure.paint.end(), k) == figure.paint.end()) continue;
    const std::uint32_t paint = add_paint(paints[k]);
    for (std::size_t t = 0; t < figure.paint.size(); ++t) {
      if (figure.paint[t] != k) continue;
      for (std::size_t corner = 0; corner < 3; ++corner) to.indices.push_back(first + figure.mesh.indices[3 * t + corner]);
      to.paints.push_back(paint);
    }
  }
}

void SceneBuilder::add_fixed(BodyId body) {
  const physics::World& world = simulation_.world();
  const auto known = appearance_.parts.find(static_cast<std::uint32_t>(body));
  const std::vector<physics::Part> parts = world.parts(body);
  FixedFigure own{{}, body};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    PartAppearance look;
    if (known != appearance_.parts.end() && i < known->second.size()) look = known->second[i];
    const geo::Pose pose = world.pose(body) * parts[i].pose;
    if (add_instance(body, i, parts[i], look, pose)) continue;
    std::vector<Paint> paints;
    const Figure figure = part_figure(body, i, parts[i], look, pose, paints);
    append(own.mesh, figure, paints, pose);
  }
  if (!own.mesh.paints.empty()) scene_.fixed.push_back(std::move(own));
}

/// Sorted by paint, as in append().
std::uint32_t SceneBuilder::add_shape(const Figure& figure) {
  PaintedMesh& mesh = scene_.shapes.emplace_back().mesh;
  mesh.points = figure.mesh.points;
  const std::size_t paints =
      figure.paint.empty() ? 0 : std::size_t{1} + *std::max_element(figure.paint.begin(), figure.paint.end());
  for (std::size_t k = 0; k < paints; ++k)
    for (std::size_t t = 0; t < figure.paint.size(); ++t) {
      if (figure.paint[t] != k) continue;
      for (std::size_t corner = 0; corner < 3; ++corner) mesh.indices.push_back(figure.mesh.indices[3 * t + corner]);
      mesh.paints.push_back(static_cast<std::uint32_t>(k));
    }
  return static_cast<std::uint32_t>(scene_.shapes.size() - 1);
}

bool SceneBuilder::add_instance(BodyId body, std::size_t index, const physics::Part& part, const PartAppearance& look,
                                const geo::Pose& pose) {
  const auto* box = std::get_if<physics::Box>(&part.shape);
  const geo::Vec3 size = box != nullptr ? box->size : geo::Vec3{};
  const auto place = [&](const KnownShape& known, std::uint32_t first_paint) {
    scene_.instances.push_back({known.shape, first_paint, pose, body, static_cast<std::uint32_t>(index)});
    return true;
  };
  const Model* model = models_.place(look.model, drawn_instead(look));
  if (model != nullptr) {
    const auto [it, is_new] =
        shapes_.try_emplace({Material::plain, look.model.folder, look.model.type, size.x, size.y, size.z});
    if (is_new) {
      std::vector<Paint> paints;
      it->second.shape = add_shape(ModelStore::figure_of(*model, box != nullptr ? &size : nullptr, paints));
      it->second.first_paint = static_cast<std::uint32_t>(scene_.paints.size());
      scene_.paints.insert(scene_.paints.end(), paints.begin(), paints.end());
    }
    return place(it->second, it->second.first_paint);
  }
  if (box == nullptr ||
      (look.material != Material::house && look.material != Material::tree && look.material != Material::vehicle))
    return false;
  const std::uint64_t key = hash64(simulation_.world().name(body), index + 1);
  const auto [it, is_new] = shapes_.try_emplace({look.material, "", "", size.x, size.y, size.z});
  KnownShape& known = it->second;
  if (is_new)
    known.shape = add_shape(look.material == Material::tree      ? tree_figure(size)
                            : look.material == Material::vehicle ? parked_car_figure(size, known.eaves)
                                                                 : house_figure(size, known.eaves));
  const auto first = static_cast<std::uint32_t>(scene_.paints.size());
  if (look.material == Material::tree)
    for (const Paint& paint : tree_paints(key)) add_paint(paint);
  else if (look.material == Material::vehicle)
    for (const Paint& paint : parked_car_paints(key, known.eaves, size.y)) add_paint(paint);
  else
    add_paint(house_paint(key, pose.p.y - size.y / 2, size.y, known.eaves));
  return place(known, first);
}

Figure SceneBuilder::part_figure(BodyId body, std::size_t index, const physics::Part& part, const PartAppearance& known,
                                 const geo::Pose& pose, std::vector<Paint>& paints) const {
  const physics::World& world = simulation_.world();
  Figure figure = plain_figure(part_surface(world, body, index, part));
  if (known.material == Material::building) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vec3& p : figure.mesh.points) {
      low = std::min(low, (pose * p).y);
      high = std::max(high, (pose * p).y);
    }
    paints = {building_paint(hash64(world.name(body), index + 1), low, high - low)};
  } else {
    paints = {fixture_paint(hash64(world.name(body)))};
  }
  return figure;
}

/// A single box on three wheels or more.
bool SceneBuilder::is_car(BodyId body, const std::vector<physics::Part>& parts) const {
  const physics::World& world = simulation_.world();
  std::size_t wheels = 0;
  for (std::size_t i = 0; i < world.vehicle_count(); ++i)
    if (const physics::VehicleId id{static_cast<std::uint32_t>(i)}; world.chassis(id) == body)
      wheels = std::max(wheels, world.vehicle(id).wheels.size());
  return wheels >= 3 && parts.size() == 1 && std::holds_alternative<physics::Box>(parts[0].shape);
}

void SceneBuilder::add_mover(BodyId body) {
  const physics::World& world = simulation_.world();
  MovingFigure mover;
  mover.body = body;
  const std::vector<physics::Part> parts = world.parts(body);
  const bool car = is_car(body, parts);
  // A robot's color is derived from its name, and the same for all its parts.
  const std::string& name = world.name(body);
  const std::uint64_t key = hash64(std::string_view(name).substr(0, name.find('.')));
  std::vector<Vec3> corners{parts.empty() ? Vec3{} : parts[0].pose.p};
  const auto model = appearance_.bodies.find(static_cast<std::uint32_t>(body));
  const auto colors = appearance_.colors.find(static_cast<std::uint32_t>(body));
  Figure figure;
  std::vector<Paint> paints;
  if (model != appearance_.bodies.end() && models_.load(model->second, instead_of_body(car), figure, paints)) {
    append(mover.mesh, figure, paints, {});
  } else {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (car) {
        const Vec3 size = std::get<physics::Box>(parts[i].shape).size;
        double belt = 0;
        figure = car_figure(size, belt);
        paints = {car_paint(key, belt, size.y)};
      } else {
        figure = plain_figure(part_surface(world, body, i, parts[i]));
        paints = {body_paint(key)};
        if (colors != appearance_.colors.end() && i < colors->second.size() && colors->second[i])
          paints[0].color = part_color(*colors->second[i]);
      }
      append(mover.mesh, figure, paints, parts[i].pose);
    }
  }
  corners.insert(corners.end(), mover.mesh.points.begin(), mover.mesh.points.end());
  const auto [low, high] = bounds_of(corners);
  mover.middle = 0.5 * (low + high);
  mover.radius = 0.5 * length(high - low) * kRadiusMargin;
  if (!mover.mesh.paints.empty()) scene_.movers.push_back(std::move(mover));
}

void SceneBuilder::add_wheels(physics::VehicleId vehicle) {
  const auto& wheels = simulation_.world().vehicle(vehicle).wheels;
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const physics::Cylinder tire{wheels[i].radius, wheels[i].width};
    if (!physics::check_shape(tire).empty()) continue;
    MovingFigure mover;
    mover.vehicle = vehicle;
    mover.wheel = i;
    Figure figure;
    std::vector<Paint> paints;
    const auto model = appearance_.wheels.find({static_cast<std::uint32_t>(vehicle), i});
    mover.radius = std::sqrt(tire.radius * tire.radius + tire.length * tire.length / 4) * kRadiusMargin;
    if (model != appearance_.wheels.end() && models_.load(model->second, kInsteadOfWheel, figure, paints)) {
      append(mover.mesh, figure, paints, {});
      for (const Vec3& p : figure.mesh.points) mover.radius = std::max(mover.radius, length(p) * kRadiusMargin);
    } else {
      append(mover.mesh, plain_figure(triangles_of(physics::Shape(tire), 20)), {wheel_paint(tire.radius)},
             {{}, geo::rotation_between({0, 1, 0}, {1, 0, 0})});
    }
    if (!mover.mesh.paints.empty()) scene_.movers.push_back(std::move(mover));
  }
}

}  // namespace simbatch::scene
