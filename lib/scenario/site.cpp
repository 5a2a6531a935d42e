// Shared by the build steps: the world under construction, the scene, positions and the ground.

#include "lib/scenario/site.hpp"

#include <cmath>
#include <iterator>

#include "base/core/number.hpp"
#include "lib/roads/house_place.hpp"
#include "lib/roads/terrain.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/networks.hpp"

namespace simbatch::scenario::detail {
namespace {

constexpr double kOverRoad = 1.5;  // m: anything higher above the lanes is another level, not a ramp beside the place

template <class T>
void move_to_end(std::vector<T>& all, std::vector<T>&& more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::optional<WaterBody> water_of(const autosim::World& file) {
  if (!file.physics.water) return std::nullopt;
  return WaterBody{file.physics.water->level, file.physics.water->density, vec(file.physics.water->current)};
}

std::optional<double> water_level_of(const autosim::World& file) {
  if (!file.physics.water) return std::nullopt;
  return file.physics.water->level;
}

/// By a road or a house of the map; nothing after a report.
std::optional<roads::RoadPlace> place_on_map(const Site& site, const autosim::Pose& pose, Position at) {
  const Assembly& assembly = site.assembly;
  const Code& code = pose.road ? code::kRoad : code::kHouse;
  if (assembly.roads == nullptr) {
    // A map that cannot be read is reported on its own.
    if (site.file.terrain.kind != autosim::Terrain::Kind::map)
      site.files.report(code, at,
                        pose.road ? "a position by a road needs the roads of a <Map> in Terrain"
                                  : "a position by a house needs the houses and roads of a <Map> in Terrain");
    return std::nullopt;
  }
  std::string problem;
  auto place =
      pose.road ? roads::place_on(*assembly.roads, {pose.road->road, pose.road->at, pose.road->lane}, problem)
                : roads::place_by_house({assembly.prisms.get(), assembly.houses.get()}, *assembly.roads, pose.house, problem);
  if (!place) site.files.report(code, at, std::move(problem));
  return place;
}

}  // namespace

Assembly::Assembly(Simulation& of, const autosim::World& file)
    : simulation(of),
      bodies(std::make_unique<BodyTable>(of)),
      links(std::make_unique<LinkTable>(of)),
      devices(std::make_unique<DeviceSet>(of, *bodies, water_level_of(file))),
      sensors(std::make_unique<RobotSensors>(of, *bodies)),
      sampling(std::make_unique<SensorSampling>(of)),
      fluid(std::make_unique<FluidForces>(of, water_of(file))) {}

void Scene::append(Scene&& more) {
  move_to_end(settings, std::move(more.settings));
  move_to_end(missions, std::move(more.missions));
  move_to_end(plans, std::move(more.plans));
  move_to_end(network_lines, std::move(more.network_lines));
  move_to_end(participants, std::move(more.participants));
  move_to_end(vehicles, std::move(more.vehicles));
  move_to_end(cameras, std::move(more.cameras));
  move_to_end(appearance.roads, std::move(more.appearance.roads));
  move_to_end(appearance.drawn, std::move(more.appearance.drawn));
  appearance.water_is_drawn |= more.appearance.water_is_drawn;
  move_to_end(appearance.lights, std::move(more.appearance.lights));
  move_to_end(appearance.rays, std::move(more.appearance.rays));
  appearance.terrains.merge(more.appearance.terrains);
  appearance.parts.merge(more.appearance.parts);
  appearance.bodies.merge(more.appearance.bodies);
  appearance.colors.merge(more.appearance.colors);
  appearance.wheels.merge(more.appearance.wheels);
}

std::optional<Placement> Site::placed(const autosim::Pose& pose, Position at) const {
  Placement result{pose};
  if (pose.place.at != Position{}) at = pose.place.at;
  const auto move_to = [&](const auto& place) {
    result.x = place.at.east;
    result.z = place.at.north;
    result.heading += geo::degrees(place.heading);
  };
  if (pose.road || !pose.house.empty()) {
    const auto place = place_on_map(*this, pose, at);
    if (!place) return std::nullopt;
    move_to(*place);
    if (assembly.ground_under_roads) result.over_ground = assembly.road_lift + place->height;
    return result;
  }
  if (pose.waypoint) {
    const auto place = place_by_waypoint(*this, *pose.waypoint, at);
    if (!place) return std::nullopt;
    move_to(*place);
    return result;
  }
  if (!pose.geographic) return result;
  if (!simulation.settings().origin) {
    files.report(code::kOrigin, at, "a position by latitude and longitude needs <Origin> in Physics");
    return std::nullopt;
  }
  const geo::EastNorth place =
      geo::LocalFrame(*simulation.settings().origin).to_plane({pose.geographic->latitude, pose.geographic->longitude});
  result.x = place.east;
  result.z = place.north;
  return result;
}

double Site::ground(double x, double z, std::string_view what, Position at, std::optional<double> over_ground) const {
  if (const auto y = simulation.world().terrain_height(x, z)) {
    if (!over_ground || !assembly.ground_under_roads) return *y;
    const double lanes = roads::height_at(*assembly.ground_under_roads, x, z) + *over_ground;
    return *y > lanes + kOverRoad ? lanes : *y;
  }
  if (file.terrain.kind != autosim::Terrain::Kind::none && !assembly.is_ground_reported) {
    assembly.is_ground_reported = true;
    const auto rounded = [](double m) { return number_text(std::round(m * 1000) / 1000 + 0.0); };
    files.report(code::kNoGround, at,
                 "no ground at x = " + rounded(x) + " m, z = " + rounded(z) + " m, where " + quoted(what) +
                     " is placed; y = 0 is assumed");
  }
  return 0;
}

double Site::surface_friction(std::string_view surface) const {
  for (const autosim::Surface& entry : file.physics.surfaces)
    if (entry.name == surface) return entry.friction;
  return default_friction();
}

}  // namespace simbatch::scenario::detail
