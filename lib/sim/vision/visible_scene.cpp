#include "lib/sim/vision/visible_scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "lib/sim/vision/codes.hpp"
#include "lib/sim/vision/figures.hpp"
#include "lib/sim/vision/models.hpp"
#include "lib/sim/vision/tessellate.hpp"

namespace simbatch::sim::vision {
namespace {

using physics::BodyId;

Rgb from_list(std::span<const Rgb> list, std::uint64_t key) { return list[key % list.size()]; }

Paint building_paint(std::uint64_t key, double base, double height) {
  static const Rgb walls[] = {screen_color(226, 214, 190), screen_color(212, 190, 160), screen_color(197, 122, 92),
                              screen_color(228, 226, 218), screen_color(180, 150, 120), screen_color(208, 200, 176),
                              screen_color(170, 96, 76),   screen_color(196, 206, 200)};
  static const Rgb roofs[] = {screen_color(150, 74, 54), screen_color(122, 66, 52), screen_color(96, 92, 90),
                              screen_color(134, 82, 60)};
  Paint paint;
  paint.material = Material::building;
  paint.color = from_list(walls, key);
  paint.second = from_list(roofs, key / 8);
  paint.base = static_cast<float>(base);
  paint.windows = height > 2.2 ? static_cast<float>(height) : 0;
  // Floors that fill the height evenly.
  paint.floor_height = static_cast<float>(height / std::max(1.0, std::floor(height / 2.8)));
  return paint;
}

Rgb body_color(std::uint64_t key) {
  static const Rgb colors[] = {screen_color(28, 78, 178), screen_color(196, 34, 34),   screen_color(235, 176, 32),
                               screen_color(36, 130, 74), screen_color(226, 226, 230), screen_color(226, 104, 28),
                               screen_color(92, 52, 140), screen_color(28, 140, 150)};
  return from_list(colors, key);
}

Figure plain_figure(const physics::TriangleMesh& mesh) {
  Figure figure;
  figure.add_mesh(mesh, 0);
  return figure;
}

physics::TriangleMesh triangles_of(const physics::World& world, BodyId body, std::size_t index, const physics::Part& part) {
  return std::holds_alternative<physics::ConvexHull>(part.shape) ? world.hull_surface(body, index)
                                                                 : vision::triangles_of(part.shape);
}

}  // namespace

VisibleScene::VisibleScene(const Simulation& simulation, Appearance appearance, std::shared_ptr<EmbreeDevice> device)
    : simulation_(simulation), appearance_(std::move(appearance)), device_(std::move(device)), roads_(appearance_.roads) {}

std::uint32_t VisibleScene::add_paint(const Paint& paint) {
  paints_.push_back(paint);
  return static_cast<std::uint32_t>(paints_.size() - 1);
}

void VisibleScene::update() {
  const physics::World& world = simulation_.world();
  if (!fixed_ || bodies_ != world.body_count() || vehicles_ != world.vehicle_count()) collect();
  for (Mover& mover : movers_) {
    mover.pose = mover.body != physics::kNoBody ? world.pose(mover.body) : world.wheel(mover.vehicle, mover.wheel).pose;
    mover.inverse_pose = inverse(mover.pose);
    mover.center = mover.pose * mover.middle;
  }
}

void VisibleScene::collect() {
  const physics::World& world = simulation_.world();
  fixed_ = std::make_unique<Surface>(device_);
  movers_.clear();
  paints_.clear();
  has_plain_ = false;
  model_triangles_ = 0;
  bodies_ = world.body_count();
  vehicles_ = world.vehicle_count();
  for (std::size_t i = 0; i < bodies_; ++i) {
    const BodyId body{static_cast<std::uint32_t>(i)};
    if (world.is_terrain(body))
      add_terrain(body);
    else if (world.kind(body) == physics::BodyKind::fixed)
      add_fixed(body);
    else
      add_body(body);
  }
  for (std::size_t i = 0; i < vehicles_; ++i) add_wheels(physics::VehicleId(static_cast<std::uint32_t>(i)));
  fixed_->commit();
  report_missing();
}

void VisibleScene::add_terrain(BodyId body) {
  const physics::World& world = simulation_.world();
  if (const physics::HeightGrid* grid = world.terrain_grid(body)) {
    Paint paint;
    paint.material = Material::ground;
    const physics::TriangleMesh mesh = vision::triangles_of(*grid);
    fixed_->add_triangles(mesh.points, mesh.indices, add_paint(paint));
    double low = std::numeric_limits<double>::infinity();  // the plain beyond lies a little under the lowest border
    for (int x = 0; x < grid->nx; ++x)
      for (int z = 0; z < grid->nz; ++z)
        if (x == 0 || z == 0 || x == grid->nx - 1 || z == grid->nz - 1)
          low = std::min(
              low,
              grid->heights[static_cast<std::size_t>(z) * static_cast<std::size_t>(grid->nx) + static_cast<std::size_t>(x)]);
    plain_y_ = (has_plain_ ? std::min(plain_y_, low) : low) - 0.1;
    has_plain_ = true;
    return;
  }
  const auto known = appearance_.terrains.find(static_cast<std::uint32_t>(body));
  std::vector<TerrainStretch> stretches{{0, Material::ground}};
  if (known != appearance_.terrains.end()) stretches = known->second;
  for (const physics::Part& part : world.parts(body)) {
    const auto& mesh = std::get<physics::TriangleMesh>(part.shape);
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const std::size_t end =
          std::min(i + 1 < stretches.size() ? stretches[i + 1].first_triangle * 3 : mesh.indices.size(), mesh.indices.size());
      const std::size_t first = std::min(stretches[i].first_triangle * 3, end);
      // mesh_of() hands out three points a triangle, in order.
      Paint paint;
      paint.material = stretches[i].material;
      physics::TriangleMesh piece;
      for (std::size_t k = first; k < end; ++k) {
        piece.indices.push_back(static_cast<std::uint32_t>(piece.points.size()));
        piece.points.push_back(mesh.points[mesh.indices[k]]);
      }
      fixed_->add_triangles(piece.points, piece.indices, add_paint(paint));
    }
  }
}

void VisibleScene::add_figure(Surface& to, const Figure& figure, const std::vector<Paint>& paints, const geo::Pose& pose) {
  std::vector<Vec3> points;
  points.reserve(figure.mesh.points.size());
  for (const Vec3& p : figure.mesh.points) points.push_back(pose * p);
  for (std::size_t k = 0; k < paints.size(); ++k) {
    std::vector<std::uint32_t> indices;
    for (std::size_t t = 0; t < figure.paint.size(); ++t)
      if (figure.paint[t] == k)
        indices.insert(indices.end(), figure.mesh.indices.begin() + static_cast<std::ptrdiff_t>(3 * t),
                       figure.mesh.indices.begin() + static_cast<std::ptrdiff_t>(3 * t + 3));
    if (!indices.empty()) to.add_triangles(points, indices, add_paint(paints[k]));
  }
}

const std::optional<Model>& VisibleScene::model_of(const ModelFile& file, std::string_view instead) {
  const std::pair key(file.folder, file.type);
  if (const auto known = models_.find(key); known != models_.end()) return known->second;
  // The houses of a map have no place in a text: what is missing there is told in one line.
  if (file.at == Position{} && !is_there(file)) {
    missing_[file.named_in].push_back(file.name);
    return models_[key];
  }
  return models_.emplace(key, read_model(file, instead, problems_)).first->second;
}

void VisibleScene::report_missing() {
  for (const auto& [file, names] : missing_) {
    Diagnostics own(file);
    const std::string all =
        names.size() == 1 ? "a model that houses name is" : number_text(names.size()) + " models that houses name are";
    own.report(vision_code::kMissing, {},
               all + " not there, " + (names.size() == 1 ? "" : "the first one ") + quoted(names.front()) +
                   "; plain houses and trees of their size are drawn instead");
    problems_.append(std::move(own));
  }
  missing_.clear();
}

bool VisibleScene::load_model(const ModelFile& file, std::string_view instead, const Vec3* fit, Figure& figure,
                              std::vector<Paint>& paints) {
  if (file.folder.empty()) return false;
  const std::optional<Model>& known = model_of(file, instead);
  if (!known) return false;
  if (model_triangles_ + known->paint.size() > appearance_.max_model_triangles) {
    if (!too_many_) {
      Diagnostics own(file.named_in);
      own.report(vision_code::kTooMany, file.at,
                 "with the model " + quoted(file.name) + " all models together have more than " +
                     number_text(appearance_.max_model_triangles) + " triangles; what is beyond is drawn as its shape");
      problems_.append(std::move(own));
    }
    too_many_ = true;
    return false;
  }
  model_triangles_ += known->paint.size();
  std::optional<Model> model = known;
  // Static models stand on their base center, a robot's parts on their middle (thesis, C.3); a model in other units than meters is
  // told by nothing, so one that must fill a box is stretched to it.
  if (fit != nullptr) fit_into_box(*model, *fit);
  figure.add_mesh(model->mesh, 0);
  figure.paint = std::move(model->paint);
  for (const Vec3& c : model->colors) {
    Paint paint;
    paint.color = {static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)};
    paints.push_back(paint);
  }
  return true;
}

void VisibleScene::add_fixed(BodyId body) {
  const physics::World& world = simulation_.world();
  const auto known = appearance_.parts.find(static_cast<std::uint32_t>(body));
  const std::vector<physics::Part> parts = world.parts(body);
  const std::uint64_t key = hash64(world.name(body));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    PartAppearance look;
    if (known != appearance_.parts.end() && i < known->second.size()) look = known->second[i];
    const geo::Pose pose = world.pose(body) * parts[i].pose;
    const auto* box = std::get_if<physics::Box>(&parts[i].shape);
    Figure figure;
    std::vector<Paint> paints;
    const std::uint64_t own = hash64(world.name(body), i + 1);
    const std::string_view instead = look.material == Material::tree    ? "a plain tree of its size"
                                     : look.material == Material::house ? "a plain house of its size"
                                                                        : "its shape";
    if (load_model(look.model, instead, box != nullptr ? &box->size : nullptr, figure, paints)) {
      add_figure(*fixed_, figure, paints, pose);
      continue;
    }
    Paint paint;
    if (look.material == Material::house && box != nullptr) {
      figure = house_figure(box->size);
      paint = building_paint(own, pose.p.y - box->size.y / 2, box->size.y);
      paint.material = Material::house;
      if (figure.mesh.points.size() > 8) {  // with a gable: rows of windows up to the eaves, which are the ninth point's height
        const double walls = figure.mesh.points[8].y + box->size.y / 2;
        const double rows = std::max(1.0, std::floor(walls / 2.6));
        paint.floor_height = static_cast<float>(walls / rows);
        paint.windows = static_cast<float>(walls);
      }
      paints = {paint};
    } else if (look.material == Material::tree && box != nullptr) {
      figure = tree_figure(box->size);
      Paint crown, trunk;
      crown.material = Material::tree;
      crown.color = mix(screen_color(58, 104, 44), screen_color(98, 126, 52), static_cast<float>(own % 97) / 96);
      trunk.color = screen_color(96, 74, 54);
      paints = {crown, trunk};
    } else {
      figure = plain_figure(triangles_of(world, body, i, parts[i]));
      if (look.material == Material::building) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const Vec3& p : figure.mesh.points) {
          low = std::min(low, (pose * p).y);
          high = std::max(high, (pose * p).y);
        }
        paint = building_paint(own, low, high - low);
      } else {
        static const Rgb colors[] = {screen_color(176, 120, 84), screen_color(150, 156, 164), screen_color(188, 170, 130),
                                     screen_color(128, 140, 120)};
        paint.color = from_list(colors, key);
      }
      paints = {paint};
    }
    add_figure(*fixed_, figure, paints, pose);
  }
}

void VisibleScene::finish(Mover& mover, const Figure& figure, const std::vector<Paint>& paints, const geo::Pose& in_frame) {
  if (!mover.surface) mover.surface = std::make_unique<Surface>(device_);
  add_figure(*mover.surface, figure, paints, in_frame);
}

void VisibleScene::add_body(BodyId body) {
  const physics::World& world = simulation_.world();
  Mover mover;
  mover.body = body;
  mover.surface = std::make_unique<Surface>(device_);
  std::size_t wheels = 0;
  for (std::size_t i = 0; i < vehicles_; ++i)
    if (const physics::VehicleId id{static_cast<std::uint32_t>(i)}; world.chassis(id) == body)
      wheels = std::max(wheels, world.vehicle(id).wheels.size());
  const std::vector<physics::Part> parts = world.parts(body);
  // A robot's color is that of its name, and the same for all its parts.
  const std::string& name = world.name(body);
  const std::uint64_t key = hash64(std::string_view(name).substr(0, name.find('.')));
  const auto model = appearance_.bodies.find(static_cast<std::uint32_t>(body));
  Figure figure;
  std::vector<Paint> paints;
  Vec3 low = parts.empty() ? Vec3{} : parts[0].pose.p, high = low;
  const bool is_car = wheels >= 3 && parts.size() == 1 && std::holds_alternative<physics::Box>(parts[0].shape);
  if (model != appearance_.bodies.end() &&
      load_model(model->second, is_car ? "a plain car of its size" : "its shape", nullptr, figure, paints)) {
    finish(mover, figure, paints);
    for (const Vec3& p : figure.mesh.points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  } else {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Paint paint;
      paint.color = body_color(key);
      const auto* box = std::get_if<physics::Box>(&parts[i].shape);
      if (is_car) {
        double belt = 0;
        figure = car_figure(box->size, belt);
        paint.material = Material::vehicle;
        paint.base = static_cast<float>(belt);
        paint.floor_height = static_cast<float>(box->size.y * 0.42);
        paint.second = screen_color(40, 52, 66);
      } else {
        figure = plain_figure(triangles_of(world, body, i, parts[i]));
      }
      finish(mover, figure, {paint}, parts[i].pose);
      for (const Vec3& q : figure.mesh.points) {
        const Vec3 p = parts[i].pose * q;
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
      }
    }
  }
  mover.middle = 0.5 * (low + high);
  mover.radius = 0.5 * length(high - low) * 1.001;
  mover.surface->commit();
  if (!mover.surface->empty()) movers_.push_back(std::move(mover));
}

void VisibleScene::add_wheels(physics::VehicleId vehicle) {
  const physics::World& world = simulation_.world();
  const auto& wheels = world.vehicle(vehicle).wheels;
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const physics::Cylinder tire{wheels[i].radius, wheels[i].width};
    if (!physics::check_shape(tire).empty()) continue;
    Mover mover;
    mover.vehicle = vehicle;
    mover.wheel = i;
    Figure figure;
    std::vector<Paint> paints;
    const auto model = appearance_.wheels.find({static_cast<std::uint32_t>(vehicle), i});
    if (model != appearance_.wheels.end() && load_model(model->second, "a plain wheel", nullptr, figure, paints)) {
      finish(mover, figure, paints);
    } else {
      Paint paint;
      paint.material = Material::wheel;
      paint.color = screen_color(34, 34, 36);
      paint.second = screen_color(186, 190, 196);
      paint.base = static_cast<float>(tire.radius);
      finish(mover, plain_figure(vision::triangles_of(physics::Shape(tire), 20)), {paint},
             {{}, geo::rotation_between({0, 1, 0}, {1, 0, 0})});
    }
    mover.radius = std::sqrt(tire.radius * tire.radius + tire.length * tire.length / 4) * 1.001;
    for (const Vec3& p : figure.mesh.points) mover.radius = std::max(mover.radius, length(p) * 1.001);
    mover.surface->commit();
    if (!mover.surface->empty()) movers_.push_back(std::move(mover));
  }
}

}  // namespace simbatch::sim::vision
