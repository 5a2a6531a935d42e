// Worlds: what never moves becomes fixed objects, the rest robots.

#include <fmt/format.h>

#include <cmath>

#include "base/geo/frames.hpp"
#include "base/geo/geo.hpp"
#include "lib/robots/codes.hpp"
#include "lib/robots/merge.hpp"
#include "lib/robots/shapes.hpp"
#include "lib/robots/to_autosim.hpp"

namespace simbatch::robots {
namespace {

constexpr double kSlabSize = 1000, kSlabDepth = 1;  // m: a tilted plane becomes a slab

autosim::Pose entry_pose(const Pose& up) {
  const Vec3 p = geo::swap_up(up.p);
  const autosim::Vector3 turns = degrees_of(geo::swap_up(up.q));
  autosim::Pose pose;
  pose.x = p.x + 0.0;
  pose.y = p.y + 0.0;
  pose.z = p.z + 0.0;
  pose.heading = turns.y;
  pose.tilt_x = turns.x;
  pose.tilt_z = turns.z;
  return pose;
}

class WorldMaker {
 public:
  WorldMaker(const World& world, std::string file, const MeshFinder& find_mesh, Diagnostics& problems)
      : world_(world), file_(std::move(file)), find_mesh_(find_mesh), problems_(problems) {}

  AutosimWorld make() {
    autosim::World& to = out_.world;
    if (!world_.name.empty()) to.name = UsedNames().add(world_.name);
    to.physics.gravity = detail::up_vector(world_.gravity);
    if (world_.step) to.physics.step = *world_.step;
    for (const Model& model : world_.models)
      if (model.is_static)
        add_static(model);
      else
        for (const Model& piece : split(model)) add_robot(piece);
    if (world_.geographic) to.physics.origin = autosim::Geographic{(*world_.geographic)[0], (*world_.geographic)[1]};
    return std::move(out_);
  }

 private:
  void add_robot(const Model& model) {
    AutosimRobot made = to_autosim(model, find_mesh_, problems_);
    autosim::RobotEntry entry;
    entry.name = names_.add(model.name);
    entry.place.at = model.place;
    entry.file = file_;
    entry.pose = entry_pose(model.pose);
    entry.fixed = std::move(made.fixed);
    out_.robots.emplace(entry.name, std::move(made.robot));
    out_.world.robots.push_back(std::move(entry));
  }

  void add_static(const Model& model) {
    for (const Part& part : model.parts)
      for (const Solid& solid : part.collisions) {
        Solid in_world = solid;
        in_world.pose = model.pose * part.pose * solid.pose;
        if (solid.shape.kind == Shape::Kind::plane)
          add_plane(in_world, model);
        else
          add_object(in_world, model, part);
      }
  }

  void add_plane(Solid& plane, const Model& model) {
    const Vec3 normal = geo::normalized(plane.pose.q * plane.shape.size);
    autosim::Terrain& ground = out_.world.terrain;
    if (normal.z > 1 - 1e-9 && ground.kind == autosim::Terrain::Kind::none) {
      ground.kind = autosim::Terrain::Kind::plane;
      ground.name = names_.add(model.name);
      ground.place.at = model.place;
      ground.height = plane.pose.p.z;
      ground.friction = plane.friction;
      return;
    }
    // Only one half space can be the ground.
    const geo::Quat q = geo::rotation_between({0, 0, 1}, normal);
    plane.pose = {plane.pose.p - (kSlabDepth / 2) * normal, q};
    plane.shape.kind = Shape::Kind::box;
    plane.shape.size = {kSlabSize, kSlabSize, kSlabDepth};
    problems_.report(code::kShape, plane.place,
                     fmt::format("the plane {} becomes a slab of {} m by {} m: there is only one level ground",
                                 quoted(model.name), kSlabSize, kSlabSize));
    add_object(plane, model, model.parts.front());
  }

  void add_object(const Solid& solid, const Model& model, const Part& part) {
    auto placed = detail::placed(solid, find_mesh_, problems_);
    if (!placed) return;
    autosim::StaticObject object;
    const bool single = model.parts.size() == 1 && part.collisions.size() == 1;
    object.name = names_.add(single ? model.name : model.name + "_" + part.name + (solid.name.empty() ? "" : "_" + solid.name));
    object.place.at = solid.place;
    object.shape = placed->shape;
    // An object's position is the center of its underside, a mesh's its own origin.
    const double half = placed->shape.kind == autosim::Shape::Kind::box        ? placed->shape.size.y / 2
                        : placed->shape.kind == autosim::Shape::Kind::sphere   ? placed->shape.radius
                        : placed->shape.kind == autosim::Shape::Kind::cylinder ? placed->shape.length / 2
                        : placed->shape.kind == autosim::Shape::Kind::capsule  ? placed->shape.length / 2 + placed->shape.radius
                                                                               : 0;
    const Vec3 low = placed->position - placed->rotation * Vec3{0, half, 0};
    object.pose.x = low.x + 0.0;
    object.pose.y = low.y + 0.0;
    object.pose.z = low.z + 0.0;
    const autosim::Vector3 turns = degrees_of(placed->rotation);
    object.pose.heading = turns.y;
    object.pose.tilt_x = turns.x;
    object.pose.tilt_z = turns.z;
    object.friction = solid.friction;
    if (solid.restitution) object.restitution = std::min(*solid.restitution, 1.0);
    out_.world.statics.push_back(std::move(object));
  }

  const World& world_;
  std::string file_;
  const MeshFinder& find_mesh_;
  Diagnostics& problems_;
  UsedNames names_;
  AutosimWorld out_;
};

}  // namespace

AutosimWorld to_autosim(const World& world, const std::string& file, const MeshFinder& find_mesh, Diagnostics& problems) {
  return WorldMaker(world, file, find_mesh, problems).make();
}

}  // namespace simbatch::robots
