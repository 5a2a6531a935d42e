// Missions of robots: reads them, places them in the world and creates a follower.

#include <cmath>
#include <limits>

#include "formats/medusa/medusa.hpp"
#include "lib/mission/geometry.hpp"
#include "lib/mission/georeference.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/site.hpp"

namespace simbatch::scenario::detail {
namespace {

using medusa::Kind;
using medusa::Section;

/// Frame M to the world: through WGS84 when both are on the earth, else M's origin is the world's.
class Placer {
 public:
  Placer(const Simulation& simulation, const std::optional<mission::Georeference>& placement) {
    if (!simulation.settings().origin || !placement) return;
    placement_ = placement;
    frame_.emplace(*simulation.settings().origin);
  }
  void move(double& x, double& y) const {
    if (!placement_) return;
    const auto at = placement_->at({x, y});
    if (!at) return;
    const geo::EastNorth plane = frame_->to_plane(*at);
    x = plane.east;
    y = plane.north;
  }

 private:
  std::optional<mission::Georeference> placement_;
  std::optional<geo::LocalFrame> frame_;
};

std::unique_ptr<Pilot> pilot_of(const Site& site, const MissionHost& host) {
  if (!host.thrusters.empty()) {
    const physics::MassProperties& mass = site.simulation.world().mass(host.part.body);
    ThrustAllocation allocation(host.thrusters, mass.center);
    if (allocation.can_surge() && allocation.can_yaw())
      return std::make_unique<ThrusterPilot>(std::move(allocation), mass.mass + host.fluid.added_mass.z,
                                             mass.inertia.yy + host.fluid.added_inertia.y, host.fluid);
  }
  if (host.drive != nullptr)
    return std::make_unique<DrivePilot>(*host.drive, host.wheelbase, host.steering_angle, host.full_acceleration);
  return nullptr;
}

/// Start of the first LINE or ARC.
mission::Point first_place(const std::vector<Section>& sections) {
  for (const Section& s : sections)
    if (s.kind == Kind::line || s.kind == Kind::arc) return {s.xi, s.yi};
  return {};
}

bool has_sensors(const Site& site, const autosim::RobotEntry& entry, const MissionHost& host) {
  if (host.sensors) return true;
  site.files.report(code::kMissionPart, entry.mission->place.at,
                    "part " + quoted(host.part.node->local_name()) + " of " + quoted(entry.name) +
                        " lacks a GPSSensor or a CompassSensor, which its mission needs to navigate");
  return false;
}

/// @param sections  on the world's plane
PlannedPath path_of(const std::string& robot, const std::vector<Section>& sections) {
  constexpr double kGap = 0.1;  // m
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  PlannedPath path{robot, {}, {}};
  const auto add = [&path](double x, double z) {
    path.x.push_back(x);
    path.z.push_back(z);
  };
  for (const Section& section : sections) {
    if (section.kind == Kind::point) add(section.xe, section.ye);
    const auto segment = mission::Segment::of(section);
    if (!segment) continue;
    const std::vector<mission::Point> points = mission::chords(*segment, kGap);
    const bool is_joined = !path.x.empty() && mission::distance({path.x.back(), path.z.back()}, points.front()) < kGap;
    if (!path.x.empty() && !is_joined) add(kNone, kNone);
    for (const mission::Point& p : points) add(p.x, p.y);
  }
  return path;
}

}  // namespace

std::unique_ptr<MissionFollower> build_mission(const Site& site, const autosim::RobotEntry& entry, const MissionHost& host,
                                               MissionBoards& boards, std::vector<PlannedPath>& plans) {
  const autosim::Mission& task = *entry.mission;
  const Position at = task.place.at;
  const auto input = site.files.open(task.file, at);
  if (!input) return nullptr;
  auto parsed = medusa::read_mission(input->text(), input->name());
  const bool broken = parsed.diagnostics.has_errors();
  if (!boards.contains(task.file)) site.files.append(std::move(parsed.diagnostics));  // reported once
  auto& board = boards[task.file];
  if (!board) board = std::make_shared<MissionBoard>();
  if (broken || !parsed.value) return nullptr;
  const medusa::Mission& mission = *parsed.value;

  auto sections = task.vehicle == medusa::kAllVehicles && mission.formation.empty()
                      ? mission::sections_for(mission, medusa::kAllVehicles)
                      : mission::sections_for(mission, task.vehicle);
  bool moves = false, dives = false;
  if (sections)
    for (const Section& s : *sections) {
      moves = moves || s.kind == Kind::line || s.kind == Kind::arc || s.kind == Kind::point;
      dives = dives || ((s.kind == Kind::depth || s.kind == Kind::alt) && s.depth != 0);
    }
  if (!moves) {
    site.files.report(code::kMissionVehicle, at,
                      quoted(task.file) + " has no sections for vehicle " + std::to_string(task.vehicle) +
                          (sections ? "" : ", which is not in its FORMATION"));
    return nullptr;
  }
  std::unique_ptr<Pilot> pilot = pilot_of(site, host);
  if (!pilot) {
    site.files.report(code::kMissionPart, at,
                      "part " + quoted(host.part.node->local_name()) + " of " + quoted(entry.name) +
                          " has neither propellers that drive and turn it, nor a drive with steered and powered wheels");
    return nullptr;
  }
  if (dives && !pilot->can_dive())
    site.files.report(code::kMissionDive, at,
                      quoted(task.file) + " dives, but no propeller of " + quoted(entry.name) + " pushes up or down");

  Diagnostics place_problems(input->name());
  const auto placement =
      mission::find_georeference(mission.reference, mission.origin, "", first_place(*sections), place_problems);
  if (site.simulation.settings().origin) site.files.append(std::move(place_problems));
  const Placer placer(site.simulation, placement);
  for (Section& s : *sections) {
    if (s.kind != Kind::point) placer.move(s.xi, s.yi);
    if (s.kind == Kind::arc) placer.move(s.xc, s.yc);
    placer.move(s.xe, s.ye);
  }

  if (task.by_sensors && !has_sensors(site, entry, host)) return nullptr;
  plans.push_back(path_of(entry.name, *sections));
  MissionSettings settings;
  settings.sensors = task.by_sensors ? host.sensors : std::nullopt;
  settings.sections = std::move(*sections);
  settings.law = mission::parse_law(task.law).value_or(mission::Law::lapierre);
  settings.gains.lookahead = task.lookahead;
  if (host.thrusters.empty()) settings.gains.max_surge = 60;  // the published limit of 1.5 m/s is for marine vehicles, not cars
  settings.point_speed = task.speed;
  settings.water_level = site.file.physics.water ? site.file.physics.water->level : 0;
  settings.cooperate = task.cooperate && !mission.formation.empty();
  settings.board = board;
  TreeNode* node = host.robot->register_child(MissionFollower::make_node({site.files.scenario(), at}), site.files.problems());
  if (node == nullptr) return nullptr;
  return std::make_unique<MissionFollower>(site.simulation, host.part.body, *node, std::move(pilot), std::move(settings));
}

}  // namespace simbatch::scenario::detail
