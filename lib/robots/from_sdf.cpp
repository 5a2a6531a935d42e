// Source: SDFormat specification 1.12, elements include, joint and surface, and its proposals "Pose Frame Semantics" (poses are
// resolved by sdf_scope.cpp) and "Model Composition" (names of nested models are joined by "::").
#include "lib/robots/from_sdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lib/robots/codes.hpp"
#include "lib/robots/sdf_scope.hpp"

namespace simbatch::robots {
namespace {

namespace sf = sdf::file;
using detail::SdfScope;

constexpr int kMaxIncludes = 40;  // one in another
constexpr double kLargestFriction = 1;

/// Follows includes: the whole file as scopes.
class ScopeBuilder {
 public:
  ScopeBuilder(const IncludeLoader& load, Diagnostics& problems) : load_(load), problems_(problems) {}

  std::unique_ptr<SdfScope> of_world(const sf::World& world, const std::string& path) {
    auto scope = std::make_unique<SdfScope>();
    scope->name = world.name;
    scope->file = path;
    scope->is_world = true;
    scope->joints = world.joints;
    scope->frames = world.frames;
    fill(*scope, world.models, world.includes, path, 0);
    return scope;
  }
  std::unique_ptr<SdfScope> of_model(const sf::Model& model, const std::string& path, int depth) {
    auto scope = std::make_unique<SdfScope>();
    scope->name = model.name;
    scope->file = path;
    scope->place = model.place;
    scope->pose = model.pose;
    scope->placement_frame = model.placement_frame;
    scope->canonical_link = model.canonical_link;
    scope->is_static = model.is_static;
    scope->self_collide = model.self_collide;
    scope->links = model.links;
    scope->joints = model.joints;
    scope->frames = model.frames;
    fill(*scope, model.models, model.includes, path, depth);
    return scope;
  }

 private:
  void report(const std::string& path, const Code& code, Position at, std::string message) {
    problems_.report_in(path, code, at, std::move(message));
  }

  void fill(SdfScope& scope, const std::vector<sf::Model>& models, const std::vector<sf::Include>& includes,
            const std::string& path, int depth) {
    for (const sf::Model& model : models)
      if (is_allowed(path, model.place, depth)) scope.nested.push_back(of_model(model, path, depth + 1));
    std::set<std::string> names;
    for (const auto& inner : scope.nested) names.insert(inner->name);
    for (const sf::Include& include : includes)
      if (is_allowed(path, include.place, depth)) follow(scope, include, path, depth, names);
  }

  /// False, after one report, if models include each other or there are too many.
  bool is_allowed(const std::string& path, Position at, int depth) {
    if (depth < kMaxIncludes && ++count_ <= kMaxModels) return true;
    if (!too_many_)
      report(path, code::kNesting, at,
             depth >= kMaxIncludes ? fmt::format("models are nested and included {} deep", kMaxIncludes)
                                   : fmt::format("the world has more than {} models", kMaxModels));
    too_many_ = true;
    return false;
  }

  void follow(SdfScope& scope, const sf::Include& include, const std::string& path, int depth, std::set<std::string>& names) {
    const auto loaded = load_(include.uri, path, include.place);
    if (!loaded) return;
    if (!loaded->file.model) {
      report(path, code::kInclude, include.place,
             fmt::format("the file {} is left out: it holds a world, and only models are included", quoted(include.uri)));
      return;
    }
    auto inner = of_model(*loaded->file.model, loaded->path, depth + 1);
    inner->place = include.place;
    if (!include.name.empty()) inner->name = include.name;
    if (include.pose.given) inner->pose = include.pose;
    if (!include.placement_frame.empty()) inner->placement_frame = include.placement_frame;
    if (include.is_static) inner->is_static = *include.is_static;
    if (include.is_merged && !scope.is_world) return scope.merge(*inner, include.place, problems_);
    if (include.is_merged)
      report(path, code::kInclude, include.place,
             fmt::format("merge=\"true\" has no effect in a world: {} stays a model", quoted(inner->name)));
    if (!names.insert(inner->name).second) {
      report(path, code::kFrame, include.place,
             fmt::format("two models are named {}; give the included one a <name>", quoted(inner->name)));
      return;
    }
    scope.nested.push_back(std::move(inner));
  }

  const IncludeLoader& load_;
  Diagnostics& problems_;
  std::size_t count_ = 0;
  bool too_many_ = false;
};

Shape shape_from_sdf(const sf::Shape& from) {
  using Kind = sf::Shape::Kind;
  Shape shape;
  shape.size = from.size;
  shape.radius = from.radius;
  shape.length = from.length;
  shape.file = from.uri;
  shape.drawn = from.drawn;
  shape.kind = from.kind == Kind::sphere      ? Shape::Kind::sphere
               : from.kind == Kind::cylinder  ? Shape::Kind::cylinder
               : from.kind == Kind::cone      ? Shape::Kind::cone
               : from.kind == Kind::capsule   ? Shape::Kind::capsule
               : from.kind == Kind::ellipsoid ? Shape::Kind::ellipsoid
               : from.kind == Kind::mesh      ? Shape::Kind::mesh
               : from.kind == Kind::plane     ? Shape::Kind::plane
                                              : Shape::Kind::box;
  return shape;
}

/// Makes one model from a scope and those nested in it.
class Flattener {
 public:
  Flattener(Model& model, Diagnostics& problems) : model_(model), problems_(problems) {}

  /// @param prefix  of names: "arm::"  @param X_MS  the scope in the model
  void add(SdfScope& scope, const std::string& prefix, const Pose& X_MS, bool is_static) {
    if (!scope.canonical_link.empty()) (void)scope.link_of(scope.canonical_link, scope.place, problems_);
    for (const sf::Frame& frame : scope.frames) add_frame(scope, frame, prefix, X_MS);
    for (const sf::Link& link : scope.links) add_link(scope, link, prefix, X_MS, is_static);
    for (const auto& inner : scope.nested)
      if (const auto X_SN = scope.pose_of(*inner, problems_)) {
        model_.scopes.emplace_back(Scope{prefix + inner->name, X_MS * *X_SN, inner->pose.written});
        add(*inner, prefix + inner->name + "::", X_MS * *X_SN, is_static || inner->is_static);
      }
    for (const sf::Joint& joint : scope.joints) add_joint(scope, joint, prefix, X_MS);
  }

 private:
  std::vector<Solid> solids(SdfScope& scope, const std::vector<sf::Solid>& from, const sf::Link& link, const Pose& X_SL,
                            const std::optional<double>& density) {
    std::vector<Solid> all;
    for (const sf::Solid& one : from) {
      if (one.shape.kind == sf::Shape::Kind::none) continue;
      const auto X = in_link(scope, one.pose, link, X_SL);
      if (!X) continue;
      Solid& solid = all.emplace_back();
      solid.name = one.name;
      solid.place = one.place;
      solid.pose = *X;
      solid.written = one.pose.written;
      solid.shape = shape_from_sdf(one.shape);
      solid.density = one.density.value_or(density.value_or(0));
      solid.color = one.color;
      solid.file = scope.file_of(link.name);
      solid.friction = one.friction;
      solid.restitution = one.restitution;
    }
    return all;
  }

  /// A pose relative to a link, even if it is given in another frame.
  std::optional<Pose> in_link(SdfScope& scope, const sf::Placement& placement, const sf::Link& link, const Pose& X_SL) {
    if (placement.relative_to.empty() || placement.relative_to == link.name) return placement.pose;
    const auto X_SF = scope.pose_of(placement.relative_to, placement.place, problems_);
    return X_SF ? std::optional(inverse(X_SL) * *X_SF * placement.pose) : std::nullopt;
  }

  void add_frame(SdfScope& scope, const sf::Frame& from, const std::string& prefix, const Pose& X_MS) {
    const auto X_SF = scope.pose_of(from.name, from.place, problems_);
    const auto link = scope.link_of(from.name, from.place, problems_);
    if (!X_SF || !link || link->empty() || from.name.starts_with(detail::kMergedPrefix)) return;
    Frame frame{prefix + from.name, prefix + *link, X_MS * *X_SF, false, {}};
    const std::string& base = from.pose.relative_to.empty() ? from.attached_to : from.pose.relative_to;
    frame.is_in_part = base == *link;
    frame.written = from.pose.written;
    model_.frames.push_back(std::move(frame));
  }

  void add_link(SdfScope& scope, const sf::Link& link, const std::string& prefix, const Pose& X_MS, bool is_static) {
    const auto X_SL = scope.pose_of(link.name, link.place, problems_);
    if (!X_SL) return;
    Part part;
    part.name = prefix + link.name;
    part.place = link.place;
    part.pose = X_MS * *X_SL;
    part.written = link.pose.written;
    const std::optional<double> density = link.inertial ? link.inertial->density : std::nullopt;
    part.collisions = solids(scope, link.collisions, link, *X_SL, density);
    part.visuals = solids(scope, link.visuals, link, *X_SL, density);
    const sf::Inertial inertial = link.inertial ? *link.inertial : sf::Inertial{};
    part.by_density = inertial.automatic;
    if (!inertial.automatic) {
      const auto X_LC = in_link(scope, inertial.pose, link, *X_SL);
      if (!X_LC) return;
      const auto& i = inertial.inertia;
      const Tensor tensor{i[0], i[3], i[5], i[1], i[2], i[4]};
      part.inertial = moved({inertial.mass, {}, tensor}, *X_LC);
      if (link.inertial) part.written_inertial = WrittenInertial{inertial.pose.written.value_or(geo::to_euler(*X_LC)), tensor};
    }
    if (is_static && !model_.is_static) {
      Joint& joint = model_.joints.emplace_back();
      joint.name = part.name + "_fixed";
      joint.place = part.place;
      joint.child = part.name;
    }
    model_.parts.push_back(std::move(part));
  }

  void lose(const SdfScope& scope, const Code& code, Position at, std::string message) {
    problems_.report_in(scope.file, code, at, std::move(message));
  }

  /// The part that a joint's end refers to; empty for the world.
  std::optional<std::string> part_of(SdfScope& scope, const std::string& name, const sf::Joint& joint,
                                     const std::string& prefix) {
    if (name == "world") return std::string();
    const auto link = scope.link_of(name, joint.place, problems_);
    return link ? std::optional(prefix + *link) : std::nullopt;
  }

  void add_joint(SdfScope& scope, const sf::Joint& from, const std::string& prefix, const Pose& X_MS) {
    auto parent = part_of(scope, from.parent, from, prefix), child = part_of(scope, from.child, from, prefix);
    if (!parent || !child) return;
    if (*parent == *child) {
      lose(scope, code::kFrame, from.place,
           fmt::format("the joint {} joins {} with itself", quoted(from.name), child->empty() ? "the world" : quoted(*child)));
      return;
    }
    const auto X_SJ = scope.pose_of(from, problems_);
    if (!X_SJ) return;
    if (from.type == "screw" || from.type == "gearbox") {
      lose(scope, code::kJoint, from.place,
           fmt::format("the joint {} is a {}; simulated are fixed, revolute, continuous, prismatic, ball, universal and "
                       "revolute2 joints",
                       quoted(from.name), from.type));
      return;
    }
    const bool is_turned = child->empty();
    if (is_turned) std::swap(*parent, *child);
    Joint joint;
    joint.name = prefix + from.name;
    joint.place = from.place;
    joint.file = scope.file_of(from.name);
    joint.parent = std::move(*parent);
    joint.child = std::move(*child);
    joint.position = (X_MS * *X_SJ).p;
    joint.kind = from.type == "fixed"       ? Joint::Kind::fixed
                 : from.type == "prismatic" ? Joint::Kind::prismatic
                 : from.type == "ball"      ? Joint::Kind::spherical
                 : has_two(from)            ? Joint::Kind::universal
                                            : Joint::Kind::revolute;
    if (from.type == "continuous" || from.type == "revolute2") joint.type = from.type;
    if (!is_turned) set_written(scope, from, joint);
    if (joint.kind == Joint::Kind::fixed || joint.kind == Joint::Kind::spherical) {
      model_.joints.push_back(std::move(joint));
      return;
    }
    const sf::Axis none;
    const auto set = [&](const sf::Axis& axis, Motion& motion) {
      const auto direction = axis_of(scope, axis, from, X_MS, *X_SJ);
      if (direction) motion.axis = *direction;
      set_motion(axis, from, prefix, motion);
      return direction.has_value();
    };
    if (!set(from.axes.empty() ? none : last_of(from), joint)) return;
    if (joint.kind == Joint::Kind::universal && !set(from.axes.front(), joint.first.emplace())) return;
    model_.joints.push_back(std::move(joint));
  }

  static bool has_two(const sf::Joint& joint) {
    return (joint.type == "universal" || joint.type == "revolute2") && joint.axes.size() == 2;
  }
  /// The axis that the child turns about.
  static const sf::Axis& last_of(const sf::Joint& joint) { return has_two(joint) ? joint.axes.back() : joint.axes.front(); }

  /// What the file has: a frame in the child's, or in the parent's if the child is in that of the joint.
  void set_written(SdfScope& scope, const sf::Joint& from, Joint& joint) {
    if (!from.pose.written) return;
    WrittenJoint written;
    written.origin = *from.pose.written;
    const sf::Link* child = scope.link(from.child);
    const bool has_child_in_it =
        child != nullptr && child->pose.relative_to == from.name && child->pose.written == geo::EulerPose{};
    written.in_parent = from.pose.relative_to == from.parent && !from.parent.empty() && has_child_in_it;
    if (!written.in_parent && !from.pose.relative_to.empty() && from.pose.relative_to != from.child) return;
    if (!from.axes.empty()) {
      const sf::Axis& last = last_of(from);
      written.axis = last.xyz;
      written.first = from.axes.front().xyz;
      written.axis_in_model = is_in_model(last);
      const auto is_elsewhere = [](const sf::Axis& axis) { return !is_in_model(axis) && !axis.expressed_in.empty(); };
      if (written.axis_in_model != is_in_model(from.axes.front()) || is_elsewhere(from.axes.front()) || is_elsewhere(last))
        written.axis = written.first = {};
    }
    joint.written = written;
  }
  static bool is_in_model(const sf::Axis& axis) { return axis.in_model || axis.expressed_in == "__model__"; }

  std::optional<Vec3> axis_of(SdfScope& scope, const sf::Axis& axis, const sf::Joint& joint, const Pose& X_MS,
                              const Pose& X_SJ) {
    if (axis.in_model) return geo::normalized(X_MS.q * axis.xyz);
    if (axis.expressed_in.empty()) return geo::normalized((X_MS * X_SJ).q * axis.xyz);
    const auto X_SF = scope.pose_of(axis.expressed_in, joint.place, problems_);
    return X_SF ? std::optional(geo::normalized((X_MS * *X_SF).q * axis.xyz)) : std::nullopt;
  }

  static void set_motion(const sf::Axis& axis, const sf::Joint& from, const std::string& prefix, Motion& motion) {
    if (from.type != "continuous") {
      motion.lower = axis.lower;
      motion.upper = axis.upper;
    }
    motion.damping = std::max(0.0, axis.damping);
    motion.friction = std::max(0.0, axis.friction);
    motion.stiffness = std::max(0.0, axis.stiffness);
    motion.rest = axis.rest;
    motion.effort = axis.effort;
    motion.velocity = axis.velocity;
    const double effort = std::min(axis.effort.value_or(kUnlimited), kUnlimited);
    if (effort > 0) {
      Motor& motor = motion.motor.emplace();
      motor.effort = effort;
      motor.velocity = axis.velocity.value_or(0);
    }
    if (axis.mimic)
      motion.mimic = Mimic{prefix + axis.mimic->joint, axis.mimic->multiplier, axis.mimic->offset, axis.mimic->reference};
  }

  Model& model_;
  Diagnostics& problems_;
};

std::optional<Model> flatten(SdfScope& scope, const Pose& X_WM, Diagnostics& problems) {
  Model model;
  model.name = scope.name;
  model.place = scope.place;
  model.file = scope.file;
  model.pose = X_WM;
  model.is_static = scope.is_static;
  model.self_collision = scope.self_collide;
  model.is_explicit = true;
  model.written = scope.pose.written;
  Flattener(model, problems).add(scope, "", {}, scope.is_static);
  if (model.parts.empty()) return std::nullopt;
  return model;
}

}  // namespace

void limit_friction(World& world) {
  for (Model& model : world.models)
    for (Part& part : model.parts)
      for (Solid& solid : part.collisions)
        if (solid.friction) solid.friction = std::min(*solid.friction, kLargestFriction);
}

World from_sdf(const sf::File& file, const std::string& path, const IncludeLoader& load, Diagnostics& problems) {
  World world;
  ScopeBuilder builder(load, problems);
  std::unique_ptr<SdfScope> scope;
  if (file.world) {
    world.name = file.world->name;
    world.gravity = file.world->gravity;
    world.step = file.world->step;
    world.geographic = file.world->geographic;
    world.has_frames = !file.world->frames.empty();
    scope = builder.of_world(*file.world, path);
  } else {
    scope = std::make_unique<SdfScope>();
    scope->is_world = true;
    scope->file = path;
    world.name = file.model->name;
    scope->nested.push_back(builder.of_model(*file.model, path, 1));
  }
  for (const sf::Frame& frame : scope->frames) (void)scope->pose_of(frame.name, frame.place, problems);
  for (const auto& inner : scope->nested) {
    const auto X_WM = scope->pose_of(*inner, problems);
    if (!X_WM) continue;
    if (auto model = flatten(*inner, *X_WM, problems)) world.models.push_back(std::move(*model));
  }
  for (const sf::Joint& joint : scope->joints) {
    problems.report_in(path, code::kJoint, joint.place,
                       fmt::format("the joint {} joins models of a world, which is not simulated: put them into one model",
                                   quoted(joint.name)));
  }
  return world;
}

}  // namespace simbatch::robots
