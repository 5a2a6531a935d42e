#include <fmt/format.h>

#include <algorithm>

#include "formats/sdf/codes.hpp"
#include "formats/sdf/read_parts.hpp"

namespace simbatch::sdf::file {
namespace {

using xml::Element;
using Kind = Shape::Kind;

const xml::Range kPositive = xml::Range::positive();

double required(const Element& parent, std::string_view name, Values& values) {
  if (!parent.first_child(name)) {
    values.report(code::kMissing, parent, fmt::format("<{}> needs a <{}>", parent.name(), name));
    return 1;
  }
  return values.number(parent, name, kPositive).value_or(1);
}

geo::Vec3 positive(const Element& parent, std::string_view name, Values& values) {
  const auto v = values.vector(parent, name);
  if (!parent.first_child(name)) values.report(code::kMissing, parent, fmt::format("<{}> needs a <{}>", parent.name(), name));
  if (!v) return {1, 1, 1};
  if (v->x > 0 && v->y > 0 && v->z > 0) return *v;
  values.report(code::kRange, parent.first_child(name), fmt::format("<{}> must have three numbers > 0", name));
  return {1, 1, 1};
}

Shape read_mesh(const Element& element, Values& values) {
  Shape shape{Kind::mesh};
  shape.uri = values.text(element, "uri");
  if (shape.uri.empty()) values.report(code::kMissing, element, "<mesh> needs a <uri>");
  shape.size = values.vector(element, "scale").value_or(geo::Vec3{1, 1, 1});
  if (shape.size.x == 0 || shape.size.y == 0 || shape.size.z == 0)
    values.report(code::kRange, element.first_child("scale"), "a factor of <scale> is 0");
  values.ignore_others(element, {"uri", "scale"});
  return shape;
}

Shape read_plane(const Element& element, Values& values) {
  Shape shape{Kind::plane};
  shape.size = values.vector(element, "normal").value_or(geo::Vec3{0, 0, 1});
  if (shape.size == geo::Vec3{})
    values.report(code::kRange, element.first_child("normal"), "the normal of a plane has length 0");
  if (const auto drawn = values.numbers(element.first_child("size"), 2)) shape.drawn = {(*drawn)[0], (*drawn)[1]};
  return shape;
}

/// The child of <geometry>. Geometries that cannot become solids are left out with a warning.
Shape read_shape(const Element& parent, Values& values) {
  const Element geometry = parent.first_child("geometry");
  const Element element = geometry ? geometry.first_child() : Element();
  if (!element) {
    values.report(code::kGeometry, geometry ? geometry : parent,
                  fmt::format("<{}> has no shape, expected <geometry> with one in it", parent.name()));
    return {};
  }
  const std::string_view name = element.name();
  Shape shape;
  if (name == "box") {
    shape = {Kind::box, positive(element, "size", values)};
  } else if (name == "ellipsoid") {
    shape = {Kind::ellipsoid, positive(element, "radii", values)};
  } else if (name == "sphere") {
    shape = {Kind::sphere, {}, required(element, "radius", values)};
  } else if (name == "cylinder" || name == "capsule" || name == "cone") {
    const Kind kind = name == "cylinder" ? Kind::cylinder : name == "capsule" ? Kind::capsule : Kind::cone;
    shape = {kind, {}, required(element, "radius", values), required(element, "length", values)};
  } else if (name == "plane") {
    shape = read_plane(element, values);
  } else if (name == "mesh") {
    shape = read_mesh(element, values);
  } else if (name == "heightmap" || name == "image" || name == "polyline") {
    values.ignore(element);
  } else if (name != "empty") {
    values.report(code::kGeometry, element,
                  fmt::format("<{}> is not a shape; shapes are box, sphere, cylinder, capsule, ellipsoid, cone, plane, mesh, "
                              "heightmap, image, polyline and empty",
                              name));
  }
  return shape;
}

void read_surface(const Element& surface, Solid& solid, Values& values) {
  if (const Element friction = surface.first_child("friction")) {
    const Element ode = friction.first_child("ode"), bullet = friction.first_child("bullet");
    if (const auto mu = values.number(ode, "mu", xml::Range::not_negative())) solid.friction = mu;
    if (const auto mu = values.number(bullet, "friction", xml::Range::not_negative()); mu && !solid.friction)
      solid.friction = mu;
    values.ignore_others(friction, {"ode", "bullet"});
    values.ignore_others(ode, {"mu", "mu2"});
  }
  if (const Element bounce = surface.first_child("bounce"))
    solid.restitution = values.number(bounce, "restitution_coefficient", xml::Range::not_negative());
  values.ignore_others(surface, {"friction", "bounce"});
}

void read_material(const Element& material, Solid& solid, Values& values) {
  for (const std::string_view name : {"ambient", "diffuse"}) {
    const Element element = material.first_child(name);
    if (!element) continue;
    // Three or four numbers.
    const std::string text = element.text();
    const auto words = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [blank = true](char c) mutable {
      const bool was = blank;
      blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
      return was && !blank;
    }));
    const auto rgba = values.numbers(element, words == 3 ? 3 : 4);
    if (!rgba) continue;
    solid.color = {0, 0, 0, 1};
    for (std::size_t i = 0; i < rgba->size(); ++i) (*solid.color)[i] = std::clamp((*rgba)[i], 0.0, 1.0);
  }
  if (const Element shader = material.first_child("shader"))
    if (shader.attribute("type").value_or("").starts_with("normal_map") && !shader.first_child("normal_map"))
      values.report(code::kMissing, shader, "a shader of this type needs a <normal_map>");
}

std::vector<Solid> read_solids(const Element& link, std::string_view kind, Values& values) {
  std::vector<Solid> solids;
  std::map<std::string, Position> names;
  for (const Element& element : link.children(kind)) {
    Solid& solid = solids.emplace_back();
    solid.name = values.name(element, names);
    solid.place = element.position();
    solid.pose = values.pose(element);
    solid.shape = read_shape(element, values);
    solid.density = values.number(element, "density", kPositive);
    if (const Element surface = element.first_child("surface")) read_surface(surface, solid, values);
    if (const Element material = element.first_child("material")) read_material(material, solid, values);
    values.ignore_others(element, {"pose", "geometry", "surface", "material", "density"});
  }
  return solids;
}

Inertial read_inertial(const Element& element, Values& values) {
  Inertial inertial;
  const auto automatic = element.attribute("auto");
  inertial.automatic = automatic && (*automatic == "true" || *automatic == "1");
  inertial.pose = values.pose(element);
  inertial.density = values.number(element, "density", kPositive);
  inertial.mass = values.number(element, "mass", kPositive).value_or(1);
  if (const Element inertia = element.first_child("inertia")) {
    constexpr std::string_view kNames[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    for (std::size_t i = 0; i < 6; ++i)
      if (const auto value = values.number(inertia, kNames[i])) inertial.inertia[i] = *value;
  }
  values.ignore_others(element, {"pose", "mass", "inertia", "density"});
  return inertial;
}

}  // namespace

Link read_link(const Element& element, Values& values, std::map<std::string, Position>& names) {
  Link link;
  link.name = values.name(element, names);
  link.place = element.position();
  link.pose = values.pose(element);
  if (const Element inertial = element.first_child("inertial")) link.inertial = read_inertial(inertial, values);
  link.collisions = read_solids(element, "collision", values);
  link.visuals = read_solids(element, "visual", values);
  if (const Element decay = element.first_child("velocity_decay")) {
    const double linear = values.number(decay, "linear").value_or(0), angular = values.number(decay, "angular").value_or(0);
    if (linear != 0 || angular != 0) values.ignore(decay);
  }
  if (!values.flag(element, "gravity", true)) values.ignore(element.first_child("gravity"));
  if (values.flag(element, "kinematic", false)) values.ignore(element.first_child("kinematic"));
  if (values.flag(element, "enable_wind", false)) values.ignore(element.first_child("enable_wind"));
  values.ignore_others(element, {"pose", "inertial", "collision", "visual", "velocity_decay", "gravity", "kinematic",
                                 "enable_wind", "self_collide"});
  return link;
}

}  // namespace simbatch::sdf::file
