#pragma once
/// Engine, gearbox and differentials: from a throttle to torques at the wheels, and to what turns with them. Pure functions of a
/// small state; SI units, speeds in rad/s.
///
/// The clutch is closed while the engine turns at its idle speed or faster; below, it slips at idle speed and passes the engine's
/// torque on. While a gear changes it is open. So the engine needs no equation of its own: closed, its inertia turns with the wheels (a
/// Coupling of the wheel solve); open, it turns at idle speed.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "lib/vehicle/spin.hpp"

namespace simbatch::vehicle {

struct EngineSettings {
  std::vector<std::pair<double, double>>
      curve;                ///< speed (rad/s, rising), torque at full throttle (N m); constant beyond both ends
  double inertia = 0.15;    ///< kg m^2
  double idle = 80;         ///< rad/s, > 0
  double limit = 680;       ///< rad/s: no torque above
  double brake_torque = 0;  ///< N m without throttle, at any speed
  double brake_slope = 0;   ///< N m s more of it per rad/s
};

struct GearboxSettings {
  std::vector<double> ratios{1};  ///< forward gears, engine speed over that of the shaft behind, > 0
  double reverse = 3;             ///< > 0
  double final_ratio = 4;         ///< of the axle
  double efficiency = 1;          ///< 0..1, of the torque that drives
  double shift_up = 600;          ///< rad/s of the engine
  double shift_down = 250;        ///< rad/s
  double shift_time = 0.3;        ///< s without torque
};

enum class Differential { open, locked, limited };

struct DriveTrainSettings {
  EngineSettings engine;
  GearboxSettings gearbox;
  Differential differential = Differential::open;  ///< of each driven axle, and between the axles
  double lock_torque = 0;    ///< N m, of a limited one: what it holds before its sides turn against each other
  double front_share = 0.5;  ///< of the torque, where both axles are driven
};

struct DriveTrainState {
  int gear = 1;             ///< -1 reverse, 1 first
  double shifting = 0;      ///< s left without torque
  double engine_speed = 0;  ///< rad/s
};

/// A driven wheel, as the drive train sees it.
struct DrivenWheel {
  double spin = 0;  ///< rad/s
  bool front = false;
};

/// What a step gets from the drive train.
struct DriveTrainStep {
  Numbers torques;                  ///< N m per driven wheel
  std::vector<Coupling> couplings;  ///< of the driven wheels
};

/// Torque at the crankshaft. @param throttle  0..1
double engine_torque(const EngineSettings& engine, double speed, double throttle);

/// Advances gear and engine speed by `dt`.
/// @param throttle  -1..1; negative drives backwards once the vehicle is slow enough to change to reverse, and counts as 0 before
DriveTrainStep drive(const DriveTrainSettings& settings, DriveTrainState& state, double throttle,
                     std::span<const DrivenWheel> wheels, double dt);
/// The same, into a step whose memory is used again.
void drive(const DriveTrainSettings& settings, DriveTrainState& state, double throttle, std::span<const DrivenWheel> wheels,
           double dt, DriveTrainStep& step);

/// Anti-lock brakes of one wheel: the share of the brake torque that is let through, 0..1. While the tire slips by more than
/// `slip` the torque drops from full to zero within kAntiLockTime, otherwise it rises at the same rate. Off below
/// kAntiLockSpeed.
/// @param rim    R w, speed of the tread (m/s)
/// @param speed  of the hub along the wheel (m/s)
double anti_lock(double share, double slip, double rim, double speed, double dt);
inline constexpr double kAntiLockTime = 0.05;  ///< s
inline constexpr double kAntiLockSpeed = 2;    ///< m/s

}  // namespace simbatch::vehicle
