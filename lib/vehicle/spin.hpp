#pragma once
/// Elimination of wheel spins from the equations of a step.
///
/// The force of a tire along the wheel is F = a - b (V - R w), linear in the speed V of the hub over the ground and in the spin
/// w at the end of the step. The wheel obeys I (w - w0) = dt (T - R F) - (Coulomb torques) dt, so that w can be eliminated in
/// closed form, and F becomes a' - b' V. Brakes, rolling resistance and a motor that holds a speed are Coulomb torques: each
/// exerts the torque that keeps its target speed, up to its limit. A wheel inertia of 0 is allowed.

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

namespace simbatch::vehicle {

/// A torque that opposes any deviation of a speed from its target, up to a limit.
struct Coulomb {
  double target = 0;  ///< rad/s
  double limit = 0;   ///< N m, >= 0
};

/// One wheel's equation for a step.
struct SpinInput {
  double inertia = 0;  ///< I, kg m^2, >= 0
  double radius = 0;   ///< R, m
  double spin = 0;     ///< w0, rad/s
  double torque = 0;   ///< T, N m: the drive, positive forward
  Coulomb brake;       ///< brake and rolling resistance; target 0
  Coulomb motor;       ///< holds a speed; limit 0: none
  double a = 0;        ///< N
  double b = 0;        ///< N s/m, >= 0
  double hub = 0;      ///< predicted V (m/s): determines whether the brake slips
};

/// F = a - b V and the corresponding spin: w = w0 + gain V.
struct SpinResult {
  double a = 0, b = 0;
  double spin0 = 0, gain = 0;
};

/// Eliminates the spin of a single wheel. The regime of its Coulomb torques (held at 0, held at the motor's target, slipping)
/// is determined exactly, since the torques are monotone in w.
SpinResult eliminate(const SpinInput& wheel, double dt);

/// A small vector, initially zeros; up to kNear elements are stored inline.
class Numbers {
 public:
  static constexpr std::size_t kNear = 16;
  explicit Numbers(std::size_t n = 0) : n_(n) {  // NOLINT(cppcoreguidelines-pro-type-member-init): only n have values
    if (n > kNear)
      far_.resize(n);
    else
      for (std::size_t i = 0; i < n; ++i) near_[i] = 0;
  }
  Numbers(std::initializer_list<double> values) : Numbers(values.size()) {
    std::copy(values.begin(), values.end(), n_ > kNear ? far_.data() : near_.data());
  }
  Numbers(const Numbers& other) : Numbers() { *this = other; }
  Numbers& operator=(const Numbers& other) {
    n_ = other.n_;
    if (n_ > kNear)
      far_ = other.far_;
    else
      for (std::size_t i = 0; i < n_; ++i) near_[i] = other.near_[i];  // a few: a call would take longer
    return *this;
  }
  std::size_t size() const { return n_; }
  double* data() { return n_ > kNear ? far_.data() : near_.data(); }
  const double* data() const { return n_ > kNear ? far_.data() : near_.data(); }
  double& operator[](std::size_t i) { return data()[i]; }
  double operator[](std::size_t i) const { return data()[i]; }
  friend bool operator==(const Numbers& a, const Numbers& b) {
    bool equal = a.n_ == b.n_;
    for (std::size_t i = 0; equal && i < a.n_; ++i) equal = a[i] == b[i];
    return equal;
  }

 private:
  std::size_t n_;
  std::array<double, kNear> near_;
  std::vector<double> far_;
};

/// Two wheels or shafts that share torque: the output speed w_i - w_j, or a sum of spins, coupled by inertia or friction.
struct Coupling {
  Numbers direction;   ///< one weight per wheel of the group: the coupled speed is the weighted sum of spins
  double inertia = 0;  ///< kg m^2, inertia that rotates at that speed (an engine through its gears)
  double limit = 0;    ///< N m, friction opposing that speed (a limited slip differential); infinity: locked
};

/// F_i = a_i - sum_j b_ij V_j for wheels that share a drive train, b symmetric; spins w_i = spin0_i + sum_j gain_ij V_j.
struct GroupResult {
  std::size_t n = 0;
  Numbers a, b, spin0, gain;  ///< n, n * n row by row, n, n * n
  void resize(std::size_t count);
};
/// Eliminates the spins of all wheels of one drive train. Projected Gauss-Seidel on the predicted speeds determines which
/// Coulomb torques stick.
GroupResult eliminate(std::span<const SpinInput> wheels, std::span<const Coupling> couplings, double dt);
/// The same, reusing the memory of `result`.
void eliminate(std::span<const SpinInput> wheels, std::span<const Coupling> couplings, double dt, GroupResult& result);

}  // namespace simbatch::vehicle
