#pragma once
/// Engine, gearbox and differentials: from throttle to wheel torques and to the inertia coupled to the wheels. Pure functions
/// of a small state; SI units, speeds in rad/s.
///
/// The clutch is closed while the engine turns at its idle speed or faster; below, it slips at idle speed and transmits the
/// engine's torque. During a gear change it is open. So the engine needs no equation of its own: with the clutch closed, its
/// inertia is coupled to the wheels (a Coupling of the wheel solve); otherwise it runs at idle speed.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "lib/vehicle/spin.hpp"

namespace simbatch::vehicle {

struct EngineSettings {
  std::vector<std::pair<double, double>>
      curve;                ///< speed (rad/s, rising), torque at full throttle (N m); constant outside the range
  double inertia = 0.15;    ///< kg m^2
  double idle = 80;         ///< rad/s, > 0
  double limit = 680;       ///< rad/s: no torque above
  double brake_torque = 0;  ///< N m without throttle, at any speed
  double brake_slope = 0;   ///< N m s, increase of brake_torque per rad/s
};

struct GearboxSettings {
  std::vector<double> ratios{1};  ///< forward gears, engine speed over output shaft speed, > 0
  double reverse = 3;             ///< > 0
  double final_ratio = 4;         ///< of the axle
  double efficiency = 1;          ///< 0..1, for driving torque
  double shift_up = 600;          ///< rad/s of the engine
  double shift_down = 250;        ///< rad/s
  double shift_time = 0.3;        ///< s, without torque
};

enum class Differential { open, locked, limited };

struct DriveTrainSettings {
  EngineSettings engine;
  GearboxSettings gearbox;
  Differential differential = Differential::open;  ///< of each driven axle, and between the axles
  double lock_torque = 0;    ///< N m, for a limited slip differential: the torque difference up to which it locks
  double front_share = 0.5;  ///< share of the torque if both axles are driven
};

struct DriveTrainState {
  int gear = 1;             ///< -1 reverse, 1 first
  double shifting = 0;      ///< s, rest of a gear change
  double engine_speed = 0;  ///< rad/s
};

/// Input of the drive train from a driven wheel.
struct DrivenWheel {
  double spin = 0;  ///< rad/s
  bool front = false;
};

/// Output of the drive train in a step.
struct DriveTrainStep {
  Numbers torques;                  ///< N m per driven wheel
  std::vector<Coupling> couplings;  ///< of the driven wheels
};

/// Torque at the crankshaft. @param throttle  0..1
double engine_torque(const EngineSettings& engine, double speed, double throttle);

/// Advances gear and engine speed by `dt`.
/// @param throttle  -1..1; negative values count as 0 until the vehicle is slow enough to change to reverse
DriveTrainStep drive(const DriveTrainSettings& settings, DriveTrainState& state, double throttle,
                     std::span<const DrivenWheel> wheels, double dt);
/// The same, reusing the memory of `step`.
void drive(const DriveTrainSettings& settings, DriveTrainState& state, double throttle, std::span<const DrivenWheel> wheels,
           double dt, DriveTrainStep& step);

/// Anti-lock brakes of one wheel: the share of the brake torque that is applied, 0..1. While the tire slips by more than `slip`
/// the torque drops from full to zero within kAntiLockTime, otherwise it rises at the same rate. Off below kAntiLockSpeed.
/// @param rim    R w, speed of the tread (m/s)
/// @param speed  of the hub along the wheel (m/s)
double anti_lock(double share, double slip, double rim, double speed, double dt);
inline constexpr double kAntiLockTime = 0.05;  ///< s
inline constexpr double kAntiLockSpeed = 2;    ///< m/s

}  // namespace simbatch::vehicle
