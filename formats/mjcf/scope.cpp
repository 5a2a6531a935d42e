#include "formats/mjcf/scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/geo/geo.hpp"
#include "base/xml/codes.hpp"
#include "formats/mjcf/codes.hpp"

namespace simbatch::mjcf::detail {
namespace {

constexpr int kMaxClasses = 16;  // one in another
constexpr double kTiny = 1e-14;  // vectors shorter than this have no direction

// Kinds whose defaults are read; all actuators share one.
constexpr std::string_view kActuators[] = {"general", "motor",    "position", "velocity", "intvelocity",
                                           "damper",  "cylinder", "muscle",   "adhesion", "dcmotor"};
constexpr KnownAttribute kDefaultChildren[] = {{"geom"},
                                               {"joint"},
                                               {"mesh"},
                                               {"default"},
                                               {"general"},
                                               {"motor"},
                                               {"position"},
                                               {"velocity"},
                                               {"intvelocity"},
                                               {"damper"},
                                               {"cylinder"},
                                               {"muscle"},
                                               {"adhesion"},
                                               {"dcmotor"},
                                               {"site", Use::tuning},
                                               {"camera", Use::tuning},
                                               {"light", Use::tuning},
                                               {"material", Use::tuning},
                                               {"pair", Use::ignored},
                                               {"equality", Use::ignored},
                                               {"tendon", Use::ignored}};

bool is_actuator(std::string_view name) {
  return std::find(std::begin(kActuators), std::end(kActuators), name) != std::end(kActuators);
}

constexpr std::string_view kOrientations[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};

/// The rotation whose matrix has these columns (Shepperd 1978).
geo::Quat from_axes(geo::Vec3 x, geo::Vec3 y, geo::Vec3 z) {
  const double trace = x.x + y.y + z.z;
  if (trace >= x.x && trace >= y.y && trace >= z.z)
    return geo::normalized(geo::Quat{1 + trace, y.z - z.y, z.x - x.z, x.y - y.x});
  if (x.x >= y.y && x.x >= z.z) return geo::normalized(geo::Quat{y.z - z.y, 1 + 2 * x.x - trace, y.x + x.y, z.x + x.z});
  if (y.y >= z.z) return geo::normalized(geo::Quat{z.x - x.z, y.x + x.y, 1 + 2 * y.y - trace, z.y + y.z});
  return geo::normalized(geo::Quat{x.y - y.x, z.x + x.z, z.y + y.z, 1 + 2 * z.z - trace});
}

geo::Quat from_two_axes(const std::vector<double>& v, Attributes& attributes) {
  const geo::Vec3 x = geo::normalized(geo::Vec3{v[0], v[1], v[2]});
  const geo::Vec3 given{v[3], v[4], v[5]};
  const geo::Vec3 y = given - geo::dot(x, given) * x;
  if (geo::length(x) < 0.5 || geo::length(y) < kTiny) {
    attributes.fail(code::kAxis, "xyaxes", "the two axes of xyaxes do not give a plane");
    return {};
  }
  return from_axes(x, geo::normalized(y), geo::cross(x, geo::normalized(y)));
}

}  // namespace

void Classes::read(const Node& node, Sources& sources) {
  read(node, std::string(node.element.attribute("class").value_or(kMainClass)), nullptr, 0, sources);
  classes_.try_emplace(kMainClass);
}

void Classes::read(const Node& node, const std::string& name, const Kinds* parent, int depth, Sources& sources) {
  if (depth > kMaxClasses) {
    node.report(code::kNesting, fmt::format("classes of defaults are nested deeper than {}", kMaxClasses));
    return;
  }
  if (name.empty()) {
    node.report(code::kName, "a <default> in another one needs the attribute \"class\"");
    return;
  }
  const auto [found, fresh] = classes_.try_emplace(name);
  if (!fresh && parent != nullptr)
    node.report(code::kName, node.element.attribute_position("class"),
                fmt::format("the class {} is defined twice", quoted(name)));
  Kinds& kinds = found->second;
  if (fresh && parent != nullptr)
    for (const auto& [kind, layers] : *parent) kinds[kind].parent = &layers;
  for (const Node& child : node.children) {
    if (child.name() == "default") continue;
    const std::string kind(is_actuator(child.name()) ? "actuator" : child.name());
    kinds[kind].add(child);
  }
  skip_children(node, kDefaultChildren, sources);
  for (const Node& child : node.children)
    if (child.name() == "default")
      read(child, std::string(child.element.attribute("class").value_or("")), &kinds, depth + 1, sources);
}

const Layers* Classes::layers(const std::string& name, std::string_view kind) const {
  const auto found = classes_.find(name);
  if (found == classes_.end()) return nullptr;
  const auto of_kind = found->second.find(kind);
  return of_kind == found->second.end() ? nullptr : &of_kind->second;
}

Attributes Scope::attributes(const Node& node, std::string_view kind, const std::string& around) const {
  const auto own = node.element.attribute("class");
  std::string name = own ? std::string(*own) : around;
  if (own && !classes.contains(name)) {
    node.report(code::kReference, node.element.attribute_position("class"),
                fmt::format("there is no class {} of defaults", quoted(name)));
    name = kMainClass;
  }
  return {node, classes.layers(name, kind)};
}

geo::Quat euler_rotation(const geo::Vec3& angles, std::string_view sequence) {
  geo::Quat q;
  const double values[3] = {angles.x, angles.y, angles.z};
  for (std::size_t i = 0; i < 3; ++i) {
    const char axis = sequence[i];
    const char low = axis >= 'x' ? axis : static_cast<char>(axis - 'X' + 'x');
    const geo::Quat turn = geo::rotation({low == 'x' ? 1.0 : 0.0, low == 'y' ? 1.0 : 0.0, low == 'z' ? 1.0 : 0.0}, values[i]);
    q = axis >= 'x' ? q * turn : turn * q;
  }
  return q;
}

geo::Quat orientation_of(Attributes& attributes, const Compiler& compiler) {
  // An orientation given by the element itself overrides any other form given by its class.
  std::string_view how;
  for (const std::string_view name : kOrientations)
    if (attributes.has(name) && (how.empty() || attributes.has_own(name))) how = name;
  if (how.empty()) return {};
  const std::size_t wanted = how == "quat" || how == "axisangle" ? 4 : how == "xyaxes" ? 6 : 3;
  const std::vector<double> v = attributes.numbers(how, wanted);
  if (v.empty()) return {};
  if (v.size() != wanted) {
    attributes.fail(code::kVector, how, fmt::format("{} has {} numbers, expected {}", how, v.size(), wanted));
    return {};
  }
  const double unit = compiler.degrees ? geo::radians(1) : 1;
  if (how == "euler") return euler_rotation({unit * v[0], unit * v[1], unit * v[2]}, compiler.euler);
  if (how == "xyaxes") return from_two_axes(v, attributes);
  if (how == "quat") {
    const geo::Quat q{v[0], v[1], v[2], v[3]};
    if (std::hypot(std::hypot(q.w, q.x), std::hypot(q.y, q.z)) < kTiny)
      attributes.fail(code::kAxis, how, "the quaternion has length 0");
    return geo::normalized(q);
  }
  const geo::Vec3 axis{v[0], v[1], v[2]};
  if (geo::length(axis) < kTiny) {
    attributes.fail(code::kAxis, how, fmt::format("the vector of {} has length 0", how));
    return {};
  }
  return how == "axisangle" ? geo::rotation(axis, unit * v[3]) : geo::rotation_between({0, 0, 1}, axis);
}

geo::Pose pose_of(Attributes& attributes, const Compiler& compiler) {
  return {attributes.vector("pos", {}), orientation_of(attributes, compiler)};
}

}  // namespace simbatch::mjcf::detail
