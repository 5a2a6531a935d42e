// Jacobi rotations and Wichura's AS 241: numerics.hpp names the sources.
#include "lib/optimize/numerics.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace simbatch::optimize {

Matrix Matrix::identity(std::size_t n) {
  Matrix result(n);
  for (std::size_t i = 0; i < n; ++i) result(i, i) = 1;
  return result;
}

namespace {

/// Applies the Jacobi rotation of rows and columns p and q that makes a(p, q) zero.
void rotate(Matrix& a, Matrix& v, std::size_t p, std::size_t q) {
  const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
  const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  for (std::size_t k = 0; k < a.n; ++k) {
    const double kp = a(k, p), kq = a(k, q);
    a(k, p) = c * kp - s * kq;
    a(k, q) = s * kp + c * kq;
  }
  for (std::size_t k = 0; k < a.n; ++k) {
    const double pk = a(p, k), qk = a(q, k);
    a(p, k) = c * pk - s * qk;
    a(q, k) = s * pk + c * qk;
  }
  for (std::size_t k = 0; k < v.n; ++k) {
    const double kp = v(k, p), kq = v(k, q);
    v(k, p) = c * kp - s * kq;
    v(k, q) = s * kp + c * kq;
  }
}

}  // namespace

Eigen eigen(Matrix a) {
  const std::size_t n = a.n;
  Eigen result{std::vector<double>(n), Matrix::identity(n)};
  for (int sweep = 0; sweep < 60; ++sweep) {
    double off = 0, diagonal = 0;
    for (std::size_t p = 0; p < n; ++p) {
      diagonal += a(p, p) * a(p, p);
      for (std::size_t q = p + 1; q < n; ++q) off += a(p, q) * a(p, q);
    }
    if (off <= 1e-30 * diagonal) break;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q)
        if (a(p, q) != 0) rotate(a, result.vectors, p, q);
  }
  for (std::size_t i = 0; i < n; ++i) result.values[i] = a(i, i);
  return result;
}

std::optional<Matrix> cholesky(const Matrix& a) {
  Matrix l(a.n);
  for (std::size_t i = 0; i < a.n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
      if (i != j) {
        l(i, j) = sum / l(j, j);
      } else {
        if (!(sum > 0)) return std::nullopt;
        l(i, i) = std::sqrt(sum);
      }
    }
  }
  return l;
}

void solve_lower(const Matrix& l, std::vector<double>& b) {
  for (std::size_t i = 0; i < l.n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= l(i, k) * b[k];
    b[i] /= l(i, i);
  }
}

void solve_upper(const Matrix& l, std::vector<double>& b) {
  for (std::size_t i = l.n; i-- > 0;) {
    for (std::size_t k = i + 1; k < l.n; ++k) b[i] -= l(k, i) * b[k];
    b[i] /= l(i, i);
  }
}

double normal_density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }

double normal_below(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

namespace {

/// (a0 + a1 x + ... + a7 x^7) / (1 + b1 x + ... + b7 x^7)
double ratio(const std::array<double, 8>& a, const std::array<double, 8>& b, double x) {
  double above = a[7], below = b[7];
  for (std::size_t i = 7; i-- > 0;) {
    above = above * x + a[i];
    below = below * x + b[i];
  }
  return above / below;
}

}  // namespace

double normal_quantile(double p) {
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425)
    return q * ratio({3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
                      4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3},
                     {1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3, 2.1213794301586595867e4,
                      3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3},
                     0.180625 - q * q);
  const double r = std::sqrt(-std::log(q < 0 ? p : 1 - p));
  const double x =
      r <= 5
          ? ratio({1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
                   1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
                  {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
                   1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9},
                  r - 1.6)
          : ratio({6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
                   2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
                  {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
                   7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15},
                  r - 5);
  return q < 0 ? -x : x;
}

double draw_normal(RandomStream& stream) { return normal_quantile(stream.uniform() + 0x1p-54); }

}  // namespace simbatch::optimize
