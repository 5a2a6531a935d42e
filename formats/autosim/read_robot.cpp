// Reads Robot files. Source: thesis, C.3; docs/robot.md.

#include <array>
#include <utility>

#include "base/xml/codes.hpp"
#include "formats/autosim/block.hpp"
#include "formats/autosim/read_device.hpp"
#include "formats/autosim/read_link.hpp"
#include "formats/autosim/robot.hpp"

// Bodies and links first, then devices; references are resolved among the names of all blocks, including invalid ones, so that
// one mistake gives one error.

namespace simbatch::autosim {
namespace {
using detail::BlockReader;
using detail::NameTable;

constexpr std::array<std::string_view, 9> kPartElements = {"Box",      "Sphere",        "Capsule",      "Cylinder",     "Mesh",
                                                           "Compound", "SphericalLink", "RevoluteLink", "PrismaticLink"};
Fluid read_fluid(BlockReader& block) {
  Fluid fluid;
  const xml::Range range = xml::Range::not_negative();
  fluid.volume = block.optional_number("Volume", range);
  fluid.center_of_buoyancy = block.optional_vector("CenterOfBuoyancy");
  fluid.linear_drag = block.vector("LinearDrag", {}, range);
  fluid.quadratic_drag = block.vector("QuadraticDrag", {}, range);
  fluid.angular_linear_drag = block.vector("AngularLinearDrag", {}, range);
  fluid.angular_quadratic_drag = block.vector("AngularQuadraticDrag", {}, range);
  fluid.added_mass = block.vector("AddedMass", {}, range);
  fluid.added_inertia = block.vector("AddedInertia", {}, range);
  return fluid;
}

std::optional<Geometry> read_geometry(const xml::Element& element, Shape::Kind kind, NameTable& names,
                                      Diagnostics& diagnostics) {
  BlockReader block(element, diagnostics);
  Geometry geometry;
  geometry.name = block.name();
  geometry.place = block.place();
  names.add(geometry.name, geometry.place.at, "geometry", diagnostics);
  geometry.shape = detail::read_shape(block, kind);
  geometry.position = block.vector("Position", {});
  geometry.rotation = block.vector("Rotation", {});
  geometry.mass = block.number("Mass", 0, xml::Range::not_negative());
  block.finish();
  return block.ok() ? std::optional(std::move(geometry)) : std::nullopt;
}

void read_compound(BlockReader& block, Body& body) {
  NameTable names;
  double sum = 0;
  std::size_t without_mass = 0, count = 0;
  for (const xml::Element& child : block.reader().element().children()) {
    const auto kind = detail::shape_kind(child.name());
    if (!kind) continue;
    block.reader().allow_child(child.name());
    ++count;
    if (auto geometry = read_geometry(child, *kind, names, block.diagnostics())) {
      sum += geometry->mass;
      without_mass += geometry->mass == 0 ? 1 : 0;
      body.geometries.push_back(std::move(*geometry));
    }
  }
  for (const std::string_view known : {"Box", "Sphere", "Capsule", "Cylinder", "Mesh"}) block.reader().allow_child(known);
  if (count == 0 && !block.has("Inertia"))
    block.report(code::kEmpty, {},
                 "<Compound> " + quoted(block.name()) + " has no geometry, expected one or more, or an <Inertia>");
  const auto mass = block.optional_number("Mass", xml::Range::positive());
  body.mass = mass.value_or(sum);
  if (!block.ok()) return;
  if (sum > 0 && without_mass > 0)
    block.report(code::kConflict, {},
                 "some geometries of " + quoted(block.name()) + " have a Mass and some have none, expected all or none");
  else if (sum > 0 && mass)
    block.report(code::kConflict, "Mass",
                 "both <Compound> " + quoted(block.name()) + " and its geometries have a Mass, expected one of them");
  else if (sum == 0 && !mass)
    block.report(xml::code::kElementMissing, {},
                 "<Compound> " + quoted(block.name()) + " needs a <Mass>, or one in each geometry");
}

void read_inertia(BlockReader& block, Body& body) {
  const auto element = block.reader().child("Inertia");
  if (!element) return;
  xml::ElementReader reader(*element, block.diagnostics());
  const auto x = reader.required_number("x", xml::Range::positive()), y = reader.required_number("y", xml::Range::positive()),
             z = reader.required_number("z", xml::Range::positive());
  body.inertia_products = {reader.number("xy").value_or(0), reader.number("xz").value_or(0), reader.number("yz").value_or(0)};
  reader.finish();
  if (x && y && z) body.inertia = Vector3{*x, *y, *z};
}

std::optional<Body> read_body(const xml::Element& element, std::optional<Shape::Kind> kind, NameTable& names,
                              Diagnostics& diagnostics) {
  BlockReader block(element, diagnostics);
  Body body;
  body.name = block.name();
  body.place = block.place();
  names.add(body.name, body.place.at, "part", diagnostics);
  body.is_compound = !kind;
  if (kind) {
    body.shape = detail::read_shape(block, *kind);
    body.mass = block.required_number("Mass", xml::Range::positive());
  } else {
    read_compound(block, body);
  }
  body.position = block.vector("Position", {});
  body.rotation = block.vector("Rotation", {});
  body.center_of_mass = block.optional_vector("CenterOfMass");
  read_inertia(block, body);
  body.model = block.model();
  body.friction = block.optional_number("Friction", xml::Range::not_negative());
  body.restitution = block.optional_number("Restitution", xml::Range::between(0, 1));
  if (const Fluid fluid = read_fluid(block); fluid != Fluid{}) *body.fluid = fluid;
  block.finish();
  return block.ok() ? std::optional(std::move(body)) : std::nullopt;
}

/// Reports a link that refers to a body that does not exist, or that follows it.
bool check_link(const Link& link, const xml::Element& element, const NameTable& bodies, Diagnostics& diagnostics) {
  bool is_good = true, is_early = false;
  const auto check = [&](const std::string& name, std::string_view tag) {
    const Position at = element.first_child(tag).attribute_position("name");
    if (!bodies.contains(name)) {
      diagnostics.report(code::kReference, at,
                         "there is no body " + quoted(name) + " in this robot" + detail::did_you_mean(name, bodies.names()),
                         element.first_child(tag).path() + "/@name");
      is_good = false;
    } else if (bodies.position(name) > element.position()) {
      is_early = true;
    }
  };
  check(link.parent, "Parent");
  check(link.child, "Child");
  if (is_early)
    diagnostics.report(code::kLinkOrder, element.position(), "link " + quoted(link.name) + " precedes a body that it joins",
                       element.path());
  return is_good;
}

void read_parts(const xml::Element& section, Robot& robot, NameTable& bodies, Diagnostics& diagnostics) {
  xml::ElementReader reader(section, diagnostics);
  NameTable names;
  std::vector<std::pair<Link, xml::Element>> links;
  bool any_body = false;
  const xml::Children elements = reader.all_children();
  robot.bodies.reserve(elements.size());
  for (const xml::Element& element : elements) {
    const auto shape = detail::shape_kind(element.name());
    if (const auto kind = detail::link_kind(element.name())) {
      if (auto link = detail::read_link(element, *kind, names, diagnostics)) links.emplace_back(std::move(*link), element);
    } else if (shape || element.name() == "Compound") {
      any_body = true;
      if (const auto name = element.attribute("name")) bodies.remember(std::string(*name), element.position());
      if (auto body = read_body(element, shape, names, diagnostics)) robot.bodies.push_back(std::move(*body));
    } else {
      any_body = true;  // may have been meant as one
      if (const auto name = element.attribute("name")) bodies.remember(std::string(*name), element.position());
      detail::report_unknown(element, kPartElements, diagnostics);
    }
  }
  for (auto& [link, element] : links)
    if (check_link(link, element, bodies, diagnostics)) robot.links.push_back(std::move(link));
  if (!any_body) reader.report(code::kEmpty, {}, "<Parts> has no body, expected one or more");
  reader.finish();
}

std::optional<Articulation> read_articulation(BlockReader& root, const NameTable& bodies, Diagnostics& diagnostics) {
  const auto element = root.reader().child("Articulation");
  if (!element) return std::nullopt;
  xml::ElementReader reader(*element, diagnostics);
  Articulation articulation;
  articulation.place.at = element->position();
  articulation.base = reader.string("base").value_or("");
  articulation.fixed = reader.boolean("fixed").value_or(false);
  articulation.self_collision = reader.boolean("selfCollision").value_or(true);
  reader.finish();
  if (!articulation.base.empty() && !bodies.contains(articulation.base))
    reader.report(code::kReference, "base",
                  "there is no body " + quoted(articulation.base) + " in this robot" +
                      detail::did_you_mean(articulation.base, bodies.names()));
  return reader.ok() ? std::optional(articulation) : std::nullopt;
}

}  // namespace

Parsed<Robot> read_robot(std::string_view text, const std::string& file_name) {
  Parsed<Robot> result{std::nullopt, Diagnostics(file_name)};
  const auto document = detail::open_document(text, file_name, "Robot", result.diagnostics);
  if (!document) return result;
  BlockReader root(document->root(), result.diagnostics);
  Robot robot;
  robot.name = root.name();
  robot.place = root.place();
  NameTable bodies;
  if (const auto parts = root.required_child("Parts")) read_parts(*parts, robot, bodies, result.diagnostics);
  robot.articulation = read_articulation(root, bodies, result.diagnostics);
  if (const auto devices = root.reader().child("Devices")) detail::read_devices(*devices, bodies, robot, result.diagnostics);
  root.finish();
  result.diagnostics.sort();
  result.value = std::move(robot);
  return result;
}

}  // namespace simbatch::autosim
