// libsdformat and our reader understand the same models: masses, centers and tensors of inertia, poses of links, axes and limits of
// joints. What libsdformat refuses, or cannot read yet, is not compared. Usage: peer_sdformat_read FOLDER
#include <cmath>
#include <map>
#include <sdf/sdf.hh>
#include <vector>

#include "base/core/input.hpp"
#include "lib/robots/from_sdf.hpp"
#include "tests/peers/comparison.hpp"
#include "tests/peers/load_sdf.hpp"

namespace {

using namespace simbatch;
using peers::check;
using peers::fault;

geo::Pose pose_of(const ignition::math::Pose3d& pose) {
  const auto& p = pose.Pos();
  const auto& q = pose.Rot();
  return {{p.X(), p.Y(), p.Z()}, geo::normalized(geo::Quat{q.W(), q.X(), q.Y(), q.Z()})};
}

void compare_pose(const std::string& where, const geo::Pose& ours, const geo::Pose& theirs) {
  for (const geo::Vec3 v : {geo::Vec3{}, geo::Vec3{1, 0, 0}, geo::Vec3{0, 1, 0}}) {
    const geo::Vec3 a = ours * v, b = theirs * v;
    check(where, "x", a.x, b.x, 1e-7);
    check(where, "y", a.y, b.y, 1e-7);
    check(where, "z", a.z, b.z, 1e-7);
  }
}

struct Index {
  std::map<std::string, const robots::Part*> parts;
  std::map<std::string, const robots::Joint*> joints;
};

void compare_inertia(const std::string& where, const robots::Part& ours, const ::sdf::Link& theirs) {
  if (ours.by_density || !ours.inertial) return;
  const auto& inertial = theirs.Inertial();
  const auto moi = inertial.Moi();  // in the link's axes
  check(where, "mass", ours.inertial->mass, inertial.MassMatrix().Mass());
  check(where, "center x", ours.inertial->center.x, inertial.Pose().Pos().X());
  check(where, "center y", ours.inertial->center.y, inertial.Pose().Pos().Y());
  check(where, "center z", ours.inertial->center.z, inertial.Pose().Pos().Z());
  check(where, "ixx", ours.inertial->tensor.xx, moi(0, 0));
  check(where, "iyy", ours.inertial->tensor.yy, moi(1, 1));
  check(where, "izz", ours.inertial->tensor.zz, moi(2, 2));
  check(where, "ixy", ours.inertial->tensor.xy, moi(0, 1));
  check(where, "ixz", ours.inertial->tensor.xz, moi(0, 2));
  check(where, "iyz", ours.inertial->tensor.yz, moi(1, 2));
}

void compare_joint(const std::string& where, const Index& index, const robots::Joint& ours, const ::sdf::Joint& theirs) {
  if (theirs.Type() != ::sdf::JointType::REVOLUTE && theirs.Type() != ::sdf::JointType::PRISMATIC) return;
  // The axis in the child's frame.
  std::string child;
  ignition::math::Vector3d xyz;
  if (!theirs.ResolveChildLink(child).empty() || theirs.Axis() == nullptr || !theirs.Axis()->ResolveXyz(xyz).empty()) return;
  const auto part = index.parts.find(ours.child);
  if (part == index.parts.end()) return;
  ignition::math::Pose3d in_child;
  if (theirs.SemanticPose().Resolve(in_child, theirs.ChildLinkName()).empty() && theirs.ChildLinkName() == child) {
    const geo::Vec3 axis = geo::normalized(part->second->pose.q * (pose_of(in_child).q * geo::Vec3{xyz.X(), xyz.Y(), xyz.Z()}));
    check(where, "axis x", ours.axis.x, axis.x, 1e-7);
    check(where, "axis y", ours.axis.y, axis.y, 1e-7);
    check(where, "axis z", ours.axis.z, axis.z, 1e-7);
    const geo::Vec3 at = part->second->pose * pose_of(in_child).p;
    check(where, "position x", ours.position.x, at.x, 1e-7);
    check(where, "position y", ours.position.y, at.y, 1e-7);
    check(where, "position z", ours.position.z, at.z, 1e-7);
  }
  const double lower = theirs.Axis()->Lower(), upper = theirs.Axis()->Upper();
  if (std::abs(lower) < 1e15 && std::abs(upper) < 1e15) {
    check(where, "lower", ours.lower.value_or(NAN), lower);
    check(where, "upper", ours.upper.value_or(NAN), upper);
  }
  check(where, "damping", ours.damping, theirs.Axis()->Damping());
  check(where, "friction", ours.friction, theirs.Axis()->Friction());
}

void compare_model(const std::string& file, const std::string& prefix, const Index& index, const ::sdf::Model& theirs,
                   const geo::Pose& X_MN) {
  for (std::uint64_t i = 0; i < theirs.LinkCount(); ++i) {
    const ::sdf::Link& link = *theirs.LinkByIndex(i);
    const std::string where = file + ": link " + prefix + link.Name();
    const auto part = index.parts.find(prefix + link.Name());
    ignition::math::Pose3d pose;
    if (part == index.parts.end() || !link.SemanticPose().Resolve(pose, "__model__").empty()) {
      fault(where, "missing");
      continue;
    }
    compare_pose(where, part->second->pose, X_MN * pose_of(pose));
    compare_inertia(where, *part->second, link);
  }
  for (std::uint64_t i = 0; i < theirs.JointCount(); ++i) {
    const ::sdf::Joint& joint = *theirs.JointByIndex(i);
    const auto ours = index.joints.find(prefix + joint.Name());
    if (ours != index.joints.end()) compare_joint(file + ": joint " + prefix + joint.Name(), index, *ours->second, joint);
  }
  for (std::uint64_t i = 0; i < theirs.ModelCount(); ++i) {
    const ::sdf::Model& inner = *theirs.ModelByIndex(i);
    ignition::math::Pose3d pose;
    if (inner.SemanticPose().Resolve(pose, "__model__").empty())
      compare_model(file, prefix + inner.Name() + "::", index, inner, X_MN * pose_of(pose));
  }
}

bool compare(const std::string& file) {
  const Input input = Input::open(file);
  const auto read = simbatch::sdf::file::read_sdf(input.text(), file);
  ::sdf::Root root;
  const auto refused = peers::load_sdf(root, std::string(input.text()));
  if (!read.ok() || !refused.empty()) return false;
  Diagnostics problems;
  const robots::IncludeLoader none = [](const std::string&, const std::string&, Position) {
    return std::optional<robots::IncludedFile>();
  };
  const robots::World world = robots::from_sdf(*read.value, file, none, problems);
  for (const robots::Model& model : world.models) {
    const ::sdf::Model* theirs = root.Model();
    for (std::uint64_t w = 0; w < root.WorldCount() && theirs == nullptr; ++w)
      theirs = root.WorldByIndex(w)->ModelByName(model.name);
    if (theirs == nullptr) {
      fault(file, "model " + model.name + " is not known to libsdformat");
      continue;
    }
    Index index;
    for (const robots::Part& part : model.parts) index.parts[part.name] = &part;
    for (const robots::Joint& joint : model.joints) index.joints[joint.name] = &joint;
    ignition::math::Pose3d pose;
    if (root.WorldCount() > 0 && theirs->SemanticPose().Resolve(pose, "world").empty())
      compare_pose(file + ": model " + model.name, model.pose, pose_of(pose));
    compare_model(file, "", index, *theirs, {});
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) { return simbatch::peers::compare_files(argc, argv, ".sdf", compare); }
