// Checks of whole robots: classes and links that GraspIt! knows, indexes, limits, last joints.
#include "formats/graspit/check_robot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/graspit/codes.hpp"
#include "formats/graspit/robot_class.hpp"

namespace simbatch::graspit {
namespace {

constexpr std::string_view kClasses[] = {"Robot",    "Hand",       "Puma560",   "Barrett",
                                         "Robonaut", "Pr2Gripper", "HumanHand", "Shadow"};
constexpr std::string_view kLaterClasses[] = {"Pr2Gripper2010", "RobotIQ", "M7", "M7Tool", "IRp6", "Snake", "McGrip"};
constexpr std::string_view kNoHands[] = {"Robot", "Puma560", "IRp6", "Snake"};
constexpr std::pair<std::string_view, LinkKind> kLinks[] = {{"Revolute", LinkKind::revolute},
                                                            {"Prismatic", LinkKind::prismatic},
                                                            {"Universal", LinkKind::universal},
                                                            {"Ball", LinkKind::ball},
                                                            {"Fixed", LinkKind::fixed}};

}  // namespace

std::string_view to_text(LinkKind kind) {
  for (const auto& [name, value] : kLinks)
    if (value == kind) return name;
  return "";
}

std::uint32_t joints_of(LinkKind kind) {
  switch (kind) {
    case LinkKind::revolute:
    case LinkKind::prismatic: return 1;
    case LinkKind::universal: return 2;
    case LinkKind::ball: return 3;
    case LinkKind::fixed: break;
  }
  return 0;
}

bool is_hand(std::string_view class_name) {
  return std::find(std::begin(kNoHands), std::end(kNoHands), class_name) == std::end(kNoHands);
}

namespace detail {

bool is_robot_class(std::string_view name, bool later) {
  return std::find(std::begin(kClasses), std::end(kClasses), name) != std::end(kClasses) ||
         (later && std::find(std::begin(kLaterClasses), std::end(kLaterClasses), name) != std::end(kLaterClasses));
}

std::string near_class(std::string_view name) {
  const std::string_view near = nearest(name, kClasses);
  return near.empty() ? std::string{} : fmt::format(", did you mean {}?", near);
}

std::optional<LinkKind> link_kind(std::string_view word) {
  for (const auto& [name, value] : kLinks)
    if (name == word) return value;
  return std::nullopt;
}

void check_robot(const Robot& robot, const RobotPlaces& places, Diagnostics& diagnostics) {
  std::vector<bool> used(robot.dofs.size(), false);
  for (std::size_t c = 0; c < robot.chains.size(); ++c) {
    const Chain& chain = robot.chains[c];
    const auto& at = places.chains[c];
    for (std::size_t j = 0; j < chain.joints.size(); ++j) {
      const Joint& joint = chain.joints[j];
      const Position place = j < at.joints.size() ? at.joints[j] : Position{};
      if (joint.variable.dof >= robot.dofs.size()) {
        diagnostics.report(
            code::kDofIndex, place,
            fmt::format("the joint follows DOF {}, the robot has {} (counted from 0)", joint.variable.dof, robot.dofs.size()));
        continue;
      }
      used[joint.variable.dof] = true;
      if (joint.min > joint.max)
        diagnostics.report(code::kJointLimits, place,
                           fmt::format("the lower limit {:.6g} is above the upper limit {:.6g}", joint.min, joint.max));
      if (joint.rest && (*joint.rest < joint.min || *joint.rest > joint.max))
        diagnostics.report(code::kJointLimits, place,
                           fmt::format("the spring's rest value {:.6g} is outside of the limits", *joint.rest));
      if (robot.dofs[joint.variable.dof].kind == DofKind::compliant && joint.stiffness.value_or(0) <= 0)
        diagnostics.report(
            code::kDofStiffness, place,
            fmt::format("DOF {} is compliant, its joint needs a spring stiffness in column 9", joint.variable.dof));
    }
    std::int64_t sum = -1;
    for (std::size_t l = 0; l < chain.links.size(); ++l) {
      const Link& link = chain.links[l];
      const Position place = l < at.links.size() ? at.links[l] : Position{};
      sum += joints_of(link.kind);
      if (link.last_joint < (link.kind == LinkKind::fixed ? -1 : 0) ||
          link.last_joint >= static_cast<std::int64_t>(chain.joints.size())) {
        diagnostics.report(code::kLinkJoint, place,
                           fmt::format("the last joint {} does not exist, the chain has {} (counted from 0)", link.last_joint,
                                       chain.joints.size()));
      } else if (link.last_joint != sum) {
        diagnostics.report(code::kLinkSum, place,
                           fmt::format("the last joint is {}, the links so far move {} joints; the XML cannot say this",
                                       link.last_joint, sum + 1));
        sum = link.last_joint;
      }
    }
  }
  for (std::size_t d = 0; d < used.size(); ++d)
    if (!used[d] && d < places.dofs.size())
      diagnostics.report(code::kDofUnused, places.dofs[d],
                         fmt::format("no joint follows DOF {}; GraspIt! 2.1 then reads memory that is not its own", d));
}

}  // namespace detail

}  // namespace simbatch::graspit
