#pragma once
/// Ray-cast vehicles: a chassis body on wheels that are rays with springs. The vehicle drives along the chassis' +z, with +x
/// to its right and +y up.

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "lib/sim/physics/shapes.hpp"

namespace simbatch::physics {

/// One wheel. Stiffness and damping are per kilogram of chassis, as PAL of 2008 handed Ks and Kd to Bullet: spring force =
/// (stiffness * compression - damping * speed) * chassis mass. The thesis' Ks = 200 is 280 kN/m under 1400 kg.
struct WheelSettings {
  std::string name;
  Vec3 position;                ///< hard point in the chassis' frame; the ray goes down (-y) from here by rest_length + radius
  double radius = 0.36;         ///< m
  double width = 0.245;         ///< m; shown and recorded only, a ray has none
  double rest_length = 0.1;     ///< m
  double stiffness = 200;       ///< Ks, 1/s^2
  double damping = 23;          ///< Kd, 1/s, for compression and relaxation
  double friction_slip = 1000;  ///< times the load: the most that tire forces may be (PAL 2008: 1000, never slides)
  double roll_influence = 0.1;  ///< 0: side forces do not roll the chassis, 1: they act at the ground
  double max_force = std::numeric_limits<double>::infinity();  ///< N, cap of the spring force (Bullet's own: 6000)
  bool powered = false, steered = false, braked = false;
  /// Of governed wheels (VehicleControls): rim and ground slip against each other in one direction, and so does the tire's force, as
  /// when tracks or skid-steered wheels are dragged around. Otherwise the rim rolls, and the side force is independent.
  bool scrubs = false;
};

/// How wheels find the ground.
enum class WheelRays {
  own,    ///< terrain from the height grid, everything else from one box query a vehicle; own chassis left out
  stock,  ///< Bullet's btRaycastVehicle and btDefaultVehicleRaycaster: for comparison
};

struct VehicleSettings {
  std::string name;
  std::vector<WheelSettings> wheels;
  WheelRays rays = WheelRays::own;
};

/// Inputs of a vehicle, in force until set again. All three release when set to 0.
struct VehicleControls {
  double engine_force = 0;  ///< N on each powered wheel; positive drives to +z
  double brake_force = 0;   ///< N on each braked wheel, >= 0, against its rolling
  double steering = 0;      ///< rad, of the steered wheels; positive turns the nose to +x (right)
  /// Powered wheels are held at the speed `rim_speed` (m/s, of their rims, positive forward), with at most engine_force either way,
  /// whatever slows or pushes the vehicle. Not with WheelRays::stock.
  bool governed = false;
  double rim_speed = 0;
};

struct WheelState {
  bool in_contact = false;             ///< the ray found ground at the start of the last step
  double suspension_length = 0;        ///< m, hard point to hub; rest_length in the air
  double suspension_force = 0;         ///< N, of the last step
  double rotation = 0;                 ///< rad, rolled so far; positive rolls towards +z
  double angular_speed = 0;            ///< rad/s
  double steering = 0;                 ///< rad
  Vec3 contact_point, contact_normal;  ///< in the world; meaningful in contact
  Pose pose;                           ///< of the wheel in the world: hub, +x the axle, turned by steering and rotation
};

/// A vehicle that will not settle with this step: detected before the run, from the settings alone.
struct StabilityWarning {
  std::string what;       ///< "heave", "pitch" or "roll"
  double damping = 0;     ///< c = effective damping of that motion (1/s)
  double stiffness = 0;   ///< k = effective stiffness of that motion (1/s^2)
  double number = 0;      ///< c dt + k dt^2 / 2; must stay under 2
  double largest_dt = 0;  ///< s; the largest stable step
};
/// Semi-implicit Euler on x'' = -k x - c x' is stable while c dt + k dt^2 / 2 < 2. Heave: k = sum Ks, c = sum Kd; pitch and
/// roll: weighted by (distance from the center of mass)^2 * mass / inertia. Warns for each motion out of range.
std::vector<StabilityWarning> check_stability(const VehicleSettings& vehicle, const MassProperties& chassis, double dt);

}  // namespace simbatch::physics
