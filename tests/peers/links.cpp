// Copies of robots and worlds are the same ones: links with their poses, masses, tensors and shapes, joints with their types, ends,
// places, axes, limits, dynamics and what they follow. A URDF file that was made of a URDF file is equal in every number; an SDF file that
// was made of an SDF file is so for libsdformat too, where that reads the original. Usage: peer_links LIST, a file with lines
// "ORIGINAL<tab>COPY".
#include <fstream>
#include <map>
#include <sdf/sdf.hh>
#include <set>

#include "base/core/input.hpp"
#include "formats/urdf/urdf.hpp"
#include "lib/robots/from_sdf.hpp"
#include "lib/robots/from_urdf.hpp"
#include "tests/peers/comparison.hpp"
#include "tests/peers/load_sdf.hpp"

namespace {

using namespace simbatch;
using peers::check;
using peers::fault;
using robots::Joint;

std::optional<robots::World> world_of(const std::string& file) {
  const Input input = Input::open(file);
  robots::World world;
  if (file.ends_with(".urdf")) {
    const auto read = urdf::read_urdf(input.text(), file);
    if (!read.ok()) return std::nullopt;
    world.models.push_back(robots::from_urdf(*read.value));
  } else {
    const auto read = simbatch::sdf::file::read_sdf(input.text(), file);
    if (!read.ok()) return std::nullopt;
    Diagnostics problems;
    world = robots::from_sdf(
        *read.value, file,
        [](const std::string&, const std::string&, Position) { return std::optional<robots::IncludedFile>(); }, problems);
    if (problems.has_errors()) return std::nullopt;
  }
  for (robots::Model& model : world.models) robots::drop_world_part(model);
  return world;
}

void same(const std::string& where, const char* what, double a, double b) { check(where, what, b, a, 1e-9); }
void same(const std::string& where, const char* what, geo::Vec3 a, geo::Vec3 b) {
  same(where, what, a.x, b.x);
  same(where, what, a.y, b.y);
  same(where, what, a.z, b.z);
}
void same_number(const std::string& where, const char* what, const std::optional<double>& a, const std::optional<double>& b) {
  if (a != b) fault(where, std::string(what) + " differs");
  ++peers::tally.compared;
}
template <class T>
void same_text(const std::string& where, const char* what, const T& a, const T& b) {
  if (!(a == b)) fault(where, std::string(what) + " differs");
  ++peers::tally.compared;
}

/// @param is_plain  shapes that URDF does not have are not compared
void same_solids(const std::string& where, const robots::Part& p, const robots::Part& q, const std::vector<robots::Solid>& a,
                 const std::vector<robots::Solid>& b, bool to_urdf) {
  using Kind = robots::Shape::Kind;
  std::vector<robots::Solid> before;
  for (const robots::Solid& solid : a) {
    const Kind kind = solid.shape.kind;
    if (to_urdf && (kind == Kind::capsule || kind == Kind::plane || kind == Kind::ellipsoid || kind == Kind::cone)) return;
    before.push_back(solid);
  }
  if (before.size() != b.size()) return fault(where, "number of shapes differs");
  for (std::size_t i = 0; i < b.size(); ++i) {
    const robots::Shape &s = before[i].shape, &t = b[i].shape;
    if (s.kind == Kind::cone) continue;
    same_text(where, "shape", s.kind, t.kind);
    same_text(where, "size", s.size, t.size);
    same_number(where, "radius", s.radius, t.radius);
    same_number(where, "length", s.length, t.length);
    same_text(where, "color", before[i].color, b[i].color);
    for (const geo::Vec3 v : {geo::Vec3{}, geo::Vec3{1, 0, 0}, geo::Vec3{0, 1, 0}})
      same(where, "shape's pose", p.pose * (before[i].pose * v), q.pose * (b[i].pose * v));
  }
}

/// The frame in which two models are compared: their own, or, of a URDF robot that is not fixed to the world, that of its root.
geo::Pose base_of(const robots::Model& model, const robots::Model& copy) {
  for (const Joint& joint : copy.joints)
    if (joint.parent.empty()) return {};
  const auto root = part_index(model, copy.parts.front().name);
  return root ? inverse(model.parts[*root].pose) : geo::Pose{};
}
robots::Model based(robots::Model model, const geo::Pose& X) {
  for (robots::Part& part : model.parts) part.pose = X * part.pose;
  for (Joint& joint : model.joints) {
    joint.position = X * joint.position;
    joint.axis = X.q * joint.axis;
    if (joint.first) joint.first->axis = X.q * joint.first->axis;
  }
  return model;
}

void same_part(const std::string& where, const robots::Part& a, const robots::Part& b, bool to_urdf, bool moves_frames) {
  if (!moves_frames)
    for (const geo::Vec3 v : {geo::Vec3{}, geo::Vec3{1, 0, 0}, geo::Vec3{0, 1, 0}}) same(where, "pose", a.pose * v, b.pose * v);
  if (a.inertial) {
    if (!b.inertial) return fault(where, "no inertial");
    same_number(where, "mass", a.inertial->mass, b.inertial->mass);
    same(where, "center", a.pose * a.inertial->center, b.pose * b.inertial->center);
    const robots::Tensor t = robots::rotated(a.inertial->tensor, a.pose.q), u = robots::rotated(b.inertial->tensor, b.pose.q);
    if (robots::is_physical(t)) {
      same(where, "tensor", {t.xx, t.yy, t.zz}, {u.xx, u.yy, u.zz});
      same(where, "tensor", {t.xy, t.xz, t.yz}, {u.xy, u.xz, u.yz});
    }
  }
  same_solids(where, a, b, a.collisions, b.collisions, to_urdf);
  same_solids(where, a, b, a.visuals, b.visuals, to_urdf);
}

void same_motion(const std::string& where, const robots::Motion& a, const robots::Motion& b, bool to_urdf) {
  same(where, "axis", a.axis, b.axis);
  if (!to_urdf || (a.lower.has_value() == a.upper.has_value() && a.lower)) {
    same_number(where, "lower", a.lower, b.lower);
    same_number(where, "upper", a.upper, b.upper);
  }
  if (!to_urdf || a.effort) same_number(where, "effort", a.effort, b.effort);
  if (!to_urdf || a.velocity) same_number(where, "velocity", a.velocity, b.velocity);
  same_number(where, "damping", a.damping, b.damping);
  same_number(where, "friction", a.friction, b.friction);
  if (!to_urdf) same_number(where, "stiffness", a.stiffness, b.stiffness);
  same_text(where, "mimic", a.mimic.has_value(), b.mimic.has_value());
  if (!a.mimic || !b.mimic) return;
  same_text(where, "mimic", a.mimic->joint, b.mimic->joint);
  same_number(where, "multiplier", a.mimic->multiplier, b.mimic->multiplier);
  same(where, "offset", a.mimic->offset - a.mimic->multiplier * a.mimic->reference,
       b.mimic->offset - b.mimic->multiplier * b.mimic->reference);
}

void same_model(const std::string& file, const robots::Model& a, const robots::Model& b, bool to_urdf, bool moves_frames) {
  std::map<std::string, const robots::Part*> parts;
  for (const robots::Part& part : b.parts) parts[part.name] = &part;
  for (const robots::Part& part : a.parts) {
    const std::string where = file + ": link " + part.name;
    const auto found = parts.find(part.name);
    if (found == parts.end())
      fault(where, "missing");
    else
      same_part(where, part, *found->second, to_urdf, moves_frames);
  }
  std::map<std::string, const Joint*> joints;
  for (const Joint& joint : b.joints) joints[joint.name] = &joint;
  bool has_balls = false;
  for (const Joint& joint : a.joints) {
    has_balls |= joint.kind == Joint::Kind::spherical || joint.kind == Joint::Kind::universal;
    if (to_urdf && (joint.kind == Joint::Kind::spherical || joint.kind == Joint::Kind::universal)) continue;
    const std::string where = file + ": joint " + joint.name;
    const auto found = joints.find(joint.name);
    if (found == joints.end() && joints.contains(joint.name + "_joint")) continue;  // a link has its name, which SDF refuses
    if (found == joints.end()) {
      if (joint.kind != Joint::Kind::floating && joint.kind != Joint::Kind::planar) fault(where, "missing");
      continue;
    }
    const Joint& other = *found->second;
    same_text(where, "kind", joint.kind, other.kind);
    same_text(where, "parent", joint.parent, other.parent);
    same_text(where, "child", joint.child, other.child);
    if (joint.kind == Joint::Kind::fixed || joint.kind == Joint::Kind::spherical) continue;
    same(where, "position", joint.position, other.position);
    same_motion(where, joint, other, to_urdf);
    if (joint.first && other.first) same_motion(where, *joint.first, *other.first, to_urdf);
  }
  if (to_urdf && has_balls) return;
  if (a.parts.size() != b.parts.size()) fault(file, "number of links differs");
  if (a.joints.size() != b.joints.size()) fault(file, "number of joints differs");
}

// As libsdformat reads them.

void same_pose(const std::string& where, const ::sdf::SemanticPose& a, const ::sdf::SemanticPose& b, const std::string& base) {
  ignition::math::Pose3d p, q;
  if (!a.Resolve(p, base).empty() || !b.Resolve(q, base).empty()) return fault(where, "pose not resolved");
  p.Rot().Normalize();  // that of the file may be rounded
  same(where, "pose", geo::Vec3{p.Pos().X(), p.Pos().Y(), p.Pos().Z()}, geo::Vec3{q.Pos().X(), q.Pos().Y(), q.Pos().Z()});
  for (const auto& v : {ignition::math::Vector3d::UnitX, ignition::math::Vector3d::UnitY}) {
    const auto x = p.Rot() * v, y = q.Rot() * v;
    same(where, "turn", geo::Vec3{x.X(), x.Y(), x.Z()}, geo::Vec3{y.X(), y.Y(), y.Z()});
  }
}

void same_axis(const std::string& where, const ::sdf::JointAxis* a, const ::sdf::JointAxis* b) {
  if ((a == nullptr) != (b == nullptr)) return fault(where, "axis differs");
  if (a == nullptr) return;
  ignition::math::Vector3d x, y;
  if (!a->ResolveXyz(x).empty() || !b->ResolveXyz(y).empty()) return fault(where, "axis not resolved");
  same(where, "axis", geo::Vec3{x.X(), x.Y(), x.Z()}, geo::Vec3{y.X(), y.Y(), y.Z()});
  const auto limit = [](double value) { return std::abs(value) >= 1e15 ? std::copysign(1e16, value) : value; };
  same_number(where, "lower", limit(a->Lower()), limit(b->Lower()));
  same_number(where, "upper", limit(a->Upper()), limit(b->Upper()));
  same_number(where, "effort", a->Effort(), b->Effort());
  same_number(where, "velocity", a->MaxVelocity(), b->MaxVelocity());
  same_number(where, "damping", a->Damping(), b->Damping());
  same_number(where, "friction", a->Friction(), b->Friction());
  same_number(where, "stiffness", a->SpringStiffness(), b->SpringStiffness());
}

void same_in_sdformat(const std::string& file, const ::sdf::Model& a, const ::sdf::Model& b, bool has_densities) {
  if (a.LinkCount() != b.LinkCount() || a.JointCount() != b.JointCount() || a.ModelCount() != b.ModelCount())
    fault(file, "libsdformat counts other links, joints or models");
  for (std::uint64_t i = 0; i < a.LinkCount(); ++i) {
    const ::sdf::Link& link = *a.LinkByIndex(i);
    const ::sdf::Link* other = b.LinkByName(link.Name());
    const std::string where = file + ": libsdformat: link " + link.Name();
    if (other == nullptr) {
      fault(where, "missing");
      continue;
    }
    same_pose(where, link.SemanticPose(), other->SemanticPose(), "__model__");
    if (has_densities) continue;  // of SDFormat 1.11, which libsdformat 12 does not know
    const auto &p = link.Inertial(), &q = other->Inertial();
    same_number(where, "mass", p.MassMatrix().Mass(), q.MassMatrix().Mass());
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) same(where, "tensor", p.Moi()(r, c), q.Moi()(r, c));
    same(where, "center", p.Pose().Pos().X(), q.Pose().Pos().X());
    same(where, "center", p.Pose().Pos().Y(), q.Pose().Pos().Y());
    same(where, "center", p.Pose().Pos().Z(), q.Pose().Pos().Z());
    if (link.VisualCount() != other->VisualCount() || link.CollisionCount() != other->CollisionCount())
      fault(where, "number of shapes differs");
  }
  for (std::uint64_t i = 0; i < a.JointCount(); ++i) {
    const ::sdf::Joint& joint = *a.JointByIndex(i);
    const ::sdf::Joint* other = b.JointByName(joint.Name());
    const std::string where = file + ": libsdformat: joint " + joint.Name();
    if (other == nullptr) {
      fault(where, "missing");
      continue;
    }
    same_text(where, "type", joint.Type(), other->Type());
    std::string one, two;
    if (joint.ResolveParentLink(one).empty() && other->ResolveParentLink(two).empty()) same_text(where, "parent", one, two);
    if (joint.ResolveChildLink(one).empty() && other->ResolveChildLink(two).empty()) same_text(where, "child", one, two);
    if (joint.Type() != ::sdf::JointType::FIXED) same_pose(where, joint.SemanticPose(), other->SemanticPose(), "__model__");
    same_axis(where, joint.Axis(0), other->Axis(0));
    same_axis(where, joint.Axis(1), other->Axis(1));
  }
  for (std::uint64_t i = 0; i < a.ModelCount(); ++i) {
    const ::sdf::Model* other = b.ModelByName(a.ModelByIndex(i)->Name());
    if (other == nullptr)
      fault(file, "libsdformat: no model " + a.ModelByIndex(i)->Name());
    else
      same_in_sdformat(file, *a.ModelByIndex(i), *other, has_densities);
  }
}

/// False if libsdformat refuses the original.
bool same_in_sdformat(const std::string& original, const std::string& copy) {
  ::sdf::Root a, b;
  const std::string text(Input::open(original).text());
  const bool has_densities = text.find("auto=") != std::string::npos;
  const bool is_read = peers::load_sdf(a, text).empty();
  for (const auto& problem : peers::load_sdf(b, std::string(Input::open(copy).text())))
    fault(copy, "libsdformat: " + problem.Message());
  if (!is_read) return false;
  if (a.Model() != nullptr && b.Model() != nullptr) same_in_sdformat(original, *a.Model(), *b.Model(), has_densities);
  if (a.WorldCount() != b.WorldCount()) return fault(original, "libsdformat: another number of worlds"), true;
  for (std::uint64_t w = 0; w < a.WorldCount(); ++w)
    for (std::uint64_t i = 0; i < a.WorldByIndex(w)->ModelCount(); ++i) {
      const ::sdf::Model& model = *a.WorldByIndex(w)->ModelByIndex(i);
      const ::sdf::Model* other = b.WorldByIndex(w)->ModelByName(model.Name());
      if (other == nullptr)
        fault(original, "libsdformat: no model " + model.Name());
      else
        same_in_sdformat(original, model, *other, has_densities);
    }
  return true;
}

/// Without what a copy is free to choose: where its meshes are, names for materials without one, whether a 0 is written, axes of
/// fixed joints.
urdf::Robot comparable(const std::string& file, const urdf::Robot& names) {
  urdf::Robot robot = *urdf::read_urdf(Input::open(file).text(), file).value;
  for (urdf::Joint& joint : robot.joints) {
    if (joint.type == "fixed") joint.axis = {};
    if (joint.damping || joint.friction) {
      joint.damping = joint.damping.value_or(0);
      joint.friction = joint.friction.value_or(0);
    }
  }
  for (std::size_t i = 0; i < robot.links.size() && i < names.links.size(); ++i)
    for (const auto& shapes : {&urdf::Link::visuals, &urdf::Link::collisions})
      for (std::size_t k = 0; k < (robot.links[i].*shapes).size() && k < (names.links[i].*shapes).size(); ++k) {
        urdf::Shape& shape = (robot.links[i].*shapes)[k];
        if ((names.links[i].*shapes)[k].material.empty()) shape.material.clear();
        if (auto* mesh = std::get_if<urdf::Mesh>(&shape.geometry)) mesh->file.erase(0, mesh->file.rfind('/') + 1);
      }
  return robot;
}

/// False for an original that we refuse.
bool compare(const std::string& original, const std::string& copy, std::size_t& in_sdformat) {
  const auto a = world_of(original), b = world_of(copy);
  if (!a) return false;
  if (!b) return fault(copy, "is refused"), true;
  const bool from_urdf = original.ends_with(".urdf"), to_urdf = copy.ends_with(".urdf");
  if (from_urdf && to_urdf) {
    const urdf::Robot names = comparable(original, {});
    if (!(comparable(original, names) == comparable(copy, names))) fault(copy, "not every number is the same");
  }
  if (!from_urdf && !to_urdf) in_sdformat += same_in_sdformat(original, copy) ? 1 : 0;
  std::map<std::string, const robots::Model*> models;
  for (const robots::Model& model : b->models) models[model.name] = &model;
  for (const robots::Model& model : a->models) {
    const auto found = models.find(model.name);
    if (!to_urdf && !from_urdf && found == models.end()) {
      fault(original, "no model " + model.name);
    } else if (!to_urdf || from_urdf || found != models.end() || a->models.size() == 1) {
      const robots::Model& other = found == models.end() ? b->models.front() : *found->second;
      const bool moves = to_urdf && !from_urdf;
      same_model(copy, moves ? based(model, base_of(model, other)) : model, moves ? based(other, base_of(other, other)) : other,
                 moves, moves);
      if (!to_urdf && !from_urdf) same(original + ": model " + model.name, "pose", model.pose.p, other.pose.p);
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::ifstream list(argc > 1 ? argv[1] : "");
  std::size_t pairs = 0, read = 0, in_sdformat = 0;
  for (std::string line; std::getline(list, line); ++pairs) {
    const std::size_t tab = line.find('\t');
    read += compare(line.substr(0, tab), line.substr(tab + 1), in_sdformat) ? 1 : 0;
  }
  std::printf("%zu copies, %zu compared, %zu of them by libsdformat, %zu numbers, %zu faults\n", pairs, read, in_sdformat,
              simbatch::peers::tally.compared, simbatch::peers::tally.faults);
  return simbatch::peers::tally.faults == 0 && read == pairs && pairs > 0 ? 0 : 1;
}
