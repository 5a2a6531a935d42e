#pragma once
/// The 6 x 6 system of one rigid body: three rows of linear, three of angular velocity.

#include <array>

#include "base/geo/pose.hpp"

namespace simbatch::vehicle {

/// A generalized direction: how a velocity of the body, (linear, angular), moves a point along a line. A force along that line
/// enters the equations of motion by the same numbers.
struct Row {
  geo::Vec3 linear, angular;
};
/// The row of a direction `n` at the arm `r` from the center of mass.
constexpr Row row(geo::Vec3 n, geo::Vec3 r) { return {n, geo::cross(r, n)}; }
constexpr Row operator-(const Row& a, const Row& b) { return {a.linear - b.linear, a.angular - b.angular}; }

struct Velocity {
  geo::Vec3 linear, angular;
};
constexpr double dot(const Row& j, const Velocity& v) { return geo::dot(j.linear, v.linear) + geo::dot(j.angular, v.angular); }

/// Symmetric, positive definite; A x = b. Every sum has a fixed order, so that mirrored entries give mirrored solutions to the bit.
class System6 {
 public:
  System6() = default;
  /// Mass m and tensor of inertia (rows, about the center of mass, world axes), times the velocity `v`.
  System6(double mass, const std::array<geo::Vec3, 3>& inertia, const Velocity& v);
  /// A += weight j j^T
  void add(const Row& j, double weight);
  /// A += weight (j k^T + k j^T)
  void add_pair(const Row& j, const Row& k, double weight);
  /// b += amount j
  void push(const Row& j, double amount);
  /// A += weight j j^T, b += amount j
  void add(const Row& j, double weight, double amount);
  /// Adds the sum of both to this.
  void merge(const System6& one, const System6& other);
  /// By LDL^T without pivoting, which a positive definite matrix does not need.
  Velocity solve() const;

 private:
  using Vector = std::array<double, 6>;
  static Vector flat(const Row& j) { return {j.linear.x, j.linear.y, j.linear.z, j.angular.x, j.angular.y, j.angular.z}; }
  std::array<Vector, 6> a_{};  // whole rows, which vectorize better than the triangle
  Vector b_{};
};

// ---------------------------------------------------------------------------------------------------------------------

inline System6::System6(double mass, const std::array<geo::Vec3, 3>& inertia, const Velocity& v) {
  for (std::size_t i = 0; i < 3; ++i) {
    a_[i][i] = mass;
    a_[3 + i][3] = inertia[i].x;
    a_[3 + i][4] = inertia[i].y;
    a_[3 + i][5] = inertia[i].z;
    b_[3 + i] = geo::dot(inertia[i], v.angular);
  }
  b_[0] = mass * v.linear.x;
  b_[1] = mass * v.linear.y;
  b_[2] = mass * v.linear.z;
}

inline void System6::add(const Row& j, double weight) {
  const Vector f = flat(j);
#pragma GCC unroll 6
  for (std::size_t i = 0; i < 6; ++i) {
    const double w = weight * f[i];
#pragma GCC unroll 6
    for (std::size_t k = 0; k < 6; ++k) a_[i][k] += w * f[k];
  }
}

inline void System6::add_pair(const Row& j, const Row& k, double weight) {
  const Vector f = flat(j), g = flat(k);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t l = 0; l < 6; ++l) a_[i][l] += weight * (f[i] * g[l] + g[i] * f[l]);
}

inline void System6::push(const Row& j, double amount) {
  const Vector f = flat(j);
#pragma GCC unroll 6
  for (std::size_t i = 0; i < 6; ++i) b_[i] += amount * f[i];
}

inline void System6::add(const Row& j, double weight, double amount) {
  add(j, weight);
  push(j, amount);
}

inline void System6::merge(const System6& one, const System6& other) {
  for (std::size_t i = 0; i < 6; ++i) {
#pragma GCC unroll 6
    for (std::size_t k = 0; k < 6; ++k) a_[i][k] += one.a_[i][k] + other.a_[i][k];
    b_[i] += one.b_[i] + other.b_[i];
  }
}

inline Velocity System6::solve() const {
  std::array<Vector, 6> l{};  // unit lower triangle
  Vector y{}, x = b_, inverse{};
#pragma GCC unroll 6
  for (std::size_t i = 0; i < 6; ++i) {
    double pivot = a_[i][i];
#pragma GCC unroll 6
    for (std::size_t k = 0; k < i; ++k) {
      double sum = a_[i][k];
#pragma GCC unroll 6
      for (std::size_t m = 0; m < k; ++m) sum -= y[m] * l[k][m];
      y[k] = sum;  // L D
      l[i][k] = sum * inverse[k];
      pivot -= sum * l[i][k];
      x[i] -= l[i][k] * x[k];
    }
    inverse[i] = 1 / pivot;
  }
#pragma GCC unroll 6
  for (std::size_t i = 0; i < 6; ++i) x[i] *= inverse[i];
#pragma GCC unroll 6
  for (std::size_t i = 6; i-- > 0;)
#pragma GCC unroll 6
    for (std::size_t k = i + 1; k < 6; ++k) x[i] -= l[k][i] * x[k];
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

}  // namespace simbatch::vehicle
