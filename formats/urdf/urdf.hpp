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
  Pose origin;  ///< of the center of mass in the link's frame
  double mass = 0;
  std::array<double, 6> inertia{};  ///< ixx ixy ixz iyy iyz izz, about the center of mass, kg m^2
};

/// A mesh at its place in a link's frame.
struct Mesh {
  Pose origin;
  std::string file;  ///< as written to the file
  std::array<float, 3> color{0.8F, 0.8F, 0.8F};
};

struct Link {
  std::string name;
  std::optional<Inertial> inertial;
  std::vector<Mesh> visuals, collisions;
};

struct Limit {
  double lower = 0, upper = 0, effort = 0, velocity = 0;
};
struct Mimic {
  std::string joint;
  double multiplier = 1, offset = 0;
};
struct Joint {
  std::string name;
  std::string type = "fixed";  ///< fixed, revolute, prismatic, continuous
  std::string parent, child;
  Pose origin;  ///< of the joint (and the child at 0) in the parent's frame
  Vector axis{0, 0, 1};
  std::optional<Limit> limit;
  std::optional<Mimic> mimic;
  std::optional<double> damping, friction;
};

struct Robot {
  std::string name;
  std::vector<Link> links;
  std::vector<Joint> joints;
};

/// Deterministic. Names must be unique and the joints a tree (the caller's business).
std::string write_urdf(const Robot& robot);

}  // namespace simbatch::urdf
