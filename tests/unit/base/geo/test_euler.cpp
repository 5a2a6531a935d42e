#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/core/random.hpp"
#include "base/geo/euler.hpp"

using namespace simbatch;
using geo::roll_pitch_yaw;

TEST_CASE("euler: roll, pitch and yaw give the rotation again, also straight up") {
  RandomStream random(1, "rpy");
  for (int i = 0; i < 2000; ++i) {
    const double pitch = i % 4 == 0   ? 1.5707963267948966
                         : i % 4 == 1 ? -1.5707963267948966 + 1e-9 * random.uniform()
                                      : (random.uniform() - 0.5) * 3.14;
    const geo::Quat q = geo::rotation({0, 0, 1}, random.uniform() * 6 - 3) * geo::rotation({0, 1, 0}, pitch) *
                        geo::rotation({1, 0, 0}, random.uniform() * 6 - 3);
    const auto [roll, p, yaw] = roll_pitch_yaw(q);
    const geo::Quat r = geo::from_roll_pitch_yaw({roll, p, yaw});
    const double dot = std::abs(q.w * r.w + q.x * r.x + q.y * r.y + q.z * r.z);
    REQUIRE(2 * std::acos(std::min(1.0, dot)) < 1e-7);  // acos near 1 has half the digits
    const geo::Vec3 a = q * geo::Vec3{1, 2, 3} - r * geo::Vec3{1, 2, 3};
    REQUIRE(geo::length(a) < 1e-11);
  }
}
