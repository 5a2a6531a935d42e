// One wheel: (I + dt R^2 b) w = I w0 + dt T - dt R (a - b V) - dt (Coulomb torques), F = a - b (V - R w).
// A group: S w = h - G lambda with S = diag(I + dt R^2 b) + sum J g g^T; elements that hold their speed are constraints.
// Our own method: backward Euler for spins, Coulomb torques by the regimes of their piecewise linear equation.

#include "lib/vehicle/spin.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::vehicle {
namespace {

// Below this (kg m^2) the wheel has neither inertia nor grip: its spin follows the road.
constexpr double kNoInertia = 1e-9;

// Sign of a Coulomb torque for a spin infinitesimally below (side -1) or above (side +1) `at`.
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
  // Sliding: the residual is monotone, so its sign at each breakpoint tells on which side the root lies.
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
  // F = a - b V + b R w; (1 - dt R^2 b / d) = I / d is used in this form to avoid cancellation.
  const double share = w.inertia > 0 ? w.inertia / d : 0, impulse = w.inertia * w.spin + dt * w.torque - regime.value;
  const double inverse = 1 / d;
  return {w.a * share + w.b * w.radius * inverse * impulse, w.b * share, (constant - regime.value) * inverse,
          per_speed * inverse};
}

namespace {

/// Number of wheels that share a drive train, and their vector and matrix types: compile-time constants for common numbers.
template <std::size_t N>
struct Few {
  static constexpr std::size_t kMaxCouplings = 4;  // engine, two axles' locks, the lock between the axles
  static constexpr std::size_t n = N;
  using Vector = std::array<double, N>;
  using Matrix = std::array<double, N * N>;
  explicit Few(std::size_t) {}
  Vector vector() const { return {}; }
  Matrix matrix() const { return {}; }
};
struct Many {
  std::size_t n;
  using Vector = std::vector<double>;
  using Matrix = std::vector<double>;
  explicit Many(std::size_t count) : n(count) {}
  Vector vector() const { return Vector(n); }
  Matrix matrix() const { return Matrix(n * n); }
};

// Without values of its own, so that places for elements cost nothing; Elements::add() makes all of it 0.
template <class Size>
struct Element {  // NOLINT(cppcoreguidelines-pro-type-member-init)
  typename Size::Vector g;
  double target, limit;  // limit as an impulse (times dt)
  double lambda;
  bool held;
  typename Size::Vector response;  // of the spins to a unit impulse
  double give, per_give;           // of its own speed to a unit impulse, and the inverse
};

/// The elements of a group, stored contiguously; on the heap only if there are many.
template <class Size>
struct Elements {
  std::vector<Element<Size>> all;
  Element<Size>& add() { return all.emplace_back(); }
  std::span<Element<Size>> span() { return all; }
};
template <std::size_t N>
struct Elements<Few<N>> {  // NOLINT(cppcoreguidelines-pro-type-member-init): count says how many have values
  std::array<Element<Few<N>>, 2 * N + Few<N>::kMaxCouplings> all;
  std::size_t count = 0;
  Element<Few<N>>& add() {
    Element<Few<N>>& added = all[count++];
    added = {};
    return added;
  }
  std::span<Element<Few<N>>> span() { return std::span(all).first(count); }
};

/// Solves symmetric systems of a group's size.
template <class Size>
class Group {
 public:
  using Vector = typename Size::Vector;
  using Matrix = typename Size::Matrix;

  Group(std::span<const SpinInput> wheels, std::span<const Coupling> couplings, double dt)
      : size_(wheels.size()), wheels_(wheels), couplings_(couplings), dt_(dt) {}
  void eliminate(GroupResult& result);

 private:
  static void invert(const Size& size, Matrix& a, Matrix& r);
  void add_elements();
  void settle(const Vector& h);
  void hold();

  Size size_;
  std::span<const SpinInput> wheels_;
  std::span<const Coupling> couplings_;
  double dt_;
  Matrix inverse_ = size_.matrix();
  Vector constant_ = size_.vector(), held_spin_ = size_.vector();
  Elements<Size> elements_;
};

// By Gauss-Jordan; rows and columns with a vanishing pivot are set to 0. Destroys `a`.
template <class Size>
void Group<Size>::invert(const Size& size, Matrix& a, Matrix& r) {
  const std::size_t n = size.n;
  for (std::size_t i = 0; i < n; ++i) r[i * n + i] = 1;
  for (std::size_t p = 0; p < n; ++p) {
    const double pivot = a[p * n + p];
    if (std::abs(pivot) < 1e-300) {
      for (std::size_t k = 0; k < n; ++k) r[p * n + k] = 0;
      continue;
    }
    // Of `a` only columns after p are needed from here on; of row p of `r` those after p are still 0.
    for (std::size_t k = p + 1; k < n; ++k) a[p * n + k] /= pivot;
    for (std::size_t k = 0; k <= p; ++k) r[p * n + k] /= pivot;
    for (std::size_t i = 0; i < n; ++i) {
      const double f = a[i * n + p];
      if (i == p || f == 0) continue;
      for (std::size_t k = p + 1; k < n; ++k) a[i * n + k] -= f * a[p * n + k];
      for (std::size_t k = 0; k <= p; ++k) r[i * n + k] -= f * r[p * n + k];
    }
  }
}

template <class Size>
void Group<Size>::add_elements() {
  const std::size_t n = size_.n;
  const auto add = [&](double target, double limit) -> Vector& {
    Element<Size>& e = elements_.add();
    e.g = size_.vector();
    e.target = target;
    e.limit = dt_ * limit;
    return e.g;
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (wheels_[i].brake.limit > 0) add(wheels_[i].brake.target, wheels_[i].brake.limit)[i] = 1;
    if (wheels_[i].motor.limit > 0) add(wheels_[i].motor.target, wheels_[i].motor.limit)[i] = 1;
  }
  for (const Coupling& c : couplings_) {
    if (!(c.limit > 0)) continue;
    Vector& g = add(0, c.limit);
    const double* const direction = c.direction.data();
    for (std::size_t i = 0; i < n; ++i) g[i] = direction[i];
  }
}

// Finds the friction impulses at the predicted speeds, which determine the elements that stick.
template <class Size>
void Group<Size>::settle(const Vector& h) {
  const std::size_t n = size_.n;
  Vector w = size_.vector();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) w[i] += inverse_[i * n + k] * h[k];
  for (Element<Size>& e : elements_.span()) {
    e.response = size_.vector();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) e.response[i] += inverse_[i * n + k] * e.g[k];
    for (std::size_t i = 0; i < n; ++i) e.give += e.g[i] * e.response[i];
    if (e.give > 0) e.per_give = 1 / e.give;
  }
  for (int sweep = 0; sweep < 60; ++sweep) {
    double change = 0, most = 0;
    for (Element<Size>& e : elements_.span()) {
      if (!(e.give > 0)) continue;
      double speed = -e.target;
      for (std::size_t i = 0; i < n; ++i) speed += e.g[i] * w[i];
      const double wanted = e.lambda + speed * e.per_give, lambda = std::clamp(wanted, -e.limit, e.limit);
      e.held = lambda == wanted;
      for (std::size_t i = 0; i < n; ++i) w[i] -= (lambda - e.lambda) * e.response[i];
      change = std::max(change, std::abs(lambda - e.lambda));
      most = std::max(most, std::abs(lambda));
      e.lambda = lambda;
    }
    if (change <= 1e-13 * most) break;
  }
}

// Sticking elements become constraints: w = P (h - known) + the term that keeps the targets. P S P = P.
template <class Size>
void Group<Size>::hold() {
  const std::size_t n = size_.n;
  for (const Element<Size>& e : elements_.span()) {
    if (!e.held) {
      for (std::size_t i = 0; i < n; ++i) constant_[i] -= e.lambda * e.g[i];
      continue;
    }
    Vector response = size_.vector();
    double give = 0, short_of = e.target;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) response[i] += inverse_[i * n + k] * e.g[k];
    for (std::size_t i = 0; i < n; ++i) {
      give += e.g[i] * response[i];
      short_of -= e.g[i] * held_spin_[i];
    }
    if (!(give > 1e-12 * std::abs(inverse_[0]))) continue;  // implied by the previous ones
    for (std::size_t i = 0; i < n; ++i) {
      held_spin_[i] += short_of / give * response[i];
      for (std::size_t k = 0; k < n; ++k) inverse_[i * n + k] -= response[i] * response[k] / give;
    }
  }
}

template <class Size>
void Group<Size>::eliminate(GroupResult& r) {
  const std::size_t n = size_.n;
  Matrix s = size_.matrix();
  Vector predicted = size_.vector();
  for (std::size_t i = 0; i < n; ++i) {
    const SpinInput& w = wheels_[i];
    s[i * n + i] += std::max(w.inertia + dt_ * w.radius * w.radius * w.b, kNoInertia);
    constant_[i] += w.inertia * w.spin + dt_ * w.torque - dt_ * w.radius * w.a;
  }
  for (const Coupling& c : couplings_) {
    const double* const direction = c.direction.data();
    double speed = 0;
    for (std::size_t i = 0; i < n; ++i) speed += direction[i] * wheels_[i].spin;
    for (std::size_t i = 0; i < n; ++i) {
      constant_[i] += c.inertia * direction[i] * speed;
      for (std::size_t k = 0; k < n; ++k) s[i * n + k] += c.inertia * direction[i] * direction[k];
    }
  }
  for (std::size_t i = 0; i < n; ++i) predicted[i] = constant_[i] + dt_ * wheels_[i].radius * wheels_[i].b * wheels_[i].hub;

  invert(size_, s, inverse_);
  add_elements();
  settle(predicted);
  hold();
  r.resize(n);
  double *const gain = r.gain.data(), *const a = r.a.data(), *const b = r.b.data(), *const spin0 = r.spin0.data();
  for (std::size_t i = 0; i < n; ++i) {
    double spin = held_spin_[i];
    for (std::size_t k = 0; k < n; ++k) {
      spin += inverse_[i * n + k] * constant_[k];
      gain[i * n + k] = inverse_[i * n + k] * dt_ * wheels_[k].radius * wheels_[k].b;
    }
    spin0[i] = spin;
    a[i] = wheels_[i].a + wheels_[i].b * wheels_[i].radius * spin;
    for (std::size_t k = 0; k < n; ++k)
      b[i * n + k] = (i == k ? wheels_[i].b : 0) - wheels_[i].b * wheels_[i].radius * gain[i * n + k];
  }
}

template <class Size>
void eliminate_as(std::span<const SpinInput> wheels, std::span<const Coupling> couplings, double dt, GroupResult& result) {
  Group<Size>(wheels, couplings, dt).eliminate(result);
}

}  // namespace

void GroupResult::resize(std::size_t count) {
  if (n == count) return;
  n = count;
  a = spin0 = Numbers(n);
  b = gain = Numbers(n * n);
}

void eliminate(std::span<const SpinInput> wheels, std::span<const Coupling> couplings, double dt, GroupResult& result) {
  if (wheels.size() == 2 && couplings.size() <= Few<2>::kMaxCouplings)
    return eliminate_as<Few<2>>(wheels, couplings, dt, result);
  if (wheels.size() == 4 && couplings.size() <= Few<4>::kMaxCouplings)
    return eliminate_as<Few<4>>(wheels, couplings, dt, result);
  eliminate_as<Many>(wheels, couplings, dt, result);
}

GroupResult eliminate(std::span<const SpinInput> wheels, std::span<const Coupling> couplings, double dt) {
  GroupResult result;
  eliminate(wheels, couplings, dt, result);
  return result;
}

}  // namespace simbatch::vehicle
