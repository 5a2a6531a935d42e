#pragma once
/// Vehicles: a chassis body on wheels modeled as rays with springs, tires and brakes (lib/vehicle). A vehicle drives along the
/// chassis' +z, with +x to its right and +y up. A chassis may have several; all its wheels are solved together.

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lib/sim/physics/shapes.hpp"
#include "lib/vehicle/drive_train.hpp"
#include "lib/vehicle/solver.hpp"

namespace simbatch::physics {

/// The tire of robot files that do not define one: linear, never slides (PAL of 2008 set Bullet's friction slip to 1000).
constexpr vehicle::TireSettings endless_tire() {
  vehicle::TireSettings tire;
  tire.stiffness = 25;
  tire.friction = std::numeric_limits<double>::infinity();
  tire.relaxation_length_x = tire.relaxation_length_y = 0.05;
  return tire;
}

/// One wheel. Stiffness and damping are per kilogram of chassis, as PAL of 2008 passed Ks and Kd to Bullet: spring force =
/// (stiffness * compression - damping * speed) * chassis mass. The thesis's Ks = 200 is 280 kN/m for 1400 kg.
struct WheelSettings {
  std::string name;
  /// hard point in the chassis frame; the ray extends down (-y) from here by rest_length + radius
  Vec3 position;
  double radius = 0.36;      ///< m
  double width = 0.245;      ///< m; only drawn and recorded, rays have no width
  double rest_length = 0.1;  ///< m
  double stiffness = 200;    ///< Ks, 1/s^2
  double damping = 23;       ///< Kd, 1/s, for compression and rebound
  double bump_stop = -1;     ///< m of compression beyond which the spring is stiffer; negative: none
  double bump_rate = 0;      ///< N/m, additional rate beyond it
  /// roll center of its axle, m above the ground: where the suspension links transfer lateral forces to the chassis
  double roll_center = 0;
  double inertia = 0;           ///< kg m^2 about the axle
  double roll_influence = 0.1;  ///< 0: lateral forces do not roll the chassis, 1: they act at the ground
  double max_force = std::numeric_limits<double>::infinity();  ///< N, limit of the spring force (Bullet's default: 6000)
  bool powered = false, steered = false, braked = false;
  /// Its friction times that of the ground limits the ratio of tire force to load.
  vehicle::TireSettings tire = endless_tire();
};

/// Drag and lift in still air: forces on the chassis of 1/2 rho v^2 times these areas.
struct Aerodynamics {
  double drag = 0;                       ///< m^2, c_d A
  double lift_front = 0, lift_rear = 0;  ///< m^2, c_l A at the axles; negative: downforce
  double height = 0;                     ///< m, point of action of the drag in the chassis frame
};
inline constexpr double kAirDensity = 1.2;  ///< kg/m^3

/// Distribution of the brake force.
struct BrakeSettings {
  double front_share = -1;  ///< 0..1, share of the front wheels; negative: equal for all wheels
  bool anti_lock = false;
  double anti_lock_slip = 0.1;  ///< slip above which the brake is released
};

struct VehicleSettings {
  std::string name;
  std::vector<WheelSettings> wheels;
  /// Share of Ackermann geometry (1: all wheels turn about a common center, 0: parallel). The center lies on the line of the
  /// unsteered wheels of the chassis, even those of other vehicles on it.
  double ackermann = 1;
  double steering_rate = std::numeric_limits<double>::infinity();  ///< rad/s, of the middle wheel
  std::vector<vehicle::AntiRollBar> bars;                          ///< by wheel index
  std::optional<vehicle::DriveTrainSettings> train;  ///< drives the powered wheels; controlled by VehicleControls::throttle
  BrakeSettings brakes;
  Aerodynamics air;
};

/// Inputs of a vehicle, in effect until set again; 0 releases each of them.
struct VehicleControls {
  double engine_force = 0;  ///< N on each powered wheel; positive drives toward +z
  double brake_force = 0;   ///< N on each braked wheel, >= 0, opposing its rotation
  /// rad, of a virtual wheel in the middle of the steered axle; positive turns the nose toward +x (right)
  double steering = 0;
  /// Powered wheels are held at the speed `rim_speed` (m/s at the rim, positive forward) with at most engine_force in either
  /// direction, regardless of external forces.
  bool governed = false;
  double rim_speed = 0;
  double throttle = 0;  ///< -1..1, of a vehicle with a drive train; negative: backward
};

struct WheelState {
  bool in_contact = false;             ///< the ray found ground at the start of the last step
  double suspension_length = 0;        ///< m, hard point to hub; rest_length in the air
  double suspension_force = 0;         ///< N, of the last step
  double rotation = 0;                 ///< rad, total rotation so far; positive rolls toward +z
  double angular_speed = 0;            ///< rad/s
  double steering = 0;                 ///< rad, of this wheel
  double slip_ratio = 0;               ///< R w / V - 1, positive under drive torque
  double slip_angle = 0;               ///< rad, positive where the tire's force points to the right
  double torque = 0;                   ///< N m on the wheel by its shaft and brake
  Vec3 contact_point, contact_normal;  ///< in the world; meaningful in contact
  Pose pose;                           ///< of the wheel in the world: hub, +x the axle, turned by steering and rotation
};

/// Of the last step; zeros without a drive train.
struct DriveTrainReadings {
  double engine_speed = 0;  ///< rad/s
  int gear = 0;             ///< -1 reverse, 1 first
};

/// A step that is too coarse to resolve a vehicle's motion on its springs; detected before the run, from the settings alone.
/// Springs are implicit, so nothing becomes unstable; the motion is merely damped out within a step.
struct CoarseStep {
  std::string what;       ///< "heave", "pitch" or "roll"
  double damping = 0;     ///< c = effective damping of that mode (1/s)
  double stiffness = 0;   ///< k = effective stiffness of that mode (1/s^2)
  double number = 0;      ///< c dt + k dt^2 / 2; should stay under 2
  double largest_dt = 0;  ///< s; the largest step for which it stays under 2
};
/// The criterion is that of explicit springs: semi-implicit Euler on x'' = -k x - c x' follows it while c dt + k dt^2 / 2 < 2.
/// Heave: k = sum Ks, c = sum Kd; pitch and roll: weighted by (distance from the center of mass)^2 * mass / inertia.
std::vector<CoarseStep> check_step(const VehicleSettings& vehicle, const MassProperties& chassis, double dt);

}  // namespace simbatch::physics
