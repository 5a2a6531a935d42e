// urdfdom and our reader read the same robots: masses, centers and tensors of inertia, frames, axes, limits, and the poses of all
// links. What urdfdom refuses is not compared. Usage: peer_urdfdom FOLDER
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#include "base/core/input.hpp"
#include "formats/urdf/urdf.hpp"
#include "lib/robots/from_urdf.hpp"
#include "tests/peers/comparison.hpp"

namespace {

using namespace simbatch;
using peers::check;
using peers::fault;

geo::Pose pose_of(const ::urdf::Pose& pose) {
  return {{pose.position.x, pose.position.y, pose.position.z},
          geo::normalized(geo::Quat{pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z})};
}

void compare_link(const std::string& file, const robots::Part& ours, const ::urdf::Link& theirs, const geo::Pose& X_ML) {
  const std::string where = file + ": link " + ours.name;
  for (const geo::Vec3 v : {geo::Vec3{}, geo::Vec3{1, 0, 0}, geo::Vec3{0, 1, 0}}) {
    const geo::Vec3 a = ours.pose * v, b = X_ML * v;
    check(where, "x", a.x, b.x);
    check(where, "y", a.y, b.y);
    check(where, "z", a.z, b.z);
  }
  if (!theirs.inertial || theirs.inertial->mass <= 0) return;
  if (!ours.inertial) {
    fault(where, "no inertial");
    return;
  }
  const auto& t = *theirs.inertial;
  const geo::Pose X_LC = pose_of(t.origin);
  const robots::Tensor tensor = robots::rotated({t.ixx, t.iyy, t.izz, t.ixy, t.ixz, t.iyz}, X_LC.q);
  check(where, "mass", ours.inertial->mass, t.mass);
  check(where, "center x", ours.inertial->center.x, X_LC.p.x);
  check(where, "center y", ours.inertial->center.y, X_LC.p.y);
  check(where, "center z", ours.inertial->center.z, X_LC.p.z);
  check(where, "ixx", ours.inertial->tensor.xx, tensor.xx);
  check(where, "iyy", ours.inertial->tensor.yy, tensor.yy);
  check(where, "izz", ours.inertial->tensor.zz, tensor.zz);
  check(where, "ixy", ours.inertial->tensor.xy, tensor.xy);
  check(where, "ixz", ours.inertial->tensor.xz, tensor.xz);
  check(where, "iyz", ours.inertial->tensor.yz, tensor.yz);
}

void compare_joint(const std::string& file, const robots::Joint& ours, const ::urdf::Joint& theirs, const geo::Pose& X_MJ) {
  const std::string where = file + ": joint " + ours.name;
  const bool moves = theirs.type == ::urdf::Joint::REVOLUTE || theirs.type == ::urdf::Joint::CONTINUOUS ||
                     theirs.type == ::urdf::Joint::PRISMATIC;
  if (!moves) return;
  const geo::Vec3 axis = geo::normalized(X_MJ.q * geo::Vec3{theirs.axis.x, theirs.axis.y, theirs.axis.z});
  check(where, "axis x", ours.axis.x, axis.x);
  check(where, "axis y", ours.axis.y, axis.y);
  check(where, "axis z", ours.axis.z, axis.z);
  if (theirs.dynamics) {
    check(where, "damping", ours.damping, theirs.dynamics->damping);
    check(where, "friction", ours.friction, theirs.dynamics->friction);
  }
  if (!theirs.limits) return;
  if (theirs.type != ::urdf::Joint::CONTINUOUS && theirs.limits->lower <= theirs.limits->upper) {
    check(where, "lower", ours.lower.value_or(NAN), theirs.limits->lower);
    check(where, "upper", ours.upper.value_or(NAN), theirs.limits->upper);
  }
  if (theirs.limits->effort > 0) check(where, "effort", ours.motor ? ours.motor->effort : NAN, theirs.limits->effort);
}

bool compare(const std::string& file) {
  const Input input = Input::open(file);
  const auto theirs = ::urdf::parseURDF(std::string(input.text()));
  const auto read = simbatch::urdf::read_urdf(input.text(), file);
  if (!theirs) return false;
  if (!read.ok()) {
    // urdfdom reads numbers and templates that are not there as it likes; our own refusals are seen in tests/corpus.
    std::printf("%s: urdfdom reads it, we refuse it: %s\n", file.c_str(), to_text(read.diagnostics.items().front()).c_str());
    return false;
  }
  const robots::Model model = robots::from_urdf(*read.value);
  std::map<std::string, const robots::Part*> parts;
  for (const robots::Part& part : model.parts) parts[part.name] = &part;
  std::map<std::string, const robots::Joint*> joints;
  for (const robots::Joint& joint : model.joints) joints[joint.name] = &joint;
  if (parts.size() != theirs->links_.size()) {
    fault(file, std::to_string(parts.size()) + " links, urdfdom reads " + std::to_string(theirs->links_.size()));
    return true;
  }
  std::vector<std::pair<::urdf::LinkConstSharedPtr, geo::Pose>> open{{theirs->getRoot(), geo::Pose{}}};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto link = open[i].first;
    const geo::Pose X_ML = open[i].second;
    compare_link(file, *parts.at(link->name), *link, X_ML);
    for (const auto& joint : link->child_joints) {
      const geo::Pose X_MJ = X_ML * pose_of(joint->parent_to_joint_origin_transform);
      compare_joint(file, *joints.at(joint->name), *joint, X_MJ);
      open.emplace_back(theirs->getLink(joint->child_link_name), X_MJ);
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) { return simbatch::peers::compare_files(argc, argv, ".urdf", compare); }
