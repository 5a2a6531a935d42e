// Least-squares allocation by the damped pseudoinverse of the thrusters' configuration matrix (Fossen 2011, section 12.3),
// which is computed once: Gram matrix, Gaussian elimination with partial pivoting for each unit wrench, product with the
// columns.

#include "lib/sim/mission/thrust.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::sim {

namespace {
/// Solves the 4 x 4 system a x = b by Gaussian elimination with partial pivoting.
std::array<double, 4> solve(std::array<std::array<double, 4>, 4> a, std::array<double, 4> b) {
  for (std::size_t k = 0; k < 4; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < 4; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < 4; ++i) {
      const double f = a[i][k] / a[k][k];
      for (std::size_t j = k; j < 4; ++j) a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = 4; k-- > 0;) {
    for (std::size_t j = k + 1; j < 4; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

/// Torque on the body about a thruster's direction over its thrust (m), once it turns steadily.
double torque_ratio(const PropellerSettings& p) {
  return p.reaction * (p.motor ? p.motor->torque_coefficient / p.motor->thrust_coefficient : p.torque_ratio);
}
}  // namespace

ThrustAllocation::ThrustAllocation(std::vector<Thruster> thrusters, geo::Vec3 center) : thrusters_(std::move(thrusters)) {
  // Rows of B: surge, heave, yaw, sway (desired 0, so that no thrust is wasted sideways).
  std::vector<std::array<double, 4>> columns;
  for (const Thruster& t : thrusters_) {
    const geo::Vec3 d = geo::normalized(t.settings.direction);
    const geo::Vec3 r = t.settings.position - center;
    columns.push_back({d.z, d.y, r.z * d.x - r.x * d.z + torque_ratio(t.settings) * d.y, d.x});
  }
  std::array<std::array<double, 4>, 4> gram{};
  for (const auto& c : columns)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) gram[i][j] += c[i] * c[j];
  for (std::size_t i = 0; i < 3; ++i) can_[i] = gram[i][i] > 1e-6;
  for (std::size_t i = 0; i < 4; ++i) gram[i][i] += 1e-9;
  inverse_.assign(columns.size(), {});
  for (std::size_t w = 0; w < 4; ++w) {
    std::array<double, 4> unit{};
    unit[w] = 1;
    const std::array<double, 4> y = solve(gram, unit);
    for (std::size_t k = 0; k < columns.size(); ++k)
      for (std::size_t i = 0; i < 4; ++i) inverse_[k][w] += columns[k][i] * y[i];
  }
}

double ThrustAllocation::full_thrust(const PropellerSettings& p) {
  if (!p.motor) return p.alpha * p.max_voltage;
  // Steady speed at full voltage: kt (V - kb w) / R = q w^2.
  const PropellerSettings::Motor& m = *p.motor;
  const double b = m.torque_constant * m.back_emf_constant / m.resistance, c = m.torque_constant * p.max_voltage / m.resistance;
  const double w =
      m.torque_coefficient > 0 ? (-b + std::sqrt(b * b + 4 * m.torque_coefficient * c)) / (2 * m.torque_coefficient) : c / b;
  return m.thrust_coefficient * w * w;
}

double ThrustAllocation::setting_for(const PropellerSettings& p, double thrust) {
  if (!p.motor) return thrust / (p.alpha * p.max_voltage);
  const PropellerSettings::Motor& m = *p.motor;
  const double w = std::sqrt(std::abs(thrust) / m.thrust_coefficient);
  const double voltage = m.back_emf_constant * w + m.resistance * m.torque_coefficient * w * w / m.torque_constant;
  return std::copysign(voltage / p.max_voltage, thrust);
}

void ThrustAllocation::apply(double surge, double heave, double yaw) const {
  double scale = 1;
  for (std::size_t k = 0; k < thrusters_.size(); ++k) {
    const double thrust = inverse_[k][0] * surge + inverse_[k][1] * heave + inverse_[k][2] * yaw;
    const double full = full_thrust(thrusters_[k].settings);
    if (std::abs(thrust) * scale > full) scale = full / std::abs(thrust);
  }
  for (std::size_t k = 0; k < thrusters_.size(); ++k) {
    const double thrust = scale * (inverse_[k][0] * surge + inverse_[k][1] * heave + inverse_[k][2] * yaw);
    thrusters_[k].node->set(0, std::clamp(setting_for(thrusters_[k].settings, thrust), -1.0, 1.0));
  }
}

}  // namespace simbatch::sim
