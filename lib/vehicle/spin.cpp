// One wheel: (I + dt R^2 b) w = I w0 + dt T - dt R (a - b V) - dt (Coulomb torques), F = a - b (V - R w).
// A group: S w = h - G lambda with S = diag(I + dt R^2 b) + sum J g g^T; elements that hold their speed are constraints.

#include "lib/vehicle/spin.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::vehicle {
namespace {

// Below this the wheel has neither inertia nor grip (kg m^2): its spin follows the road.
constexpr double kNoInertia = 1e-9;

// Sign of a Coulomb torque for a spin just beside `at`: side -1 below, +1 above.
double sign_beside(double at, double target, double side) { return at < target ? -1 : at > target ? 1 : side; }

struct Regime {
  bool held = false;
  double value = 0;  // the held spin, or the constant part of the friction impulse
};

// The regime of D w = h - C_b sgn(w) - C_m sgn(w - target).
Regime regime_of(double d, double h, double brake, double motor, double target) {
  const auto residual = [&](double w, double side) {
    return d * w - h + brake * sign_beside(w, 0, side) + motor * sign_beside(w, target, side);
  };
  if (brake > 0 && residual(0, -1) <= 0 && residual(0, 1) >= 0) return {true, 0};
  if (motor > 0 && residual(target, -1) <= 0 && residual(target, 1) >= 0) return {true, target};
  // Sliding: the residual is monotone, so the side of each breakpoint follows from its sign there.
  const double s_brake = brake > 0 ? (residual(0, 1) < 0 ? 1 : -1) : 0;
  const double s_motor = motor > 0 ? (residual(target, 1) < 0 ? 1 : -1) : 0;
  return {false, brake * s_brake + motor * s_motor};
}

}  // namespace

SpinResult eliminate(const SpinInput& w, double dt) {
  const double d = w.inertia + dt * w.radius * w.radius * w.b;
  if (d < kNoInertia) return {0, 0, 0, 1 / w.radius};
  const double constant = w.inertia * w.spin + dt * w.torque - dt * w.radius * w.a, per_speed = dt * w.radius * w.b;
  Regime regime;
  if (w.brake.limit > 0 || w.motor.limit > 0)
    regime = regime_of(d, constant + per_speed * w.hub, dt * w.brake.limit, dt * w.motor.limit, w.motor.target);
  if (regime.held) return {w.a + w.b * w.radius * regime.value, w.b, regime.value, 0};
  // F = a - b V + b R w; (1 - dt R^2 b / d) = I / d is written so, since it loses no digits.
  const double share = w.inertia > 0 ? w.inertia / d : 0, impulse = w.inertia * w.spin + dt * w.torque - regime.value;
  const double inverse = 1 / d;
  return {w.a * share + w.b * w.radius * inverse * impulse, w.b * share, (constant - regime.value) * inverse,
          per_speed * inverse};
}

namespace {

// Small dense symmetric systems, n up to a dozen.
class Dense {
 public:
  explicit Dense(std::size_t n) : n_(n), m_(n * n) {}
  double& at(std::size_t i, std::size_t k) { return m_[i * n_ + k]; }
  double at(std::size_t i, std::size_t k) const { return m_[i * n_ + k]; }
  std::size_t size() const { return n_; }
  /// The inverse, by Gauss-Jordan; a pivot that vanishes leaves its row and column 0.
  Dense inverse() const;

 private:
  std::size_t n_;
  Numbers m_;
};

Dense Dense::inverse() const {
  Dense a = *this, r(n_);
  for (std::size_t i = 0; i < n_; ++i) r.at(i, i) = 1;
  for (std::size_t p = 0; p < n_; ++p) {
    const double pivot = a.at(p, p);
    if (std::abs(pivot) < 1e-300) {
      for (std::size_t k = 0; k < n_; ++k) r.at(p, k) = 0;
      continue;
    }
    for (std::size_t k = 0; k < n_; ++k) {
      a.at(p, k) /= pivot;
      r.at(p, k) /= pivot;
    }
    for (std::size_t i = 0; i < n_; ++i) {
      const double f = a.at(i, p);
      if (i == p || f == 0) continue;
      for (std::size_t k = 0; k < n_; ++k) {
        a.at(i, k) -= f * a.at(p, k);
        r.at(i, k) -= f * r.at(p, k);
      }
    }
  }
  return r;
}

struct Element {
  Numbers g;
  double target = 0, limit = 0;  // limit as an impulse, dt included
  double lambda = 0;
  bool held = false;
  Numbers response{};  // of the spins to an impulse
  double give = 0;     // of its own speed
};

std::vector<Element> elements_of(std::span<const SpinInput> wheels, std::span<const Coupling> couplings, double dt) {
  std::vector<Element> elements;
  const std::size_t n = wheels.size();
  elements.reserve(2 * n + couplings.size());
  for (std::size_t i = 0; i < n; ++i)
    for (const Coulomb& c : {wheels[i].brake, wheels[i].motor}) {
      if (!(c.limit > 0)) continue;
      elements.push_back({Numbers(n), c.target, dt * c.limit});
      elements.back().g[i] = 1;
    }
  for (const Coupling& c : couplings)
    if (c.limit > 0) {
      elements.push_back({Numbers(n), 0, dt * c.limit});
      for (std::size_t i = 0; i < n; ++i) elements.back().g[i] = c.direction[i];
    }
  return elements;
}

// Finds the friction impulses at the predicted speeds, and with them which elements hold.
void settle(const Dense& inverse, const Numbers& h, std::vector<Element>& elements) {
  const std::size_t n = h.size();
  Numbers w(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) w[i] += inverse.at(i, k) * h[k];
  for (Element& e : elements) {
    e.response = Numbers(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) e.response[i] += inverse.at(i, k) * e.g[k];
    for (std::size_t i = 0; i < n; ++i) e.give += e.g[i] * e.response[i];
  }
  for (int sweep = 0; sweep < 60; ++sweep) {
    double change = 0, most = 0;
    for (Element& e : elements) {
      if (!(e.give > 0)) continue;
      double speed = -e.target;
      for (std::size_t i = 0; i < n; ++i) speed += e.g[i] * w[i];
      const double wanted = e.lambda + speed / e.give, lambda = std::clamp(wanted, -e.limit, e.limit);
      e.held = lambda == wanted;
      for (std::size_t i = 0; i < n; ++i) w[i] -= (lambda - e.lambda) * e.response[i];
      change = std::max(change, std::abs(lambda - e.lambda));
      most = std::max(most, std::abs(lambda));
      e.lambda = lambda;
    }
    if (change <= 1e-13 * most) break;
  }
}

}  // namespace

GroupResult eliminate(std::span<const SpinInput> wheels, std::span<const Coupling> couplings, double dt) {
  const std::size_t n = wheels.size();
  Dense s(n);
  Numbers constant(n), predicted(n);
  for (std::size_t i = 0; i < n; ++i) {
    const SpinInput& w = wheels[i];
    s.at(i, i) += std::max(w.inertia + dt * w.radius * w.radius * w.b, kNoInertia);
    constant[i] += w.inertia * w.spin + dt * w.torque - dt * w.radius * w.a;
  }
  for (const Coupling& c : couplings) {
    double speed = 0;
    for (std::size_t i = 0; i < n; ++i) speed += c.direction[i] * wheels[i].spin;
    for (std::size_t i = 0; i < n; ++i) {
      constant[i] += c.inertia * c.direction[i] * speed;
      for (std::size_t k = 0; k < n; ++k) s.at(i, k) += c.inertia * c.direction[i] * c.direction[k];
    }
  }
  for (std::size_t i = 0; i < n; ++i) predicted[i] = constant[i] + dt * wheels[i].radius * wheels[i].b * wheels[i].hub;

  Dense inverse = s.inverse();
  std::vector<Element> elements = elements_of(wheels, couplings, dt);
  settle(inverse, predicted, elements);
  // Elements that hold become constraints: w = P (h - known) + what keeps the targets. P S P = P.
  Numbers held_spin(n);
  for (const Element& e : elements) {
    if (!e.held) {
      for (std::size_t i = 0; i < n; ++i) constant[i] -= e.lambda * e.g[i];
      continue;
    }
    Numbers response(n);
    double give = 0, short_of = e.target;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) response[i] += inverse.at(i, k) * e.g[k];
    for (std::size_t i = 0; i < n; ++i) {
      give += e.g[i] * response[i];
      short_of -= e.g[i] * held_spin[i];
    }
    if (!(give > 1e-12 * std::abs(inverse.at(0, 0)))) continue;  // implied by those before
    for (std::size_t i = 0; i < n; ++i) {
      held_spin[i] += short_of / give * response[i];
      for (std::size_t k = 0; k < n; ++k) inverse.at(i, k) -= response[i] * response[k] / give;
    }
  }
  GroupResult r{n, Numbers(n), Numbers(n * n), held_spin, Numbers(n * n)};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      r.spin0[i] += inverse.at(i, k) * constant[k];
      r.gain[i * n + k] = inverse.at(i, k) * dt * wheels[k].radius * wheels[k].b;
    }
    r.a[i] = wheels[i].a + wheels[i].b * wheels[i].radius * r.spin0[i];
    for (std::size_t k = 0; k < n; ++k)
      r.b[i * n + k] = (i == k ? wheels[i].b : 0) - wheels[i].b * wheels[i].radius * r.gain[i * n + k];
  }
  return r;
}

}  // namespace simbatch::vehicle
