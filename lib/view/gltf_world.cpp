// One geometry per mesh, shared by all its primitives; triangles grouped by their flat color; one glTF mesh for each shape in
// each set of colors.

#include "lib/view/gltf_world.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/core/number.hpp"
#include "lib/sim/scene/flat_look.hpp"
#include "lib/view/codes.hpp"

namespace simbatch::view {
namespace {

using geo::Pose;
using geo::Vec3;

Vec3 mirrored(Vec3 p) { return {p.x, p.y, -p.z}; }
geo::Quat mirrored(geo::Quat q) { return {q.w, -q.x, -q.y, q.z}; }
Pose mirrored(const Pose& pose) { return {mirrored(pose.p), mirrored(pose.q)}; }

std::array<float, 3> floats(Vec3 p) { return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)}; }
std::array<float, 4> floats(geo::Quat q) {
  const geo::Quat n = geo::normalized(q);
  return {static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z), static_cast<float>(n.w)};
}

class WorldAsset {
 public:
  WorldAsset(const scene::PaintedScene& scene, const sim::Simulation& simulation) : scene_(scene), simulation_(simulation) {}

  gltf::Asset build(const std::vector<WorldCamera>& cameras, const Motion* motion) {
    motion_ = motion;
    add_fixed();
    add_planes();
    add_instances();
    add_movers();
    add_cameras(cameras);
    if (motion_ != nullptr) add_motion(*motion_);
    return std::move(asset_);
  }

  gltf::Asset fixed() {
    add_fixed();
    add_planes();
    add_instances();
    return std::move(asset_);
  }

  gltf::Asset figure(const scene::MovingFigure& figure) {
    const std::string name = mover_name(simulation_, figure);
    if (const auto mesh = mesh_of(group(figure.mesh, 0), 0, name)) add_node({name, {}, mesh, std::nullopt, {}});
    return std::move(asset_);
  }

 private:
  /// A geometry and its triangles grouped by appearance. The appearance of instances depends on their paints.
  struct Grouped {
    std::uint32_t geometry = 0;
    std::vector<std::uint32_t> indices;                  // into Asset::indices, one per group
    std::vector<std::pair<std::uint32_t, Vec3>> sample;  // paint and normal of a triangle of each group
    std::vector<Vec3> middle;
  };

  std::uint32_t material_of(const scene::Paint& paint, Vec3 middle, Vec3 normal) {
    const scene::FlatLook look = scene::flat_look(paint, middle, normal);
    const auto key = std::tuple(look.name, look.color.r, look.color.g, look.color.b);
    const auto [it, is_new] = materials_.try_emplace(key, static_cast<std::uint32_t>(asset_.materials.size()));
    if (is_new) {
      const auto limited = [](float c) { return std::clamp(c, 0.0f, 1.0f); };
      asset_.materials.push_back({std::string(look.name),
                                  {limited(look.color.r), limited(look.color.g), limited(look.color.b), 1},
                                  look.metallic,
                                  look.roughness});
    }
    return it->second;
  }

  /// Groups triangles of equal appearance: by paint and by the name from flat_look().
  Grouped group(const scene::PaintedMesh& mesh, std::uint32_t first_paint) {
    std::map<std::pair<std::uint32_t, std::string_view>, std::vector<std::uint32_t>> groups;
    std::map<std::pair<std::uint32_t, std::string_view>, std::pair<Vec3, Vec3>> samples;
    for (std::size_t t = 0; t < mesh.paints.size(); ++t) {
      const std::uint32_t* c = &mesh.indices[3 * t];
      const Vec3 a = mesh.points[c[0]], b = mesh.points[c[1]], d = mesh.points[c[2]];
      const Vec3 normal = geo::normalized(cross(b - a, d - a)), middle = (1.0 / 3) * (a + b + d);
      if (!(dot(normal, normal) > 0.5)) continue;  // no area
      const auto key =
          std::pair(mesh.paints[t], scene::flat_look(scene_.paints[first_paint + mesh.paints[t]], middle, normal).name);
      auto& corners = groups[key];
      corners.insert(corners.end(), {c[0], c[2], c[1]});  // mirroring reverses the winding of triangles
      samples.try_emplace(key, middle, normal);
    }
    Grouped made;
    if (groups.empty()) return made;
    made.geometry = static_cast<std::uint32_t>(asset_.geometries.size());
    auto& points = asset_.geometries.emplace_back();
    for (const Vec3& p : mesh.points) points.push_back(floats(mirrored(p)));
    for (auto& [key, corners] : groups) {
      made.indices.push_back(static_cast<std::uint32_t>(asset_.indices.size()));
      asset_.indices.push_back(std::move(corners));
      made.sample.emplace_back(key.first, samples[key].second);
      made.middle.push_back(samples[key].first);
    }
    return made;
  }

  /// Empty if the mesh has no triangle of positive area.
  std::optional<std::uint32_t> mesh_of(const Grouped& grouped, std::uint32_t first_paint, const std::string& name) {
    if (grouped.indices.empty()) return std::nullopt;
    gltf::Mesh mesh{name, {}};
    for (std::size_t g = 0; g < grouped.indices.size(); ++g)
      mesh.primitives.push_back(
          {grouped.geometry, grouped.indices[g],
           material_of(scene_.paints[first_paint + grouped.sample[g].first], grouped.middle[g], grouped.sample[g].second)});
    asset_.meshes.push_back(std::move(mesh));
    return static_cast<std::uint32_t>(asset_.meshes.size() - 1);
  }

  std::uint32_t add_node(gltf::Node node) {
    asset_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(asset_.nodes.size() - 1);
  }

  void add_fixed() {
    for (const scene::FixedFigure& figure : scene_.fixed) {
      const std::string& name = scene::name_of(figure, simulation_.world());
      const auto mesh = mesh_of(group(figure.mesh, 0), 0, name);
      if (!mesh) continue;
      const std::uint32_t node = add_node({name, {}, mesh, std::nullopt, {}});
      if (figure.body != physics::kNoBody) fixed_[figure.body] = node;
    }
  }

  /// Endless planes as squares about everything, since glTF has nothing without an end: the ground, also that beyond a terrain,
  /// and water.
  void add_planes() {
    if (!scene_.plain_y && !scene_.water_y) return;
    constexpr double kLeast = 1000, kAround = 2;  // m; times the reach of what there is
    Vec3 low{}, high{};
    bool any = false;
    const auto include = [&](Vec3 p) {
      low = any ? Vec3{std::min(low.x, p.x), 0, std::min(low.z, p.z)} : p;
      high = any ? Vec3{std::max(high.x, p.x), 0, std::max(high.z, p.z)} : p;
      any = true;
    };
    for (const scene::FixedFigure& figure : scene_.fixed)
      for (const Vec3& p : figure.mesh.points) include(p);
    for (const scene::Instance& instance : scene_.instances) include(instance.pose.p);
    for (std::size_t i = 0; i < scene_.movers.size(); ++i)
      if (scene_.movers[i].body != physics::kNoBody) include(first_pose(i).p);
    const double half = std::max(kLeast, kAround * std::max(high.x - low.x, high.z - low.z) / 2);
    const Vec3 middle = 0.5 * (low + high);
    scene::Paint grass;
    grass.material = scene::Material::ground;
    if (scene_.plain_y) add_square("plain", {middle.x, *scene_.plain_y, middle.z}, half, material_of(grass, middle, {0, 1, 0}));
    if (!scene_.water_y) return;
    constexpr scene::Rgb kColor = scene::kWaterColor;
    asset_.materials.push_back({"water", {kColor.r, kColor.g, kColor.b, scene::kWaterOpacity}, 0, 0.3f, true});
    add_square("water", {middle.x, *scene_.water_y, middle.z}, half, number(asset_.materials) - 1);
  }

  template <class List>
  static std::uint32_t number(const List& list) {
    return static_cast<std::uint32_t>(list.size());
  }

  /// @param half  of its sides, m
  void add_square(const std::string& name, Vec3 middle, double half, std::uint32_t material) {
    const auto corner = [&](double x, double z) { return floats(mirrored(middle + Vec3{x * half, 0, z * half})); };
    const gltf::Primitive square{number(asset_.geometries), number(asset_.indices), material};
    asset_.geometries.push_back({corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)});
    asset_.indices.push_back({0, 1, 2, 0, 2, 3});  // mirrored: counter-clockwise from above
    asset_.meshes.push_back({name, {square}});
    add_node({name, {}, number(asset_.meshes) - 1, std::nullopt, {}});
  }

  void add_instances() {
    std::map<std::uint32_t, Grouped> shapes;
    std::map<std::vector<std::uint32_t>, std::optional<std::uint32_t>> meshes;  // by shape and materials
    for (const scene::Instance& instance : scene_.instances) {
      const auto shape = shapes.find(instance.shape);
      const Grouped& grouped =
          shape != shapes.end()
              ? shape->second
              : shapes.emplace(instance.shape, group(scene_.shapes[instance.shape].mesh, instance.first_paint)).first->second;
      std::vector<std::uint32_t> key{instance.shape};
      for (std::size_t g = 0; g < grouped.indices.size(); ++g)
        key.push_back(material_of(scene_.paints[instance.first_paint + grouped.sample[g].first], grouped.middle[g],
                                  grouped.sample[g].second));
      const auto [mesh, is_new] = meshes.try_emplace(key);
      const std::string& body = simulation_.world().name(instance.body);
      if (is_new) mesh->second = mesh_of(grouped, instance.first_paint, "shape " + number_text(instance.shape));
      if (!mesh->second) continue;
      auto [owner, is_new_owner] = fixed_.try_emplace(instance.body);
      if (is_new_owner) owner->second = add_node({body, {}, std::nullopt, std::nullopt, {}});
      const std::uint32_t node =
          add_node({body + "#" + number_text(instance.part), mirrored(instance.pose), mesh->second, std::nullopt, {}});
      asset_.nodes[owner->second].children.push_back(node);
    }
  }

  void add_movers() {
    const physics::World& world = simulation_.world();
    nodes_.resize(scene_.movers.size());
    for (std::size_t i = 0; i < scene_.movers.size(); ++i) {
      const scene::MovingFigure& mover = scene_.movers[i];
      const std::string name = mover_name(simulation_, mover);
      const auto mesh = mesh_of(group(mover.mesh, 0), 0, name);
      const bool is_body = mover.body != physics::kNoBody;
      const Pose pose = first_pose(i);
      nodes_[i] = add_node({name, mirrored(pose), mesh, std::nullopt, {}});
      if (is_body) bodies_[mover.body] = nodes_[i];
    }
    // wheels become children of their bodies, including bodies that come later
    for (std::size_t i = 0; i < scene_.movers.size(); ++i) {
      const scene::MovingFigure& mover = scene_.movers[i];
      if (mover.body != physics::kNoBody) continue;
      const physics::BodyId chassis = world.chassis(mover.vehicle);
      auto [body, is_new] = bodies_.try_emplace(chassis);
      if (is_new) body->second = add_node({world.name(chassis), mirrored(world.pose(chassis)), std::nullopt, std::nullopt, {}});
      asset_.nodes[body->second].children.push_back(nodes_[i]);
    }
  }

  /// Of a body in the world, or of a wheel in its chassis: in the motion's first row, or now.
  Pose first_pose(std::size_t i) const {
    const scene::MovingFigure& mover = scene_.movers[i];
    if (mover.body != physics::kNoBody)
      return motion_ != nullptr && !motion_->bodies[i].empty() ? motion_->bodies[i].front()
                                                               : simulation_.world().pose(mover.body);
    if (motion_ != nullptr && !motion_->wheels[i].empty()) return hub_of(i, motion_->wheels[i].front());
    const physics::WheelState wheel = simulation_.world().wheel(mover.vehicle, mover.wheel);
    return hub_of(i, {wheel.suspension_length, wheel.steering, wheel.rotation});
  }
  /// Pose of a wheel in its chassis.
  Pose hub_of(std::size_t mover, const WheelSample& s) const {
    const scene::MovingFigure& figure = scene_.movers[mover];
    const Vec3 at = simulation_.world().vehicle(figure.vehicle).wheels[figure.wheel].position;
    return {at - Vec3{0, s.length, 0}, geo::rotation({0, 1, 0}, s.steering) * geo::rotation({1, 0, 0}, s.rotation)};
  }

  void add_cameras(const std::vector<WorldCamera>& cameras) {
    for (const WorldCamera& camera : cameras) {
      const auto body = bodies_.find(camera.body);
      if (body == bodies_.end()) continue;
      asset_.cameras.push_back({camera.name, camera.field_of_view, camera.aspect});
      const auto number = static_cast<std::uint32_t>(asset_.cameras.size() - 1);
      // With mirrored z the camera already looks along -z, as in glTF.
      const std::uint32_t node = add_node({camera.name, mirrored(camera.pose), std::nullopt, number, {}});
      asset_.nodes[body->second].children.push_back(node);
    }
  }

  void add_motion(const Motion& motion) {
    const double dt = simulation_.settings().physics.dt;
    for (const std::int64_t step : motion.steps) {
      const auto time = static_cast<float>(static_cast<double>(step) * dt);
      if (!asset_.times.empty() && !(time > asset_.times.back())) return forget_motion();  // finer than float precision
      asset_.times.push_back(time);
    }
    for (std::size_t i = 0; i < scene_.movers.size(); ++i) {
      gltf::Track track{nodes_[i], {}, {}};
      for (std::size_t row = 0; row < motion.steps.size(); ++row) {
        const Pose pose = mirrored(motion.bodies[i].empty() ? hub_of(i, motion.wheels[i][row]) : motion.bodies[i][row]);
        track.positions.push_back(floats(pose.p));
        track.rotations.push_back(floats(pose.q));
      }
      const auto rests = [](const auto& values) {
        return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
      };
      if (rests(track.positions) && rests(track.rotations)) continue;
      asset_.tracks.push_back(std::move(track));
    }
    if (asset_.tracks.empty()) asset_.times.clear();
  }
  void forget_motion() { asset_.times.clear(); }

  const scene::PaintedScene& scene_;
  const sim::Simulation& simulation_;
  const Motion* motion_ = nullptr;
  gltf::Asset asset_;
  std::map<std::tuple<std::string_view, float, float, float>, std::uint32_t> materials_;
  std::map<physics::BodyId, std::uint32_t> fixed_, bodies_;  // nodes
  std::vector<std::uint32_t> nodes_;                         // of movers
};

}  // namespace

gltf::Asset world_asset(const scene::PaintedScene& scene, const sim::Simulation& simulation,
                        const std::vector<WorldCamera>& cameras, const Motion* motion) {
  return WorldAsset(scene, simulation).build(cameras, motion);
}

gltf::Asset fixed_asset(const scene::PaintedScene& scene, const sim::Simulation& simulation) {
  return WorldAsset(scene, simulation).fixed();
}

gltf::Asset figure_asset(const scene::PaintedScene& scene, const sim::Simulation& simulation,
                         const scene::MovingFigure& figure) {
  return WorldAsset(scene, simulation).figure(figure);
}

std::string world_glb(const gltf::Asset& asset, Diagnostics& problems, std::uint64_t max_bytes) {
  std::string bytes = gltf::write_glb(asset, max_bytes);
  if (bytes.empty())
    problems.report(view_code::kLarge, {},
                    "the world with its motion is larger than " + number_text(max_bytes) +
                        " bytes as GLB; take a trace with fewer rows (--every)");
  return bytes;
}

}  // namespace simbatch::view
