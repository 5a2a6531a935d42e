// Boxes, spheres, capsules, cylinders and meshes of the section Objects: fixed (thesis C.7) and loose bodies.

#include "lib/scenario/site.hpp"

#include "lib/scenario/codes.hpp"

namespace simbatch::scenario::detail {
namespace {

std::string_view kind_of(const autosim::Shape& shape) {
  constexpr std::string_view kNames[] = {"Box", "Sphere", "Capsule", "Cylinder", "Mesh"};
  return kNames[static_cast<std::size_t>(shape.kind)];
}

/// A movable body, with its own node below the root that shows its pose. @param body  without the settings that make it movable
void add_loose(const Site& site, const autosim::StaticObject& object, physics::BodySettings body, Scene& scene) {
  if (!physics::is_sound(physics::mass_properties(body.parts, *object.mass).inertia)) {
    site.files.report(code::kShape, object.place.at,
                      "the inertia of " + quoted(object.name) + " cannot be computed from its size; give it another size");
    return;
  }
  const TreeNode* node = site.simulation.tree().register_child(
      std::make_unique<TreeNode>(object.name, make_type(std::string(kind_of(object.shape)), BodyTable::pose_fields()),
                                 Source{site.files.scenario(), object.place.at}),
      site.files.problems());
  if (node == nullptr) return;
  body.kind = physics::BodyKind::dynamic;
  body.mass = *object.mass;
  body.linear_velocity = vec(object.motion.linear);
  body.angular_velocity = angular_velocity_of(object.motion);
  const std::vector<physics::Part> parts = body.parts;
  const physics::BodyId id = site.simulation.world().add_body(std::move(body));
  site.assembly.bodies->add(id, *node);
  if (object.model)
    scene.appearance.bodies[static_cast<std::uint32_t>(id)] =
        site.files.model_of(object.model.get(), site.files.scenario(), object.place.at);
  if (site.file.physics.water) site.assembly.fluid->add(id, parts, {});
}

}  // namespace

Scene build_statics(const Site& site) {
  Scene scene;
  for (const autosim::StaticObject& object : site.file.statics) {
    auto shapes =
        shapes_of(site, object.shape, site.files.scenario(), object.place.at, object.mass ? MeshUse::hull : MeshUse::surface);
    const auto place = site.placed(object.pose, object.place.at);
    if (shapes.empty() || !place) continue;
    const geo::Quat q = rotation_of(*place);
    // Position is the center of the underside of the untilted shape; a mesh has its own origin.
    const bool own_origin = object.shape.kind == autosim::Shape::Kind::mesh;
    const double lift = own_origin ? 0 : -height_span(shapes.front(), {}).low;
    const double y =
        object.pose.y ? *object.pose.y
                      : site.ground(place->x, place->z, object.name, object.place.at, place->over_ground) + object.pose.above;
    physics::BodySettings body;
    body.name = object.name;
    body.kind = physics::BodyKind::fixed;
    for (physics::Shape& shape : shapes) body.parts.push_back({std::move(shape), {}});
    body.pose = {geo::Vec3{place->x, y, place->z} + q * geo::Vec3{0, lift, 0}, q};
    body.friction = object.friction.value_or(site.default_friction());
    body.restitution = object.restitution.value_or(site.file.physics.restitution);
    if (object.mass) {
      add_loose(site, object, std::move(body), scene);
      continue;
    }
    const physics::BodyId id = site.simulation.world().add_body(std::move(body));
    if (object.model)
      scene.appearance.parts[static_cast<std::uint32_t>(id)] = {
          {scene::Material::plain, site.files.model_of(object.model.get(), site.files.scenario(), object.place.at)}};
  }
  return scene;
}

}  // namespace simbatch::scenario::detail
