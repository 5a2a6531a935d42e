// Source: SDFormat specification, "Pose Frame Semantics" (1.7), sections on frame attachment and pose resolution.

#include "lib/robots/sdf_scope.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lib/robots/codes.hpp"

namespace simbatch::robots::detail {
namespace {

constexpr int kMaxFrames = 1000;  // attached to one another

}  // namespace

void SdfScope::report(Position at, std::string message, Diagnostics& problems) const {
  Diagnostics own(file);
  own.report(code::kFrame, at, std::move(message));
  problems.append(std::move(own));
}

void SdfScope::index() {
  if (is_indexed_) return;
  is_indexed_ = true;
  for (std::size_t i = 0; i < links.size(); ++i) links_.emplace(links[i].name, i);
  for (std::size_t i = 0; i < joints.size(); ++i) joints_.emplace(joints[i].name, i);
  for (std::size_t i = 0; i < frames.size(); ++i) frames_.emplace(frames[i].name, i);
  for (std::size_t i = 0; i < nested.size(); ++i) nested_.emplace(nested[i]->name, i);
}

SdfScope* SdfScope::inner(const std::string& wanted) {
  index();
  const auto found = nested_.find(wanted);
  return found == nested_.end() ? nullptr : nested[found->second].get();
}

std::optional<Pose> SdfScope::placed(const sdf::file::Placement& placement, const std::string& otherwise,
                                     Diagnostics& problems) {
  const std::string& base = placement.relative_to.empty() ? otherwise : placement.relative_to;
  const auto X = pose_of(base, placement.place, problems);
  return X ? std::optional(*X * placement.pose) : std::nullopt;
}

std::optional<Pose> SdfScope::nested_pose(const std::string& path, Position at, Diagnostics& problems) {
  const std::size_t split = path.find("::");
  SdfScope* scope = inner(path.substr(0, split));
  if (scope == nullptr) {
    report(at, fmt::format("there is no model {} in {}", quoted(path.substr(0, split)), quoted(name)), problems);
    return std::nullopt;
  }
  const auto outer = pose_of(path.substr(0, split), at, problems);
  const auto rest = scope->pose_of(path.substr(split + 2), at, problems);
  return outer && rest ? std::optional(*outer * *rest) : std::nullopt;
}

std::optional<Pose> SdfScope::pose_of(SdfScope& scope, Diagnostics& problems) {
  const auto X = placed(scope.pose, "__model__", problems);
  if (!X || scope.placement_frame.empty()) return X;
  const auto inside = scope.pose_of(scope.placement_frame, scope.place, problems);
  return inside ? std::optional(*X * inverse(*inside)) : std::nullopt;
}

std::optional<Pose> SdfScope::pose_of(const sdf::file::Joint& joint, Diagnostics& problems) {
  return placed(joint.pose, joint.child, problems);
}

std::optional<Pose> SdfScope::pose_of(const std::string& wanted, Position at, Diagnostics& problems) {
  if (wanted.empty() || wanted == "__model__" || (wanted == "world" && is_world)) return Pose{};
  if (wanted == "__root__" || wanted == "world") {
    report(at, fmt::format("{} cannot be referred to here", quoted(wanted)), problems);
    return std::nullopt;
  }
  if (wanted.find("::") != std::string::npos) return nested_pose(wanted, at, problems);
  const auto [entry, fresh] = found_.try_emplace(wanted);
  if (!fresh) {
    if (entry->second.open && !entry->second.pose) {
      report(at, fmt::format("the pose of {} depends on itself", quoted(wanted)), problems);
      entry->second.open = false;  // reported once
    }
    return entry->second.pose;
  }
  if (depth_ >= kMaxFrames) {
    report(at, fmt::format("more than {} frames depend on each other", kMaxFrames), problems);
    return std::nullopt;
  }
  ++depth_;
  const auto resolved = find(wanted, at, problems);
  --depth_;
  Found& found = found_[wanted];
  found = {false, resolved};
  return resolved;
}

std::optional<Pose> SdfScope::find(const std::string& wanted, Position at, Diagnostics& problems) {
  index();
  if (const auto* link = named(links, links_, wanted)) return placed(link->pose, "__model__", problems);
  if (const auto* frame = named(frames, frames_, wanted))
    return placed(frame->pose, frame->attached_to.empty() ? "__model__" : frame->attached_to, problems);
  if (SdfScope* scope = inner(wanted)) return pose_of(*scope, problems);
  if (const auto* joint = named(joints, joints_, wanted)) return pose_of(*joint, problems);
  std::vector<std::string_view> names;
  for (const auto& link : links) names.push_back(link.name);
  for (const auto& frame : frames) names.push_back(frame.name);
  for (const auto& scope : nested) names.push_back(scope->name);
  const std::string_view near = nearest(wanted, names);
  report(at,
         fmt::format("there is no frame {} in {}{}", quoted(wanted), quoted(name),
                     near.empty() ? "" : fmt::format("; did you mean {}?", quoted(near))),
         problems);
  return std::nullopt;
}

std::optional<std::string> SdfScope::link_of(const std::string& wanted, Position at, Diagnostics& problems, int depth) {
  if (depth > kMaxFrames) {
    report(at, fmt::format("frames are attached to each other in a ring, through {}", quoted(wanted)), problems);
    return std::nullopt;
  }
  const std::size_t split = wanted.find("::");
  const std::string first = wanted.substr(0, split);
  if (split != std::string::npos || inner(first) != nullptr) {
    SdfScope* scope = inner(first);
    if (scope == nullptr) {
      report(at, fmt::format("there is no model {} in {}", quoted(first), quoted(name)), problems);
      return std::nullopt;
    }
    const auto link =
        scope->link_of(split == std::string::npos ? "__model__" : wanted.substr(split + 2), at, problems, depth + 1);
    return link ? std::optional(first + "::" + *link) : std::nullopt;
  }
  if (wanted == "__model__" || wanted.empty()) {
    if (!canonical_link.empty()) return link_of(canonical_link, at, problems, depth + 1);
    if (!links.empty()) return links.front().name;
    if (!nested.empty()) return link_of(nested.front()->name, at, problems, depth + 1);
    report(at, fmt::format("the model {} has no link", quoted(name)), problems);
    return std::nullopt;
  }
  if (named(links, links_, wanted) != nullptr) return wanted;
  if (const auto* frame = named(frames, frames_, wanted)) return link_of(frame->attached_to, at, problems, depth + 1);
  if (const auto* joint = named(joints, joints_, wanted)) return link_of(joint->child, at, problems, depth + 1);
  report(at, fmt::format("there is no link or frame {} in {}", quoted(wanted), quoted(name)), problems);
  return std::nullopt;
}

}  // namespace simbatch::robots::detail
