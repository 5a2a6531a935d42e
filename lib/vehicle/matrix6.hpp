#pragma once
/// The 6 x 6 linear system of one rigid body: three rows for linear, three for angular velocity. Solved blockwise by the Schur
/// complement (Golub and Van Loan, Matrix Computations, 4th ed., section 3.2).

#include <array>

#include "base/geo/pose.hpp"

namespace simbatch::vehicle {

/// A row of a Jacobian: maps the body's velocity (linear, angular) to the speed of one of its points along a line. Its
/// transpose maps a force along that line to force and torque on the body.
struct Jacobian {
  geo::Vec3 linear, angular;
};
/// The Jacobian of direction `n` at the arm `r` (m) from the center of mass.
constexpr Jacobian jacobian(geo::Vec3 n, geo::Vec3 r) { return {n, geo::cross(r, n)}; }
constexpr Jacobian operator-(const Jacobian& a, const Jacobian& b) { return {a.linear - b.linear, a.angular - b.angular}; }

struct Velocity {
  geo::Vec3 linear, angular;
};
constexpr double dot(const Jacobian& j, const Velocity& v) {
  return geo::dot(j.linear, v.linear) + geo::dot(j.angular, v.angular);
}

/// A contribution to the equations: A += weight j j^T, b += amount j.
struct Term {
  Term() : f{}, weight(0), amount(0) {}
  explicit Term(const Jacobian& j, double weight_ = 0, double amount_ = 0)
      : f{j.linear.x, j.linear.y, j.linear.z, j.angular.x, j.angular.y, j.angular.z}, weight(weight_), amount(amount_) {}
  alignas(16) std::array<double, 6> f;
  double weight, amount;
};

/// A linear system A x = b with A symmetric, positive definite.
class System6 {
 public:
  /// Starts with A = the mass matrix of mass m (kg) and inertia (kg m^2; rows, about the center of mass, world axes), b = A v.
  System6(double mass, const std::array<geo::Vec3, 3>& inertia, const Velocity& v);
  void add(const Term& term);
  /// Adds the sum of both sums at once: mirrored inputs give bitwise mirrored results. The first N terms contribute to A and b,
  /// the others to b only.
  template <std::size_t N>
  void add_sides(const std::array<Term, 3>& left, const std::array<Term, 3>& right);
  /// A += weight (j k^T + k j^T)
  void add_pair(const Jacobian& j, const Jacobian& k, double weight);
  /// b += amount j
  void add_impulse(const Jacobian& j, double amount) { add(Term(j, 0, amount)); }
  /// Solves by 3 x 3 blocks, which needs no pivoting since A is positive definite.
  Velocity solve() const;

 private:
  /// A SIMD pair.
  using Two [[gnu::vector_size(16), gnu::may_alias]] = double;
  static const Two& two(const std::array<double, 6>& f, std::size_t pair) { return reinterpret_cast<const Two&>(f[2 * pair]); }
  static Two& two(std::array<double, 6>& f, std::size_t pair) { return reinterpret_cast<Two&>(f[2 * pair]); }
  template <std::size_t N>
  static Two sum(const Term* terms, std::size_t row, std::size_t pair);

  alignas(16) std::array<std::array<double, 6>, 6> a_{};  // the lower triangle, rounded up to whole pairs
  alignas(16) std::array<double, 6> b_{};
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

template <std::size_t N>
System6::Two System6::sum(const Term* terms, std::size_t row, std::size_t pair) {
  Two sum = terms[0].weight * terms[0].f[row] * two(terms[0].f, pair);
#pragma GCC unroll 3
  for (std::size_t n = 1; n < N; ++n) sum += terms[n].weight * terms[n].f[row] * two(terms[n].f, pair);
  return sum;
}

inline void System6::add(const Term& term) {
#pragma GCC unroll 6
  for (std::size_t i = 0; i < 6; ++i)
#pragma GCC unroll 3
    for (std::size_t pair = 0; pair <= i / 2; ++pair) two(a_[i], pair) += sum<1>(&term, i, pair);
#pragma GCC unroll 3
  for (std::size_t pair = 0; pair < 3; ++pair) two(b_, pair) += term.amount * two(term.f, pair);
}

template <std::size_t N>
void System6::add_sides(const std::array<Term, 3>& left, const std::array<Term, 3>& right) {
#pragma GCC unroll 6
  for (std::size_t i = 0; i < 6; ++i)
#pragma GCC unroll 3
    for (std::size_t pair = 0; pair <= i / 2; ++pair)
      two(a_[i], pair) += sum<N>(left.data(), i, pair) + sum<N>(right.data(), i, pair);
#pragma GCC unroll 3
  for (std::size_t pair = 0; pair < 3; ++pair) {
    Two l = left[0].amount * two(left[0].f, pair), r = right[0].amount * two(right[0].f, pair);
#pragma GCC unroll 3
    for (std::size_t n = 1; n < 3; ++n) {
      l += left[n].amount * two(left[n].f, pair);
      r += right[n].amount * two(right[n].f, pair);
    }
    two(b_, pair) += l + r;
  }
}

inline void System6::add_pair(const Jacobian& j, const Jacobian& k, double weight) {
  const Term f(j), g(k);
#pragma GCC unroll 6
  for (std::size_t i = 0; i < 6; ++i)
#pragma GCC unroll 3
    for (std::size_t pair = 0; pair <= i / 2; ++pair)
      two(a_[i], pair) += weight * (f.f[i] * two(g.f, pair) + g.f[i] * two(f.f, pair));
}

/// The inverse of a symmetric, positive definite 3 x 3 matrix by its adjugate, with a single division.
struct Inverse3 {
  double xx, yx, yy, zx, zy, zz;
  Inverse3(double axx, double ayx, double ayy, double azx, double azy, double azz)
      : xx(ayy * azz - azy * azy), yx(azy * azx - ayx * azz), zx(ayx * azy - ayy * azx) {
    const double scale = 1 / (axx * xx + ayx * yx + azx * zx);
    yy = scale * (axx * azz - azx * azx);
    zy = scale * (ayx * azx - axx * azy);
    zz = scale * (axx * ayy - ayx * ayx);
    xx *= scale;
    yx *= scale;
    zx *= scale;
  }
  geo::Vec3 operator*(geo::Vec3 v) const {
    return {xx * v.x + yx * v.y + zx * v.z, yx * v.x + yy * v.y + zy * v.z, zx * v.x + zy * v.y + zz * v.z};
  }
};

// [P Q^T; Q S] [x; y] = [b; c]: (S - T Q^T) y = c - T b with T = Q P^-1, and x = P^-1 (b - Q^T y).
inline Velocity System6::solve() const {
  const Inverse3 p(a_[0][0], a_[1][0], a_[1][1], a_[2][0], a_[2][1], a_[2][2]);
  const auto q = [&](std::size_t i) { return geo::Vec3{a_[3 + i][0], a_[3 + i][1], a_[3 + i][2]}; };
  const geo::Vec3 q0 = q(0), q1 = q(1), q2 = q(2), t0 = p * q0, t1 = p * q1, t2 = p * q2;
  const Inverse3 s(a_[3][3] - geo::dot(t0, q0), a_[4][3] - geo::dot(t1, q0), a_[4][4] - geo::dot(t1, q1),
                   a_[5][3] - geo::dot(t2, q0), a_[5][4] - geo::dot(t2, q1), a_[5][5] - geo::dot(t2, q2));
  const geo::Vec3 b{b_[0], b_[1], b_[2]};
  const geo::Vec3 y = s * geo::Vec3{b_[3] - geo::dot(t0, b), b_[4] - geo::dot(t1, b), b_[5] - geo::dot(t2, b)};
  return {p * (b - y.x * q0 - y.y * q1 - y.z * q2), y};
}

}  // namespace simbatch::vehicle
