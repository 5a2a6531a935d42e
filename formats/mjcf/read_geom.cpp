// Shapes, joints and inertials. Sizes: "XML reference", body/geom; `fromto` gives a shape between two points, along its z axis.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/geo/geo.hpp"
#include "base/xml/codes.hpp"
#include "formats/mjcf/codes.hpp"
#include "formats/mjcf/scope.hpp"

namespace simbatch::mjcf::detail {
namespace {

constexpr KnownAttribute kGeomAttributes[] = {{"name"},
                                              {"class"},
                                              {"type"},
                                              {"contype"},
                                              {"conaffinity"},
                                              {"group"},
                                              {"size"},
                                              {"mass"},
                                              {"density"},
                                              {"friction"},
                                              {"fromto"},
                                              {"pos"},
                                              {"quat"},
                                              {"axisangle"},
                                              {"xyaxes"},
                                              {"zaxis"},
                                              {"euler"},
                                              {"mesh"},
                                              {"rgba"},
                                              {"hfield"},
                                              {"condim", Use::tuning},
                                              {"priority", Use::tuning},
                                              {"solmix", Use::tuning},
                                              {"solref", Use::tuning},
                                              {"solimp", Use::tuning},
                                              {"margin", Use::tuning},
                                              {"gap", Use::tuning},
                                              {"material", Use::tuning},
                                              {"user", Use::tuning},
                                              {"shellinertia", Use::ignored},
                                              {"fitscale", Use::ignored},
                                              {"fluidshape", Use::ignored},
                                              {"fluidcoef", Use::ignored},
                                              {"surfacevel", Use::ignored}};
constexpr KnownAttribute kPluginChild[] = {{"plugin", Use::ignored}};

constexpr KnownAttribute kJointAttributes[] = {{"name"},
                                               {"class"},
                                               {"type"},
                                               {"pos"},
                                               {"axis"},
                                               {"springdamper"},
                                               {"stiffness"},
                                               {"damping"},
                                               {"range"},
                                               {"limited"},
                                               {"actuatorfrcrange"},
                                               {"actuatorfrclimited"},
                                               {"ref"},
                                               {"springref"},
                                               {"armature"},
                                               {"frictionloss"},
                                               {"group", Use::tuning},
                                               {"margin", Use::tuning},
                                               {"solreflimit", Use::tuning},
                                               {"solimplimit", Use::tuning},
                                               {"solreffriction", Use::tuning},
                                               {"solimpfriction", Use::tuning},
                                               {"user", Use::tuning},
                                               {"align", Use::tuning},
                                               {"actuatorgravcomp", Use::ignored}};

constexpr std::string_view kGeomTypes[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                           "cylinder", "box",    "mesh",   "sdf"};
constexpr std::string_view kJointTypes[] = {"free", "ball", "slide", "hinge"};

/// Number of sizes that a kind needs: this many numbers, counted from the first, must be > 0.
std::size_t sizes_of(Geom::Kind kind) {
  switch (kind) {
    case Geom::Kind::sphere: return 1;
    case Geom::Kind::capsule:
    case Geom::Kind::cylinder: return 2;
    case Geom::Kind::ellipsoid:
    case Geom::Kind::box: return 3;
    case Geom::Kind::plane:
    case Geom::Kind::mesh: break;
  }
  return 0;
}

/// Length and pose from two points.
void set_between(Attributes& attributes, Geom& geom, std::vector<double>& size) {
  const std::vector<double> v = attributes.numbers("fromto", 6);
  if (v.size() != 6) {
    if (!v.empty()) attributes.fail(code::kVector, "fromto", fmt::format("fromto has {} numbers, expected 6", v.size()));
    return;
  }
  const bool is_long = geom.kind == Geom::Kind::capsule || geom.kind == Geom::Kind::cylinder;
  if (!is_long && geom.kind != Geom::Kind::box && geom.kind != Geom::Kind::ellipsoid) {
    attributes.fail(code::kSize, "fromto", "fromto is for capsules, cylinders, ellipsoids and boxes only");
    return;
  }
  const geo::Vec3 from{v[0], v[1], v[2]}, to{v[3], v[4], v[5]};
  const geo::Vec3 along = from - to;
  const double length = geo::length(along);
  if (!(length > 1e-14) || !std::isfinite(length)) {
    attributes.fail(code::kSize, "fromto", "the two points of fromto are the same");
    return;
  }
  geom.pose = {0.5 * (from + to), geo::rotation_between({0, 0, 1}, along)};
  size.resize(1);
  if (!is_long) size.push_back(size.front());
  size.push_back(length / 2);
}

constexpr double kLargest = 1e9;  ///< m: beyond it no volume or mass can be computed safely, and nothing is meant

void read_size(Attributes& attributes, Geom& geom) {
  std::vector<double> size = attributes.numbers("size", 3);
  if (attributes.has("fromto")) set_between(attributes, geom, size);
  if (!attributes.ok()) return;
  const std::size_t needed = sizes_of(geom.kind);
  bool good = size.size() >= needed;
  for (std::size_t i = 0; good && i < needed; ++i) good = size[i] > 0 && size[i] <= kLargest;
  if (!good) {
    attributes.fail(code::kSize, "size",
                    fmt::format("a geom of this type needs {} {} > 0, up to {:g}, as its size", needed,
                                needed == 1 ? "number" : "numbers", kLargest));
    return;
  }
  size.resize(3);
  geom.size = {size[0], size[1], size[2]};
}

/// False for a geom that is left out.
bool read_kind(Attributes& attributes, const Scope& scope, Geom& geom, Sources& sources) {
  using Kind = Geom::Kind;
  const std::size_t type = attributes.choice("type", kGeomTypes, 2);
  if (type == 1 || type == 8) {
    sources.skip(code::kIgnored, fmt::format("a geom of type {}", kGeomTypes[type]), attributes.node(), attributes.node().at(),
                 ": it is left out");
    return false;
  }
  constexpr Kind kKinds[] = {Kind::plane,    Kind::plane, Kind::sphere, Kind::capsule, Kind::ellipsoid,
                             Kind::cylinder, Kind::box,   Kind::mesh,   Kind::mesh};
  geom.kind = kKinds[type];
  const std::string mesh = attributes.text("mesh");
  if (mesh.empty()) {
    if (geom.kind == Kind::mesh)
      attributes.fail(xml::code::kAttributeMissing, "mesh", "a geom of type mesh needs the attribute \"mesh\"");
    return true;
  }
  const auto found = scope.meshes.find(mesh);
  if (found == scope.meshes.end()) {
    attributes.fail(code::kReference, "mesh", fmt::format("there is no mesh {}", quoted(mesh)));
    return true;
  }
  if (geom.kind != Kind::mesh)
    sources.skip(code::kIgnored, "a shape fitted to a mesh", attributes.node(), attributes.node().at(), ": the mesh itself is");
  geom.kind = Kind::mesh;
  geom.mesh = found->second;
  return true;
}

}  // namespace

std::optional<Geom> read_geom(const Node& node, const Scope& scope, const std::string& around, Sources& sources) {
  Attributes attributes = scope.attributes(node, "geom", around);
  Geom geom;
  geom.name = attributes.text("name");
  geom.place = node.place();
  attributes.skip_others(kGeomAttributes, sources);
  skip_children(node, kPluginChild, sources);
  if (!read_kind(attributes, scope, geom, sources)) return std::nullopt;
  geom.pose = pose_of(attributes, scope.compiler);
  if (geom.kind != Geom::Kind::mesh) read_size(attributes, geom);
  if (attributes.has("mass")) geom.mass = attributes.number("mass", 0, xml::Range::not_negative());
  geom.density = attributes.number("density", 1000, xml::Range::not_negative());
  const std::vector<double> friction = attributes.numbers("friction", 3);
  if (!friction.empty()) geom.friction = friction.front();
  if (geom.friction < 0) attributes.fail(xml::code::kNumberRange, "friction", "the first number of friction is below 0");
  constexpr int kAll = 2147483647;
  const int type = attributes.integer("contype", 1, -kAll, kAll), affinity = attributes.integer("conaffinity", 1, -kAll, kAll);
  geom.collides = type != 0 || affinity != 0;
  if (geom.collides && (type != 1 || affinity != 1))
    sources.skip(code::kIgnored, "contype and conaffinity other than 0 and 1", node, node.at(), ": the geom collides with all");
  geom.group = attributes.integer("group", 0, -kAll, kAll);
  const std::vector<double> rgba = attributes.numbers("rgba", 4);
  if (rgba.size() == 4) {
    auto& color = geom.color.emplace();
    for (std::size_t i = 0; i < 4; ++i) color[i] = std::clamp(rgba[i], 0.0, 1.0);
  }
  return attributes.ok() ? std::optional(std::move(geom)) : std::nullopt;
}

namespace {

/// What hinges and slides have.
void read_motion(Attributes& attributes, const Compiler& compiler, Joint& joint) {
  const bool turns = joint.kind == Joint::Kind::hinge;
  const double unit = turns && compiler.degrees ? geo::radians(1) : 1;
  const geo::Vec3 axis = attributes.vector("axis", {0, 0, 1});
  if (!(geo::length(axis) > 1e-14)) attributes.fail(code::kAxis, "axis", "the axis has length 0");
  joint.axis = geo::normalized(axis);
  joint.range = attributes.limited("range", "limited", compiler.automatic_limits);
  if (joint.range) joint.range = {unit * (*joint.range)[0], unit * (*joint.range)[1]};
  joint.reference = unit * attributes.number("ref", 0);
  joint.spring_reference = unit * attributes.number("springref", 0);
  if (const auto force = attributes.limited("actuatorfrcrange", "actuatorfrclimited", compiler.automatic_limits))
    joint.largest_force = std::max(std::abs((*force)[0]), std::abs((*force)[1]));
  const auto tuned = attributes.numbers("springdamper", 2);
  if (tuned.size() == 2 && tuned[0] > 0 && tuned[1] > 0) joint.spring_damper = {tuned[0], tuned[1]};
}

}  // namespace

std::optional<Joint> read_joint(const Node& node, const Scope& scope, const std::string& around, Sources& sources) {
  // A <freejoint> takes no defaults.
  Attributes attributes = node.name() == "freejoint" ? Attributes(node, nullptr) : scope.attributes(node, "joint", around);
  attributes.skip_others(kJointAttributes, sources);
  Joint joint;
  joint.name = attributes.text("name");
  joint.place = node.place();
  constexpr Joint::Kind kKinds[] = {Joint::Kind::free, Joint::Kind::ball, Joint::Kind::slide, Joint::Kind::hinge};
  joint.kind = kKinds[node.name() == "freejoint" ? 0 : attributes.choice("type", kJointTypes, 3)];
  if (joint.kind == Joint::Kind::free) return joint;
  joint.position = attributes.vector("pos", {});
  joint.stiffness = attributes.number("stiffness", 0, xml::Range::not_negative());
  joint.damping = attributes.number("damping", 0, xml::Range::not_negative());
  joint.friction = attributes.number("frictionloss", 0, xml::Range::not_negative());
  joint.armature = attributes.number("armature", 0, xml::Range::not_negative());
  if (joint.kind == Joint::Kind::ball) {
    if (attributes.limited("range", "limited", scope.compiler.automatic_limits))
      sources.skip(code::kIgnored, "the range of a ball joint", node, node.at());
    if (joint.damping > 0 || joint.friction > 0 || joint.armature > 0 || joint.stiffness > 0)
      sources.skip(code::kIgnored, "stiffness, damping, friction or armature of a ball joint", node, node.at());
  } else {
    read_motion(attributes, scope.compiler, joint);
  }
  return attributes.ok() ? std::optional(std::move(joint)) : std::nullopt;
}

std::optional<Inertial> read_inertial(const Node& node, const Scope& scope, Sources& sources) {
  constexpr KnownAttribute kKnown[] = {{"pos"},   {"mass"},   {"diaginertia"}, {"fullinertia"}, {"quat"},
                                       {"euler"}, {"xyaxes"}, {"zaxis"},       {"axisangle"}};
  Attributes attributes(node, nullptr);
  attributes.skip_others(kKnown, sources);
  Inertial inertial;
  for (const std::string_view needed : {"mass", "pos"})
    if (!attributes.has(needed))
      attributes.fail(code::kInertial, needed, fmt::format("<inertial> needs the attribute \"{}\"", needed));
  inertial.mass = attributes.number("mass", 0, xml::Range::not_negative());
  inertial.pose = pose_of(attributes, scope.compiler);
  const bool full = attributes.has("fullinertia");
  const std::vector<double> v = full ? attributes.numbers("fullinertia", 6) : attributes.numbers("diaginertia", 3);
  if (v.size() != (full ? 6 : 3)) {
    if (attributes.ok())
      attributes.fail(code::kInertial, full ? "fullinertia" : "diaginertia",
                      "<inertial> needs three numbers of diaginertia or six of fullinertia");
    return std::nullopt;
  }
  std::copy(v.begin(), v.end(), inertial.inertia.begin());
  return attributes.ok() ? std::optional(inertial) : std::nullopt;
}

}  // namespace simbatch::mjcf::detail
