#pragma once
/// Vehicles: a chassis body on wheels that are rays with springs, tires and brakes (lib/vehicle). A vehicle drives along the
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

/// The tire of robot files that say nothing about theirs: linear, and never slides (PAL of 2008 set Bullet's friction slip to 1000).
constexpr vehicle::TireSettings endless_tire() {
  vehicle::TireSettings tire;
  tire.stiffness = 25;
  tire.friction = std::numeric_limits<double>::infinity();
  tire.relaxation_length_x = tire.relaxation_length_y = 0.05;
  return tire;
}

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
  double bump_stop = -1;        ///< m of compression from which the spring is stiffer; negative: none
  double bump_rate = 0;         ///< N/m more from there on
  double roll_center = 0;       ///< m over the ground, of its axle: where the links pass side forces to the chassis
  double inertia = 0;           ///< kg m^2 about the axle
  double roll_influence = 0.1;  ///< 0: side forces do not roll the chassis, 1: they act at the ground
  double max_force = std::numeric_limits<double>::infinity();  ///< N, cap of the spring force (Bullet's own: 6000)
  bool powered = false, steered = false, braked = false;
  vehicle::TireSettings tire =
      endless_tire();  ///< its friction times the ground's is the most that tire forces may be of the load
};

/// How wheels find the ground.
enum class WheelRays {
  own,    ///< terrain from the height grid, everything else from one box query a vehicle; own chassis left out
  stock,  ///< Bullet's btRaycastVehicle and btDefaultVehicleRaycaster: for comparison
};

/// Drag and lift of the air at rest: forces on the chassis of 1/2 rho v^2 times these areas.
struct Aerodynamics {
  double drag = 0;                       ///< m^2, c_d A
  double lift_front = 0, lift_rear = 0;  ///< m^2, c_l A at the axles; negative presses down
  double height = 0;                     ///< m, of the drag's point in the chassis' frame
};
inline constexpr double kAirDensity = 1.2;  ///< kg/m^3

/// How the brake force is shared out.
struct BrakeSettings {
  double front_share = -1;  ///< 0..1 of the whole for the wheels in front; negative: alike for all wheels
  bool anti_lock = false;
  double anti_lock_slip = 0.1;  ///< slip from which the brake is let off
};

struct VehicleSettings {
  std::string name;
  std::vector<WheelSettings> wheels;
  /// Wheels on an axle turn about one center by this share (1: as in Ackermann's geometry, 0: parallel). The center lies on the
  /// line of the chassis' unsteered wheels, whatever vehicle they belong to.
  double ackermann = 1;
  double steering_rate = std::numeric_limits<double>::infinity();  ///< rad/s, of the middle wheel
  std::vector<vehicle::AntiRollBar> bars;                          ///< by numbers of wheels
  std::optional<vehicle::DriveTrainSettings> train;  ///< of the powered wheels; VehicleControls::throttle drives it
  BrakeSettings brakes;
  Aerodynamics air;
  WheelRays rays = WheelRays::own;
};

/// Inputs of a vehicle, in force until set again. All three release when set to 0.
struct VehicleControls {
  double engine_force = 0;  ///< N on each powered wheel; positive drives to +z
  double brake_force = 0;   ///< N on each braked wheel, >= 0, against its rolling
  double steering = 0;      ///< rad, of a wheel in the middle of the steered axle; positive turns the nose to +x (right)
  /// Powered wheels are held at the speed `rim_speed` (m/s, of their rims, positive forward), with at most engine_force either way,
  /// whatever slows or pushes the vehicle. Not with WheelRays::stock.
  bool governed = false;
  double rim_speed = 0;
  double throttle = 0;  ///< -1..1, of a vehicle with a drive train; negative: backwards
};

struct WheelState {
  bool in_contact = false;             ///< the ray found ground at the start of the last step
  double suspension_length = 0;        ///< m, hard point to hub; rest_length in the air
  double suspension_force = 0;         ///< N, of the last step
  double rotation = 0;                 ///< rad, turned so far; positive rolls towards +z
  double angular_speed = 0;            ///< rad/s
  double steering = 0;                 ///< rad, of this wheel
  double slip_ratio = 0;               ///< R w / V - 1, positive when it drives
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

/// A step that is too coarse to show how a vehicle moves on its springs: found before the run, from the settings alone. Springs are
/// implicit, so that nothing becomes unstable; their motion only dies within a step.
struct CoarseStep {
  std::string what;       ///< "heave", "pitch" or "roll"
  double damping = 0;     ///< c = effective damping of that motion (1/s)
  double stiffness = 0;   ///< k = effective stiffness of that motion (1/s^2)
  double number = 0;      ///< c dt + k dt^2 / 2; should stay under 2
  double largest_dt = 0;  ///< s; the largest step for which it does
};
/// The criterion is that of explicit springs: semi-implicit Euler on x'' = -k x - c x' follows it while c dt + k dt^2 / 2 < 2. Heave:
/// k = sum Ks, c = sum Kd; pitch and roll: weighted by (distance from the center of mass)^2 * mass / inertia.
std::vector<CoarseStep> check_step(const VehicleSettings& vehicle, const MassProperties& chassis, double dt);

}  // namespace simbatch::physics
