// Springs, dampers and motors of joints. The discrete oscillator has the eigenvalues of the exact one (exponentially fitted
// differences: Mickens, Nonstandard Finite Difference Models of Differential Equations, 1994, chapter 4); expressed as an added
// mass they form a soft constraint (Catto, "Soft Constraints", GDC 2011), which the solver iterates together with contacts,
// limits and other drives.

#include "lib/sim/physics/drive_rows.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::physics::detail {

namespace {
// An oscillation whose phase advances by more than a quarter turn per step is limited to a quarter turn, to avoid beating with
// the step rate.
constexpr double kFastest = 1.5707963267948966;
}  // namespace

Discrete discretize(double stiffness, double damping, double mass, double dt) {
  if (stiffness == 0 && damping == 0) return {};
  const double decay = damping / (2 * mass) * dt, omega2 = stiffness / mass * dt * dt;  // per step
  const double lost = -std::expm1(-2 * decay);                                          // 1 - det
  double total = 0;                                                                     // mass + grip
  if (stiffness == 0) {
    total = damping * dt / lost;
  } else {
    // |1 - lambda|^2 for the two eigenvalues lambda of a step.
    double product = 0;
    if (decay * decay < omega2) {
      const double angle = std::min(std::sqrt(omega2 - decay * decay), kFastest);
      const double e = std::exp(-decay), half = std::sin(angle / 2);
      const double re = -std::expm1(-decay) + 2 * e * half * half, im = e * std::sin(angle);
      product = re * re + im * im;
    } else {
      const double fast = decay + std::sqrt(decay * decay - omega2);
      product = std::expm1(-fast) * std::expm1(-omega2 / fast);
    }
    total = stiffness * dt * dt / product;
  }
  return {std::max(total - mass, 0.0), lost * std::max(total, mass) / dt};
}

double DriveRows::Row::missing(double rate, double start, double response) const {
  double more = rigid ? (goal - rate) / response : (push - grip * (rate - start) - impulse) / (1 + grip * response);
  more = std::clamp(impulse + more, -limit, limit) - impulse;
  return more;
}

void DriveRows::begin(double position, double rate, double response, double mass, double dt) {
  start_ = rate;
  response_ = response;
  dt_ = dt;
  rows_ = {};
  // The rotor adds to the inertia that its spring moves.
  const double moved = mass + load.rotor;
  const double k = motor ? motor->stiffness : 0;
  const double c = motor && k > 0 ? motor->damping.value_or(2 * std::sqrt(k * moved)) : motor ? motor->damping.value_or(0) : 0;
  const Discrete both = discretize(load.stiffness + k, load.damping + c, moved, dt);
  // To first order the contribution to E is c dt / 2 + k dt^2 / 12.
  const auto weight = [dt](double stiffness, double damping) { return damping / 2 + stiffness * dt / 12; };
  const double own = weight(load.stiffness, load.damping), motors = weight(k, c);
  const double share = motors > 0 ? motors / (own + motors) : 0;
  const double slow = load.damping + c > 0 ? both.damping / (load.damping + c) : 1;
  Row& passive = rows_[0];
  passive.used = own > 0 || load.rotor > 0;
  passive.push = -dt * (load.stiffness * (position - load.rest) + load.damping * slow * rate);
  passive.grip = both.grip * (1 - share) + load.rotor;
  if (motor) {
    Row& row = rows_[1];
    row.used = true;
    row.limit = motor->max_force * dt;
    row.rigid = k == 0 && !motor->damping;
    row.goal = motor->speed;
    row.push = dt * (k * (motor->target - position) + c * slow * (motor->speed - rate) + motor->force);
    row.grip = both.grip * share;
  }
  if (load.friction > 0) {
    rows_[2].used = rows_[2].rigid = true;
    rows_[2].limit = load.friction * dt;
  }
}

double DriveRows::iterate(double rate) {
  const double before = rate;
  // The rows of one joint are strongly coupled, so they are iterated a few times among themselves.
  for (int round = 0; round < 4; ++round) {
    for (Row& row : rows_) {
      if (!row.used) continue;
      const double more = row.missing(rate, start_, response_);
      row.impulse += more;
      rate += response_ * more;
    }
  }
  return (rate - before) / response_;
}

}  // namespace simbatch::physics::detail
