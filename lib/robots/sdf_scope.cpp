// Source: SDFormat specification, "Pose Frame Semantics" (1.7), sections on frame attachment and pose resolution.

#include "lib/robots/sdf_scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lib/robots/codes.hpp"

namespace simbatch::robots::detail {
namespace {

constexpr int kMaxFrames = 1000;  // attached to one another

}  // namespace

void SdfScope::report(Position at, std::string message, Diagnostics& problems) const {
  problems.report_in(file, code::kFrame, at, std::move(message));
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

const std::string& SdfScope::file_of(const std::string& part) const {
  const auto found = files.find(part);
  return found == files.end() ? file : found->second;
}

const sdf::file::Link* SdfScope::link(const std::string& wanted) {
  index();
  return named(links, links_, wanted);
}

bool SdfScope::has(const std::string& wanted) {
  index();
  return links_.contains(wanted) || joints_.contains(wanted) || frames_.contains(wanted) || nested_.contains(wanted);
}

namespace {

/// What is in a model that becomes part of another, with `frame` in place of the model's own frame.
class Moved {
 public:
  explicit Moved(std::string frame) : frame_(std::move(frame)) {}

  void in_model(sdf::file::Placement& pose) const {
    if (pose.relative_to.empty()) pose.relative_to = frame_;
    name(pose.relative_to);
  }
  void in_link(sdf::file::Link& link) const {
    in_model(link.pose);
    for (auto* solids : {&link.collisions, &link.visuals})
      for (sdf::file::Solid& solid : *solids) name(solid.pose.relative_to);
    if (link.inertial) name(link.inertial->pose.relative_to);
  }
  void in_joint(sdf::file::Joint& joint) const {
    for (std::string* reference : {&joint.pose.relative_to, &joint.parent, &joint.child}) name(*reference);
    for (sdf::file::Axis& axis : joint.axes) {
      if (std::exchange(axis.in_model, false)) axis.expressed_in = frame_;
      name(axis.expressed_in);
    }
  }
  void in_frame(sdf::file::Frame& frame) const {
    if (frame.attached_to.empty()) frame.attached_to = frame_;
    name(frame.attached_to);
    name(frame.pose.relative_to);
  }

 private:
  void name(std::string& reference) const {
    if (reference == "__model__") reference = frame_;
  }
  std::string frame_;
};

}  // namespace

void SdfScope::merge(SdfScope& from, Position at, Diagnostics& problems) {
  sdf::file::Frame own;
  own.name = kMergedPrefix + from.name + "__model__";
  own.place = at;
  own.pose = from.pose;
  if (own.pose.relative_to.empty()) own.pose.relative_to = "__model__";
  const auto link = from.link_of("__model__", at, problems);
  if (!link) return;
  own.attached_to = *link;
  if (!from.placement_frame.empty()) {
    const auto inside = from.pose_of(from.placement_frame, at, problems);
    if (!inside) return;
    own.pose.pose = own.pose.pose * inverse(*inside);
  }
  const Moved moved(own.name);
  is_indexed_ = false;
  bool is_taken = has(own.name);
  const auto take = [&](auto& items, auto& to, const auto& move) {
    for (auto& item : items) {
      is_taken |= has(item.name);
      move(item);
      to.push_back(std::move(item));
    }
  };
  const auto move_file = [&](const std::string& part) { files[part] = from.file_of(part); };
  take(from.links, links, [&](auto& item) { moved.in_link(item), move_file(item.name); });
  take(from.joints, joints, [&](auto& item) { moved.in_joint(item), move_file(item.name); });
  take(from.frames, frames, [&](auto& item) { moved.in_frame(item); });
  for (auto& inner : from.nested) {
    is_taken |= has(inner->name);
    moved.in_model(inner->pose);
    nested.push_back(std::move(inner));
  }
  frames.push_back(std::move(own));
  links_.clear(), joints_.clear(), frames_.clear(), nested_.clear();
  is_indexed_ = false;
  if (is_taken)
    report(at, fmt::format("a name in {} is in use in the model {} that it is merged into", quoted(from.name), quoted(name)),
           problems);
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
