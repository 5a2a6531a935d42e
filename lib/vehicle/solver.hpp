#pragma once
/// All wheels of one body in one step: springs, tires, brakes and drive in a single linear solve for the body's velocity at the
/// end of the step. Every force is linearly implicit with dissipative coefficients, so that all step sizes are stable, every
/// result converges as dt -> 0, and neither the order of the wheels nor that of the drives matters.
///
/// Known at the start of a step: contacts, compressions, velocities. Forces act along the wheel axes at mid-step; slip is
/// measured along the axes at the end of the step (otherwise implicit slip decelerates every turn by v w^2 dt / 2). Tire
/// deflections advance at the start of the next step, with the actual velocity of the body, including the effects of joints and
/// contacts.
///
/// Frames: world axes (x right, y up, z forward). SI units.
/// Sources: Pacejka 2012 (tire.hpp); D. Baraff and A. Witkin, Large Steps in Cloth Simulation, 1998, for the linearly implicit
/// step.

#include <array>
#include <span>
#include <vector>

#include "base/geo/pose.hpp"
#include "lib/vehicle/matrix6.hpp"
#include "lib/vehicle/spin.hpp"
#include "lib/vehicle/tire.hpp"

namespace simbatch::vehicle {

/// Constant properties of a wheel.
struct WheelModel {
  double radius = 0.3;      ///< m
  double inertia = 0;       ///< kg m^2 about its axle
  double stiffness = 25e3;  ///< N/m along the suspension travel
  double damping = 2e3;     ///< N s/m
  double bump_stop = -1;    ///< m of compression beyond which the rate increases; negative: none
  double bump_rate = 0;     ///< N/m, additional rate beyond it
  double max_force = -1;    ///< N, limit of the suspension force; negative: none
  double roll_center = 0;   ///< m above the ground: height at which the suspension links transfer lateral force to the body
  /// m, lateral position, positive to the right; consecutive wheels at opposite positions are summed symmetrically
  double lateral = 1;
  double roll_influence = 1;  ///< below 1, the lateral force acts above the ground and its load transfer is lost (old files)
  TireSettings tire;
};

/// The ground under a wheel, found by the caller's rays at the start of the step.
struct Contact {
  bool touches = false;
  geo::Vec3 arm;              ///< from the body's center of mass to the point, world axes (m)
  geo::Vec3 normal{0, 1, 0};  ///< unit, out of the ground
  double compression = 0;     ///< m, of the spring along its travel
  double slope = 1;           ///< 1 / cos of the angle between travel and normal, >= 1
  geo::Vec3 ground_velocity;  ///< of the ground at the point
  /// 1/kg, inverse effective mass of the ground along normal, forward, right; 0: fixed
  std::array<double, 3> ground_response{};
  double ground_friction = 1;
  geo::Vec3 axle{1, 0, 0};  ///< unit, to the right, steering included
};

/// Drive and brake inputs of a wheel in this step.
struct WheelInput {
  double torque = 0;        ///< N m, positive forward
  double brake_torque = 0;  ///< N m, >= 0
  double motor_torque = 0;  ///< N m, >= 0: limit of the torque that holds a governed wheel at motor_speed; 0: not governed
  double motor_speed = 0;   ///< rad/s
};

/// State of a wheel between steps, and its last outputs.
struct WheelMemory {
  double spin = 0;  ///< rad/s
  Deflection deflection;
  // Of the last step.
  double load = 0;                  ///< N, normal force
  double force_x = 0, force_y = 0;  ///< N along the wheel and along its axle, on the body
  double slip_x = 0, slip_y = 0;    ///< theoretical slip
  double hub_x = 0, hub_y = 0;      ///< m/s of the hub over the ground, along the wheel and along its axle
  double torque = 0;                ///< N m on the wheel by its shaft and brake
  bool gripping = false;            ///< touched the ground
};

/// Practical slip of a wheel: R w / V - 1, positive under drive torque, and the angle (rad) between its plane and its direction
/// of travel, positive if its force points to the right. Computed from speeds, or from the tire's deflection if the hub is
/// slower than kSlipSpeed.
struct PracticalSlip {
  double ratio = 0, angle = 0;
};
PracticalSlip practical_slip(const WheelMemory& wheel, double radius);
inline constexpr double kSlipSpeed = 1;  ///< m/s

/// An anti-roll bar between two wheels: force at each = rate * (difference of compressions).
struct AntiRollBar {
  std::size_t left = 0, right = 0;
  double rate = 0;  ///< N/m
};

/// Wheels that share torque: `wheels` in the order of the couplings' weights.
struct DriveGroup {
  std::vector<std::size_t> wheels;
  std::vector<Coupling> couplings;
};

struct BodyState {
  double mass = 0;                   ///< kg
  std::array<geo::Vec3, 3> inertia;  ///< rows, about the center of mass, world axes (kg m^2)
  geo::Vec3 up{0, 1, 0};             ///< unit, of the body
  Velocity velocity;                 ///< of the center of mass, at the start of the step
  geo::Vec3 force, torque;           ///< external ones, weight included (N, N m)
};

class WheelSolver {
 public:
  WheelSolver();
  ~WheelSolver();
  WheelSolver(WheelSolver&&) noexcept;
  WheelSolver& operator=(WheelSolver&&) noexcept;

  /// Solver passes per step: each repeats the solve with the slips and loads of the previous one. With 3 passes, locked and
  /// spinning wheels are within 2 % of their limit at 60 Hz; 1 suffices for rolling wheels and unlimited tires.
  int passes = 3;

  /// @param models, contacts, inputs, memories  one per wheel; memories are advanced
  /// @return change of the body's velocity caused by the wheels in this step: the solution minus `velocity + dt * force / mass`
  Velocity step(const BodyState& body, std::span<const WheelModel> models, std::span<const Contact> contacts,
                std::span<const WheelInput> inputs, std::span<WheelMemory> memories, std::span<const AntiRollBar> bars,
                std::span<const DriveGroup> groups, double dt);

  /// After step(): the load of each wheel (N), and the impulse on its ground (N s, world axes).
  std::span<const geo::Vec3> ground_impulses() const { return ground_; }

 private:
  struct Wheel;
  static void prepare(Wheel& w, const BodyState& body, double dt);
  static void press_spring(Wheel& w, double normal_speed, double dt);
  static void linearize(Wheel& w, const Velocity& predicted, bool first, double dt);
  static SpinInput spin_input(const Wheel& w);
  static std::array<Term, 3> terms(const Wheel& w, double dt);
  static void set_transfer(Wheel& w, double side_force);
  void add_bars(System6& system, std::span<const AntiRollBar> bars, double dt);
  void add_group(System6& system, const DriveGroup& group, GroupResult& result, double dt);
  void assemble(System6& system, const Velocity& predicted, bool first, std::span<const AntiRollBar> bars,
                std::span<const DriveGroup> groups, double dt);
  bool predict_loads(std::span<const AntiRollBar> bars, const Velocity& v, double dt);  // true: wheels left the ground
  void predict_spins(std::span<const DriveGroup> groups, const Velocity& v);
  void store(const Velocity& v, double dt);

  std::vector<Wheel> wheels_;  // this and the following are members to reuse their memory
  std::vector<SpinInput> inputs_;
  std::vector<GroupResult> group_results_;
  std::vector<geo::Vec3> ground_;
};

}  // namespace simbatch::vehicle
