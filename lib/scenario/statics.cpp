// What never moves: boxes, spheres, capsules, cylinders and meshes of the section Objects (thesis C.7).

#include "lib/scenario/site.hpp"

namespace simbatch::scenario::detail {

Scene build_statics(const Site& site) {
  Scene scene;
  for (const autosim::StaticObject& object : site.file.statics) {
    const auto shape = shape_of(site, object.shape, site.files.scenario(), object.place.at, MeshUse::surface);
    const auto place = site.place_of(object.pose, object.place.at);
    if (!shape || !place) continue;
    const geo::Quat q = rotation_of(object.pose);
    // Position is the center of the underside of the untilted shape; a mesh has its own origin.
    const bool own_origin = object.shape.kind == autosim::Shape::Kind::mesh;
    const double lift = own_origin ? 0 : -height_span(*shape, {}).low;
    const double y = object.pose.y ? *object.pose.y
                                   : site.ground(place->east, place->north, object.name, object.place.at) + object.pose.above;
    physics::BodySettings body;
    body.name = object.name;
    body.kind = physics::BodyKind::fixed;
    body.parts.push_back({*shape, {}});
    body.pose = {geo::Vec3{place->east, y, place->north} + q * geo::Vec3{0, lift, 0}, q};
    body.friction = object.friction.value_or(site.default_friction());
    body.restitution = object.restitution.value_or(site.file.physics.restitution);
    const physics::BodyId id = site.simulation.world().add_body(std::move(body));
    if (object.model)
      scene.appearance.parts[static_cast<std::uint32_t>(id)] = {
          {scene::Material::plain, site.files.model_of(object.model, site.files.scenario(), object.place.at)}};
  }
  return scene;
}

}  // namespace simbatch::scenario::detail
