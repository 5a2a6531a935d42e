#pragma once
/// Vehicle elements of Robot files beyond the thesis: tires, suspensions, steering and drive trains (docs/robot.md,
/// "Vehicles").

#include <optional>
#include <string>
#include <vector>

namespace simbatch::autosim {

/// `<Tyre>` of a WheelDevice. Stiffness and friction are per load.
struct Tyre {
  enum class Model { linear, brush, magic };
  Model model = Model::brush;
  double stiffness = 20;                           ///< 1/rad, > 0
  double longitudinal = 1;                         ///< stiffness along the wheel over that across, > 0
  double friction = 1;                             ///< > 0; ignored by a linear one
  double sliding_friction = -1;                    ///< of a tread that slides fast, >= 0; negative: as `friction`
  double sliding_speed = 6;                        ///< m/s, > 0
  double load_sensitivity = 0;                     ///< 0..1: share of friction lost per additional nominal load
  double nominal_load = 4000;                      ///< N, > 0
  double relaxation_x = 0.15, relaxation_y = 0.4;  ///< m, > 0
  double rolling_resistance = 0;                   ///< 0..1, share of the load
  double shape = 1.4;                              ///< C of the Magic Formula, 1..2
  double curvature = 0;                            ///< E of the Magic Formula, at most 1
  friend bool operator==(const Tyre&, const Tyre&) = default;
};

/// `<Suspension>` of a WheelDevice, instead of SuspensionKs and SuspensionKd.
struct Suspension {
  double stiffness = 0;       ///< N/m, > 0
  double damping = 0;         ///< N s/m, >= 0
  double bump_stop = -1;      ///< m of compression, >= 0; negative: none
  double bump_stiffness = 0;  ///< additional N/m beyond it, >= 0
  double roll_center = 0;     ///< m above the ground
  friend bool operator==(const Suspension&, const Suspension&) = default;
};

/// `<Steering>` of a DriveActuator.
struct Steering {
  double ackermann = 1;        ///< 0..1
  std::optional<double> rate;  ///< deg/s of the hand wheel, > 0; absent: at once
  double ratio = 1;            ///< angle of the hand wheel over that of the wheels, > 0
  friend bool operator==(const Steering&, const Steering&) = default;
};

/// `<AntiRollBar>` of a DriveActuator.
struct AntiRollBar {
  std::string left, right;  ///< names of two of its wheels
  double stiffness = 0;     ///< N/m at each wheel for the difference of their travels, > 0
  friend bool operator==(const AntiRollBar&, const AntiRollBar&) = default;
};

/// `<Torque>` of an engine.
struct TorquePoint {
  double speed = 0;   ///< rpm, rising
  double torque = 0;  ///< N m at full throttle, >= 0
  friend bool operator==(const TorquePoint&, const TorquePoint&) = default;
};
/// `<Engine>` of a DriveActuator, instead of MotorForce.
struct Engine {
  std::vector<TorquePoint> curve;  ///< at least one
  double inertia = 0.15;           ///< kg m^2, >= 0
  double idle = 800;               ///< rpm, > 0
  double limit = 6500;             ///< rpm, > 0
  double brake_torque = 0;         ///< N m, >= 0
  double brake_slope = 0;          ///< N m per 1000 rpm, >= 0
  friend bool operator==(const Engine&, const Engine&) = default;
};
/// `<Gearbox>` of a DriveActuator with an engine.
struct Gearbox {
  std::vector<double> gears;  ///< `<Gear ratio=>`, > 0, at least one
  double reverse = 3;         ///< > 0
  double final_ratio = 4;     ///< > 0
  double efficiency = 1;      ///< 0..1
  double shift_up = 5500;     ///< rpm, > 0
  double shift_down = 2000;   ///< rpm, >= 0
  double shift_time = 0.3;    ///< s, >= 0
  friend bool operator==(const Gearbox&, const Gearbox&) = default;
};
/// `<Differential>` of a DriveActuator with an engine.
struct Differential {
  enum class Kind { open, locked, limited };
  Kind kind = Kind::open;
  double lock_torque = 0;    ///< N m, >= 0; of a limited one
  double front_share = 0.5;  ///< 0..1
  friend bool operator==(const Differential&, const Differential&) = default;
};
/// `<Brakes>` of a DriveActuator.
struct Brakes {
  std::optional<double> front_share;  ///< 0..1; absent: equal for all wheels
  bool anti_lock = false;
  double anti_lock_slip = 0.1;  ///< > 0
  friend bool operator==(const Brakes&, const Brakes&) = default;
};
/// `<Aerodynamics>` of a DriveActuator.
struct Aerodynamics {
  double drag = 0;                       ///< m^2, >= 0: c_d times area
  double lift_front = 0, lift_rear = 0;  ///< m^2: c_l times area
  double height = 0;                     ///< m, in the part's frame
  friend bool operator==(const Aerodynamics&, const Aerodynamics&) = default;
};

}  // namespace simbatch::autosim
