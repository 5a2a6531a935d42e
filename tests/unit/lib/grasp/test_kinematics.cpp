#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "lib/grasp/chain.hpp"
#include "lib/grasp/material.hpp"
#include "lib/grasp/solid.hpp"

using namespace simbatch::grasp;

namespace {

constexpr double kPi = std::numbers::pi;

struct Mesh {
  std::vector<std::array<double, 3>> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

Mesh box(double x, double y, double z, std::array<double, 3> at) {
  Mesh mesh;
  for (unsigned i = 0; i < 8; ++i)
    mesh.points.push_back(
        {at[0] + ((i & 1U) != 0 ? x : -x) / 2, at[1] + ((i & 2U) != 0 ? y : -y) / 2, at[2] + ((i & 4U) != 0 ? z : -z) / 2});
  mesh.triangles = {{7, 6, 4}, {7, 4, 5}, {2, 3, 1}, {2, 1, 0}, {6, 2, 0}, {6, 0, 4},
                    {3, 7, 5}, {3, 5, 1}, {3, 2, 6}, {3, 6, 7}, {5, 4, 0}, {5, 0, 1}};
  return mesh;
}

}  // namespace

TEST_CASE("kinematics: mass properties of a box, far from its origin, and of an open one") {
  Mesh mesh = box(1, 2, 3, {1000, -2000, 500});
  const SolidProperties mass = measure_solid(mesh.points, mesh.triangles);
  CHECK(mass.closed);
  CHECK(mass.volume == doctest::Approx(6).epsilon(1e-12));
  CHECK(mass.area == doctest::Approx(22));
  CHECK(mass.centroid[1] == doctest::Approx(-2000).epsilon(1e-14));
  CHECK(mass.inertia[0] == doctest::Approx((4 + 9) / 12.0).epsilon(1e-12));
  CHECK(mass.inertia[4] == doctest::Approx((1 + 9) / 12.0).epsilon(1e-12));
  CHECK(mass.inertia[8] == doctest::Approx((1 + 4) / 12.0).epsilon(1e-12));
  CHECK(std::abs(mass.inertia[1]) < 1e-12);
  mesh.triangles.pop_back();
  CHECK(!measure_solid(mesh.points, mesh.triangles).closed);
  for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
  CHECK(measure_solid(mesh.points, mesh.triangles).volume < 0);
  CHECK(measure_solid({}, {}).volume == 0);
}

TEST_CASE("kinematics: products of inertia of a tetrahedron agree with the closed form") {
  const std::vector<std::array<double, 3>> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<std::array<std::uint32_t, 3>> triangles{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const SolidProperties mass = measure_solid(points, triangles);
  CHECK(mass.volume == doctest::Approx(1.0 / 6));
  CHECK(mass.centroid[0] == doctest::Approx(0.25));
  // x^2: 1/10 - 1/16; xy: 1/20 - 1/16
  CHECK(mass.inertia[0] == doctest::Approx(2 * (0.1 - 0.0625)));
  CHECK(mass.inertia[1] == doctest::Approx(-(0.05 - 0.0625)));
}

TEST_CASE("kinematics: a planar arm is where trigonometry says, with coupled joints and offsets") {
  Kinematics robot;
  robot.dofs = 1;
  Chain chain;
  chain.base = translation({0.1, 0, 0});
  Joint joint;
  joint.a = 0.5;
  joint.min = 0;
  joint.max = kPi / 2;
  chain.joints.push_back(joint);
  joint.factor = -0.5;
  joint.offset = kPi / 6;
  joint.min = -kPi / 8;
  joint.max = kPi;
  joint.alpha = kPi / 2;
  chain.joints.push_back(joint);
  Joint slide;
  slide.prismatic = true;
  slide.factor = 0.1;
  slide.offset = 0.2;
  slide.min = -1;
  slide.max = 1;
  chain.joints.push_back(slide);
  chain.links = {-1, 0, 1, 2};
  robot.chains.push_back(chain);
  const double q = 0.7;
  const auto poses = link_poses(robot, std::span(&q, 1))[0];
  const double second = q - 0.5 * q + kPi / 6;
  CHECK(poses[0].p.x == 0.1);
  CHECK(poses[1].p.x == doctest::Approx(0.1 + 0.5 * std::cos(q)));
  CHECK(poses[2].p.x == doctest::Approx(0.1 + 0.5 * std::cos(q) + 0.5 * std::cos(second)));
  CHECK(poses[2].p.y == doctest::Approx(0.5 * std::sin(q) + 0.5 * std::sin(second)));
  // alpha = 90 degrees: the slide's z is the plane's (sin, -cos).
  CHECK(poses[3].p.x == doctest::Approx(poses[2].p.x + (0.2 + 0.1 * q) * std::sin(second)));
  CHECK(poses[3].p.y == doctest::Approx(poses[2].p.y - (0.2 + 0.1 * q) * std::cos(second)));
  const auto limits = dof_limits(robot);
  CHECK(limits[0].min == doctest::Approx(0));
  CHECK(limits[0].max == doctest::Approx(kPi / 4));  // of the second joint: -pi/8 / -0.5
}

TEST_CASE("kinematics: rotation matrices become quaternions, in all four branches") {
  for (const auto& [axis, angle] :
       {std::pair{Vec3{1, 2, 3}, 0.3}, {Vec3{1, 0.1, 0}, 3.1}, {Vec3{0, 1, 0.1}, 3.1}, {Vec3{0.1, 0, 1}, 3.1}}) {
    const Quat q = simbatch::geo::rotation(axis, angle);
    double rows[9];
    const Vec3 columns[] = {q * Vec3{1, 0, 0}, q * Vec3{0, 1, 0}, q * Vec3{0, 0, 1}};
    for (int i = 0; i < 3; ++i) {
      rows[i] = columns[i].x;
      rows[3 + i] = columns[i].y;
      rows[6 + i] = columns[i].z;
    }
    const Quat r = from_rows(rows);
    CHECK(std::abs(q.w * r.w + q.x * r.x + q.y * r.y + q.z * r.z) == doctest::Approx(1).epsilon(1e-14));
  }
}

TEST_CASE("kinematics: friction of pairs is symmetric, sliding friction is 0.1 less, frictionless is 0") {
  CHECK(pair_friction("rubber", "stone")->at_rest == 1.5);
  CHECK(pair_friction("stone", "rubber")->at_rest == 1.5);
  CHECK(pair_friction("glass", "wood")->sliding == doctest::Approx(0.2));
  CHECK(pair_friction("frictionless", "rubber")->sliding == 0);
  CHECK(!pair_friction("paper", "wood"));
}
