#pragma once
/// Small dense linear algebra and normal draws for the optimizers. Results depend only on the arguments.

#include <cstddef>
#include <optional>
#include <vector>

#include "base/core/random.hpp"

namespace simbatch::optimize {

/// A square matrix in row-major order.
struct Matrix {
  std::size_t n = 0;
  std::vector<double> values;
  explicit Matrix(std::size_t size = 0) : n(size), values(size * size) {}
  double& operator()(std::size_t row, std::size_t column) { return values[row * n + column]; }
  double operator()(std::size_t row, std::size_t column) const { return values[row * n + column]; }
  static Matrix identity(std::size_t n);
};

/// A = V diag(values) V^T for a symmetric matrix; the columns of `vectors` are the eigenvectors.
struct Eigen {
  std::vector<double> values;
  Matrix vectors;
};
/// Cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, 4th ed., section 8.5). O(n^3) per sweep, about ten sweeps.
Eigen eigen(Matrix a);

/// The lower triangle L with A = L L^T; empty if A is not positive definite. O(n^3 / 3).
std::optional<Matrix> cholesky(const Matrix& a);
/// Solve L x = b and L^T x = b in place. O(n^2).
void solve_lower(const Matrix& l, std::vector<double>& b);
void solve_upper(const Matrix& l, std::vector<double>& b);

/// Density and distribution function of the normal distribution, and the inverse of the latter for 0 < p < 1 (M. J. Wichura,
/// Algorithm AS 241, Applied Statistics 37, 1988: PPND16, relative error 1e-16).
double normal_density(double x);
double normal_below(double x);
double normal_quantile(double p);
/// A standard normal draw.
double draw_normal(RandomStream& stream);

}  // namespace simbatch::optimize
