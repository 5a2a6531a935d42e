#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formats/sdf/codes.hpp"
#include "formats/sdf/read_parts.hpp"

namespace simbatch::sdf::file {
namespace {

using xml::Element;

constexpr double kNoLimit = 1e15;  // rad or m: "none" is 1e16 in the schema

void read_limit(const Element& limit, Axis& axis, Values& values) {
  const auto lower = values.number(limit, "lower"), upper = values.number(limit, "upper");
  if (lower && std::abs(*lower) < kNoLimit) axis.lower = lower;
  if (upper && std::abs(*upper) < kNoLimit) axis.upper = upper;
  if (axis.lower && axis.upper && *axis.lower > *axis.upper)
    values.report(code::kLimit, limit.first_child("lower"),
                  fmt::format("the lower limit {} exceeds the upper one {}", *axis.lower, *axis.upper));
  const auto effort = values.number(limit, "effort");
  if (effort && *effort >= 0) axis.effort = effort;
  const auto velocity = values.number(limit, "velocity");
  if (velocity && *velocity >= 0) axis.velocity = velocity;
  values.ignore_others(limit, {"lower", "upper", "effort", "velocity", "stiffness", "dissipation"});
}

Axis read_axis(const Element& element, Values& values) {
  Axis axis;
  if (const auto xyz = values.vector(element, "xyz")) {
    axis.xyz = *xyz;
    if (*xyz == geo::Vec3{}) values.report(code::kAxis, element.first_child("xyz"), "the axis of the joint has length 0");
  }
  if (const Element xyz = element.first_child("xyz")) axis.expressed_in = xyz.attribute("expressed_in").value_or("");
  axis.in_model = values.flag(element, "use_parent_model_frame", false);
  if (const Element limit = element.first_child("limit")) read_limit(limit, axis, values);
  if (const Element dynamics = element.first_child("dynamics")) {
    const auto value = [&](std::string_view name) { return values.number(dynamics, name).value_or(0); };
    axis.damping = value("damping");
    axis.friction = value("friction");
    axis.stiffness = value("spring_stiffness");
    axis.rest = value("spring_reference");
  }
  if (const Element mimic = element.first_child("mimic")) {
    Mimic& to = axis.mimic.emplace();
    to.joint = mimic.attribute("joint").value_or("");
    if (to.joint.empty()) values.report(code::kName, mimic, "<mimic> names no joint");
    to.multiplier = values.number(mimic, "multiplier").value_or(1);
    to.offset = values.number(mimic, "offset").value_or(0);
    to.reference = values.number(mimic, "reference").value_or(0);
  }
  values.ignore_others(element, {"xyz", "use_parent_model_frame", "limit", "dynamics", "mimic"});
  return axis;
}

}  // namespace

Joint read_joint(const Element& element, Values& values, std::map<std::string, Position>& names) {
  Joint joint;
  joint.name = values.name(element, names);
  joint.place = element.position();
  joint.type = element.attribute("type").value_or("");
  if (std::find(std::begin(kJointTypes), std::end(kJointTypes), joint.type) == std::end(kJointTypes)) {
    const std::string_view near = nearest(joint.type, kJointTypes);
    values.problems().report(
        code::kJointType, element.attribute_position("type"),
        fmt::format("there is no joint of type {}, expected one of {}{}", quoted(joint.type), fmt::join(kJointTypes, ", "),
                    near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)),
        element.path());
  }
  joint.pose = values.pose(element);
  for (const std::string_view end : {"parent", "child"}) {
    std::string name = values.text(element, end);
    if (name.empty()) values.report(code::kMissing, element, fmt::format("the joint {} names no {}", quoted(joint.name), end));
    (end == "parent" ? joint.parent : joint.child) = std::move(name);
  }
  for (const std::string_view axis : {"axis", "axis2"})
    if (const Element child = element.first_child(axis)) joint.axes.push_back(read_axis(child, values));
  const bool moves = joint.type == "revolute" || joint.type == "continuous" || joint.type == "prismatic";
  if (moves && joint.axes.empty())
    values.report(code::kMissing, element, fmt::format("the {} joint {} needs an <axis>", joint.type, quoted(joint.name)));
  const bool moves_twice = joint.type == "universal" || joint.type == "revolute2";
  if (moves_twice && joint.axes.size() < 2)
    values.report(code::kMissing, element,
                  fmt::format("the {} joint {} needs an <axis> and an <axis2>", joint.type, quoted(joint.name)));
  values.ignore_others(element, {"pose", "parent", "child", "axis", "axis2"});
  return joint;
}

}  // namespace simbatch::sdf::file
