#pragma once
/// URDF, written only: robots for ROS and what reads its files. Meters, kilograms, radians; right-handed frames.
/// Source: the XML specification of the ROS package urdf, and what check_urdf of urdfdom 3.0 accepts.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/geo/euler.hpp"

namespace simbatch::urdf {

using Vector = std::array<double, 3>;

using Pose = geo::EulerPose;

struct Inertial {
  Pose origin;                      ///< of the center of mass in the link's frame
  double mass = 0;                  ///< kg
  std::array<double, 6> inertia{};  ///< ixx ixy ixz iyy iyz izz, about the center of mass, kg m^2
};

/// A mesh at its place in a link's frame.
struct Mesh {
  Pose origin;
  std::string file;                              ///< as written to the file
  std::array<float, 3> color{0.8F, 0.8F, 0.8F};  ///< red, green, blue in [0, 1]
};

struct Link {
  std::string name;
  std::optional<Inertial> inertial;
  std::vector<Mesh> visuals, collisions;
};

struct Limit {
  double lower = 0, upper = 0;  ///< rad (revolute) or m (prismatic)
  double effort = 0;            ///< N m or N
  double velocity = 0;          ///< rad/s or m/s
};
/// The joint's position is multiplier * that of `joint` + offset (rad or m).
struct Mimic {
  std::string joint;
  double multiplier = 1, offset = 0;
};
struct Joint {
  std::string name;
  std::string type = "fixed";  ///< fixed, revolute, prismatic, continuous
  std::string parent, child;
  Pose origin;           ///< of the joint (and the child at 0) in the parent's frame
  Vector axis{0, 0, 1};  ///< of length 1, in the joint's frame
  std::optional<Limit> limit;
  std::optional<Mimic> mimic;
  std::optional<double> damping;   ///< N m s/rad or N s/m
  std::optional<double> friction;  ///< N m or N
};

struct Robot {
  std::string name;
  std::vector<Link> links;
  std::vector<Joint> joints;
};

/// Deterministic. Names must be unique and the joints a tree (the caller's business).
std::string write_urdf(const Robot& robot);

}  // namespace simbatch::urdf
