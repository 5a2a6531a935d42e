#include "lib/scenario/context.hpp"

namespace simbatch::scenario::detail {

void build_statics(BuildContext& context) {
  for (const autosim::StaticObject& object : context.world_file.statics) {
    const auto shape = shape_of(context, object.shape, context.scenario_path, object.place.at, MeshUse::surface);
    const auto place = context.place_of(object.pose, object.place.at);
    if (!shape || !place) continue;
    const geo::Quat q = rotation_of(object.pose);
    // Position is the centre of the underside of the untilted shape; a mesh has its own origin.
    const bool own_origin = object.shape.kind == autosim::Shape::Kind::mesh;
    const double lift = own_origin ? 0 : -height_span(*shape, {}).low;
    const double y = object.pose.y
                         ? *object.pose.y
                         : context.ground(place->east, place->north, object.name, object.place.at) + object.pose.above;
    physics::BodySettings body;
    body.name = object.name;
    body.kind = physics::BodyKind::fixed;
    body.parts.push_back({*shape, {}});
    body.pose = {geo::Vec3{place->east, y, place->north} + q * geo::Vec3{0, lift, 0}, q};
    body.friction = object.friction.value_or(context.default_friction());
    body.restitution = object.restitution.value_or(context.world_file.physics.restitution);
    const physics::BodyId id = context.simulation.world().add_body(std::move(body));
    if (object.model)
      context.looks.parts[static_cast<std::uint32_t>(id)] = {
          {vision::Material::plain, context.model_of(object.model, context.scenario_path, object.place.at)}};
  }
}

}  // namespace simbatch::scenario::detail
