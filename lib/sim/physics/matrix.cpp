// Quaternions by Shepperd, "Quaternion from rotation matrix" (1978): divide by the largest component. Principal axes by
// Jacobi's cyclic rotations (Golub and Van Loan, Matrix Computations, section 8.5).

#include "lib/sim/physics/matrix.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::physics::detail {

Quat quaternion(const Mat3& m) {
  const double t = m.r0.x + m.r1.y + m.r2.z;
  const double largest = std::max({t, m.r0.x, m.r1.y, m.r2.z});
  Quat q;
  if (largest == t)
    q = {1 + t, m.r2.y - m.r1.z, m.r0.z - m.r2.x, m.r1.x - m.r0.y};
  else if (largest == m.r0.x)
    q = {m.r2.y - m.r1.z, 1 + m.r0.x - m.r1.y - m.r2.z, m.r0.y + m.r1.x, m.r0.z + m.r2.x};
  else if (largest == m.r1.y)
    q = {m.r0.z - m.r2.x, m.r0.y + m.r1.x, 1 + m.r1.y - m.r0.x - m.r2.z, m.r1.z + m.r2.y};
  else
    q = {m.r1.x - m.r0.y, m.r0.z + m.r2.x, m.r1.z + m.r2.y, 1 + m.r2.z - m.r0.x - m.r1.y};
  return geo::normalized(q);
}

Principal principal(const Inertia& tensor) {
  double a[3][3] = {{tensor.xx, tensor.xy, tensor.xz}, {tensor.xy, tensor.yy, tensor.yz}, {tensor.xz, tensor.yz, tensor.zz}};
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double scale = std::max({std::abs(tensor.xx), std::abs(tensor.yy), std::abs(tensor.zz)});
  constexpr int kPairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  // Ten sweeps are more than enough: convergence is quadratic. A tensor that is diagonal except for rounding is not rotated.
  for (int sweep = 0; sweep < 10; ++sweep)
    for (const auto& pair : kPairs) {
      const int p = pair[0], q = pair[1];
      if (std::abs(a[p][q]) <= 1e-13 * scale) continue;
      const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
      const double t = (theta >= 0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1));
      const double c = 1 / std::sqrt(t * t + 1), s = t * c;
      for (auto& row : a) {
        const double x = row[p], y = row[q];
        row[p] = c * x - s * y;
        row[q] = s * x + c * y;
      }
      for (int k = 0; k < 3; ++k) {
        const double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
      }
      for (auto& row : v) {
        const double x = row[p], y = row[q];
        row[p] = c * x - s * y;
        row[q] = s * x + c * y;
      }
    }
  return {{a[0][0], a[1][1], a[2][2]},
          quaternion({{v[0][0], v[0][1], v[0][2]}, {v[1][0], v[1][1], v[1][2]}, {v[2][0], v[2][1], v[2][2]}})};
}

}  // namespace simbatch::physics::detail
