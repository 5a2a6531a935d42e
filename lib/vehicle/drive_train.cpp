// Drive train with a clutch that is open, slipping at idle speed, or closed; see drive_train.hpp. The output torques of an open
// differential are equal, and its input speed is the mean of its output speeds: by virtual work, a shaft whose speed is the sum
// of d_i w_i transmits d_i T to wheel i, and its inertia J contributes J d d^T.
// Our own: the states of the clutch. The differential is derived from the principle of virtual work, as said above.

#include "lib/vehicle/drive_train.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simbatch::vehicle {
namespace {

constexpr double kReverseSpeed = 1;  // rad/s of the wheels, below which the gear may change between forward and reverse

double ratio_of(const GearboxSettings& gearbox, int gear) {
  if (gear < 0) return -gearbox.reverse * gearbox.final_ratio;
  return gearbox.ratios[static_cast<std::size_t>(gear - 1)] * gearbox.final_ratio;
}

/// Each wheel's share of the shaft's torque and speed.
Numbers shares(const DriveTrainSettings& settings, std::span<const DrivenWheel> wheels) {
  const auto fronts =
      static_cast<double>(std::count_if(wheels.begin(), wheels.end(), [](const DrivenWheel& w) { return w.front; }));
  const double rears = static_cast<double>(wheels.size()) - fronts;
  const double front = rears == 0 ? 1 : fronts == 0 ? 0 : settings.front_share;
  Numbers result(wheels.size());
  for (std::size_t i = 0; i < wheels.size(); ++i) result[i] = wheels[i].front ? front / fronts : (1 - front) / rears;
  return result;
}

/// Adds the friction between the wheels of each axle and between the axles.
void add_locks(const DriveTrainSettings& settings, std::span<const DrivenWheel> wheels, std::vector<Coupling>& couplings) {
  if (settings.differential == Differential::open) return;
  const double limit =
      settings.differential == Differential::locked ? std::numeric_limits<double>::infinity() : settings.lock_torque;
  const auto add = [&](auto&& weight) {
    Coupling& c = couplings.emplace_back(Coupling{Numbers(wheels.size()), 0, limit});
    for (std::size_t i = 0; i < wheels.size(); ++i) c.direction[i] = weight(i);
  };
  std::size_t first[2] = {wheels.size(), wheels.size()};
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    std::size_t& mate = first[wheels[i].front ? 1 : 0];
    if (mate < wheels.size()) add([&](std::size_t k) { return k == i ? 1.0 : k == mate ? -1.0 : 0.0; });
    if (mate == wheels.size()) mate = i;
  }
  if (first[0] == wheels.size() || first[1] == wheels.size()) return;
  double count[2] = {};
  for (const DrivenWheel& w : wheels) count[w.front ? 1 : 0] += 1;
  add([&](std::size_t k) { return wheels[k].front ? 1 / count[1] : -1 / count[0]; });
}

void change_gear(const DriveTrainSettings& settings, DriveTrainState& state, double throttle, double shaft, double dt) {
  const GearboxSettings& box = settings.gearbox;
  state.shifting = std::max(0.0, state.shifting - dt);
  if (state.shifting > 0) return;
  const int before = state.gear;
  if (std::abs(shaft) < kReverseSpeed && throttle != 0) state.gear = throttle < 0 ? -1 : std::max(state.gear, 1);
  if (state.gear > 0) {
    const double speed = shaft * ratio_of(box, state.gear);
    if (speed > box.shift_up && state.gear < static_cast<int>(box.ratios.size()))
      ++state.gear;
    else if (speed < box.shift_down && state.gear > 1)
      --state.gear;
  }
  if (state.gear != before && state.gear * before > 0) state.shifting = box.shift_time;
}

}  // namespace

double engine_torque(const EngineSettings& engine, double speed, double throttle) {
  double most = 0;
  if (!engine.curve.empty() && speed <= engine.limit) {
    const auto after = std::find_if(engine.curve.begin(), engine.curve.end(), [&](const auto& p) { return p.first > speed; });
    if (after == engine.curve.begin()) {
      most = after->second;
    } else if (after == engine.curve.end()) {
      most = engine.curve.back().second;
    } else {
      const auto& [x0, y0] = *(after - 1);
      most = y0 + (after->second - y0) * (speed - x0) / (after->first - x0);
    }
  }
  // At idle speed the governor compensates the engine's own friction.
  const double above = std::clamp((speed - engine.idle) / engine.idle, 0.0, 1.0);
  return throttle * most - (1 - throttle) * above * (engine.brake_torque + engine.brake_slope * speed);
}

void drive(const DriveTrainSettings& settings, DriveTrainState& state, double throttle, std::span<const DrivenWheel> wheels,
           double dt, DriveTrainStep& step) {
  const Numbers share = shares(settings, wheels);
  double shaft = 0;
  for (std::size_t i = 0; i < wheels.size(); ++i) shaft += share[i] * wheels[i].spin;
  change_gear(settings, state, throttle, shaft, dt);
  const double ratio = ratio_of(settings.gearbox, state.gear), speed = shaft * ratio;
  const bool closed = state.shifting == 0 && speed >= settings.engine.idle;
  state.engine_speed = closed ? speed : settings.engine.idle;

  step.couplings.clear();
  step.torques = Numbers(wheels.size());
  double torque = 0;
  if (state.shifting == 0) {
    const double pedal = (throttle < 0) == (state.gear < 0) ? std::abs(throttle) : 0;
    torque = engine_torque(settings.engine, state.engine_speed, pedal);
    if (torque > 0) torque *= settings.gearbox.efficiency;
  }
  for (std::size_t i = 0; i < wheels.size(); ++i) step.torques[i] = torque * ratio * share[i];
  if (closed) {
    Coupling& engine = step.couplings.emplace_back(Coupling{Numbers(wheels.size()), settings.engine.inertia, 0});
    for (std::size_t i = 0; i < wheels.size(); ++i) engine.direction[i] = ratio * share[i];
  }
  add_locks(settings, wheels, step.couplings);
}

DriveTrainStep drive(const DriveTrainSettings& settings, DriveTrainState& state, double throttle,
                     std::span<const DrivenWheel> wheels, double dt) {
  DriveTrainStep step;
  drive(settings, state, throttle, wheels, dt, step);
  return step;
}

double anti_lock(double share, double slip, double rim, double speed, double dt) {
  if (speed < kAntiLockSpeed) return 1;
  const double change = dt / kAntiLockTime;
  return std::clamp(rim < (1 - slip) * speed ? share - change : share + change, 0.0, 1.0);
}

}  // namespace simbatch::vehicle
