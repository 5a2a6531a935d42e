#include <fmt/format.h>

#include "base/core/text.hpp"
#include "base/xml/codes.hpp"
#include "base/xml/xml.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/cajunbot/codes.hpp"

namespace simbatch::cajunbot {
namespace {

using xml::Element;
using xml::ElementReader;
using xml::Range;

constexpr std::int64_t kMaxInt = 2'147'483'647;

class V2Reader {
 public:
  explicit V2Reader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  ObjectFile file(Element root);

 private:
  void object(Element element, ObjectFile& file);
  std::optional<std::string> name(ElementReader& parent);
  /// @param open  if given, the waypoint attribute may be absent
  Waypoint waypoint(ElementReader& r, bool* open = nullptr);
  Vector vector(ElementReader& parent, std::string_view name, const Range& range = {});
  Goal goal(Element element);
  MeshFile mesh_file(ElementReader& parent, std::string_view name);
  void wheels(ElementReader& parent, Object& o);
  void extras(Element element, Object& o);
  void expect_no_namespace(Element element);
  Element extras_of(ElementReader& parent);

  Diagnostics& diagnostics_;
  std::string prefix_;  // of kExtrasNamespace, with its colon
};

std::optional<std::string> V2Reader::name(ElementReader& parent) {
  const auto child = parent.child("name");
  if (!child) {
    diagnostics_.report(code::kNameMissing, parent.element().position(),
                        fmt::format("<{}> has no <name>", parent.element().name()));
    return std::nullopt;
  }
  ElementReader r(*child, diagnostics_);
  std::string text(trimmed(r.text()));
  r.finish(Severity::warning);
  return text;
}

Waypoint V2Reader::waypoint(ElementReader& r, bool* open) {
  Waypoint w;
  w.segment = static_cast<std::int32_t>(r.required_integer("segment", 0, kMaxInt).value_or(0));
  w.lane = static_cast<std::int32_t>(r.required_integer("lane", 0, kMaxInt).value_or(0));
  const bool absent = !r.element().attribute("waypoint");
  if (open != nullptr) *open = absent;
  if (open == nullptr || !absent) w.point = static_cast<std::int32_t>(r.required_integer("waypoint", 0, kMaxInt).value_or(0));
  r.allow_attribute("waypoint");
  return w;
}

Vector V2Reader::vector(ElementReader& parent, std::string_view name, const Range& range) {
  const auto child = parent.required_child(name);
  if (!child) return {};
  ElementReader r(*child, diagnostics_);
  const Vector v{r.required_number("x", range).value_or(0), r.required_number("y", range).value_or(0),
                 r.required_number("z", range).value_or(0)};
  r.finish(Severity::warning);
  return v;
}

Goal V2Reader::goal(Element element) {
  ElementReader r(element, diagnostics_);
  Goal g;
  g.place.at = element.position();
  g.speed = r.required_number("speed").value_or(0);
  g.pause = r.required_number("pause", Range::not_negative()).value_or(0);
  g.to = waypoint(r, &g.open);
  r.finish(Severity::warning);
  return g;
}

MeshFile V2Reader::mesh_file(ElementReader& parent, std::string_view name) {
  MeshFile file;
  const auto child = parent.required_child(name);
  if (!child) return file;
  ElementReader r(*child, diagnostics_);
  constexpr std::string_view kWords[] = {"base", "full"};
  if (!child->attribute("path")) r.required_string("path");
  file.full = r.choice("path", kWords).value_or(0) == 1;
  file.name = trimmed(r.text());
  if (file.name.empty()) diagnostics_.report(code::kMeshFile, child->position(), fmt::format("<{}> holds no file name", name));
  r.finish(Severity::warning);
  return file;
}

void V2Reader::wheels(ElementReader& parent, Object& o) {
  if (const auto child = parent.required_child("wheels")) {
    ElementReader r(*child, diagnostics_);
    o.wheel_type = static_cast<std::int32_t>(r.required_integer("type", 0, 1).value_or(0));
    o.wheel_radius = r.required_number("radius", Range::not_negative()).value_or(0);
    o.wheel_width = r.required_number("width", Range::not_negative()).value_or(0);
    r.finish(Severity::warning);
  }
  if (const auto child = parent.required_child("steering")) {
    ElementReader r(*child, diagnostics_);
    o.throttle_rate = r.required_number("throttle_rate").value_or(0);
    o.lever_rate = r.required_number("lever_rate").value_or(0);
    r.finish(Severity::warning);
  }
  for (const Element element : parent.children("sensor")) {
    ElementReader r(element, diagnostics_);
    Sensor sensor;
    sensor.conf = r.required_string("conf").value_or("");
    sensor.description = r.string("description").value_or("");
    r.finish(Severity::warning);
    o.sensors.push_back(std::move(sensor));
  }
}

/// The version 1 facts of an object, if the file has them (docs/formats/cajunbot.md).
Element V2Reader::extras_of(ElementReader& parent) {
  if (prefix_.empty()) return {};
  return parent.child(prefix_ + "extras").value_or(Element());
}

void V2Reader::extras(Element element, Object& o) {
  if (!element) return;
  ElementReader r(element, diagnostics_);
  if (o.type != Type::mesh) {
    if (const auto id = r.integer("id", -kMaxInt - 1, kMaxInt)) o.id = static_cast<std::int32_t>(*id);
    if (const auto shape = r.integer("shape", 4, 4)) o.shape = Shape::mesh;
  } else {
    o.mesh_type = static_cast<std::int32_t>(r.integer("type", 3, kMaxInt).value_or(3));
    if (element.attribute("segment")) o.start = waypoint(r);
  }
  if (o.type == Type::autonomous || o.type == Type::dynamic) {
    const auto implied = static_cast<std::int64_t>(implied_controller(o.type));
    o.controller = static_cast<Controller>(r.integer("controller", 0, 3).value_or(implied));
    if (o.type == Type::dynamic && o.controller != Controller::waypoint && !o.goals.empty()) {
      r.report(code::kExtra, "controller", fmt::format("controller {} has goals; read as waypoint", to_text(o.controller)));
      o.controller = Controller::waypoint;
    }
  }
  if (o.controller == Controller::script) {
    for (const Element child : r.children(prefix_ + "leg")) {
      ElementReader leg(child, diagnostics_);
      o.script.push_back({leg.required_number("speed").value_or(0),
                          leg.required_number("pause", Range::not_negative()).value_or(0),
                          leg.required_number("distance").value_or(0), leg.required_number("angle").value_or(0)});
      leg.finish(Severity::warning);
    }
  }
  if (o.type == Type::autonomous) {
    if (o.controller == Controller::waypoint)
      for (const Element child : r.children(prefix_ + "goal")) o.goals.push_back(goal(child));
    std::size_t i = 0;
    for (const Element child : r.children(prefix_ + "sensor")) {
      ElementReader sensor(child, diagnostics_);
      const auto type = sensor.required_integer("type", -kMaxInt - 1, kMaxInt);
      if (i < o.sensors.size() && type) o.sensors[i].type = static_cast<std::int32_t>(*type);
      sensor.finish(Severity::warning);
      ++i;
    }
  }
  r.finish(Severity::warning);
}

void V2Reader::expect_no_namespace(Element element) {
  const auto address = element.attribute("xmlns");
  if (!address || address->empty()) return;
  diagnostics_.report(code::kNamespace, element.attribute_position("xmlns"),
                      fmt::format("<{}> is in the namespace {}, but object files have none: leave xmlns out", element.name(),
                                  quoted(*address)));
}

void V2Reader::object(Element element, ObjectFile& file) {
  expect_no_namespace(element);
  ElementReader r(element, diagnostics_);
  Object o;
  o.place.at = element.position();
  constexpr std::string_view kTypes[] = {"autonomous", "dynamic", "static", "mesh"};
  constexpr std::string_view kShapes[] = {"box", "sphere", "cylinder", "wheel"};
  if (!element.attribute("type")) r.required_string("type");
  const auto type = r.choice("type", kTypes);
  if (!type) return;  // what follows depends on it
  o.type = static_cast<Type>(*type);
  o.controller = implied_controller(o.type);
  o.name = name(r);
  const Element v1 = extras_of(r);
  if (o.type == Type::mesh) {
    *o.vertices = mesh_file(r, "vertices");
    *o.indices = mesh_file(r, "indices");
  } else {
    if (!element.attribute("shape")) r.required_string("shape");
    o.shape = static_cast<Shape>(r.choice("shape", kShapes).value_or(0));
    if (const auto start = r.required_child("start_position")) {
      ElementReader s(*start, diagnostics_);
      o.start = waypoint(s);
      s.finish(Severity::warning);
    }
    o.position = vector(r, "position_offset");
    o.orientation_deg = vector(r, "orientation_offset");
    o.size = vector(r, "size", Range::not_negative());
    if (o.type == Type::autonomous) wheels(r, o);
    if (o.type == Type::dynamic) {
      if (const auto pause = r.required_child("initial_pause")) {
        ElementReader p(*pause, diagnostics_);
        const std::string text(trimmed(p.text()));
        const auto value = parse_double(text);
        if (!value)
          p.report(xml::code::kNumber, {}, fmt::format("<initial_pause> is {}, expected a number", quoted(text)));
        else if (value.value < 0)
          p.report(xml::code::kNumberRange, {}, fmt::format("<initial_pause> is {}, expected a number >= 0", quoted(text)));
        else
          o.initial_pause = value.value;
        p.finish(Severity::warning);
      }
      for (const Element child : r.children("goal")) o.goals.push_back(goal(child));
    }
  }
  extras(v1, o);
  r.finish(Severity::warning);
  file.objects.push_back(std::move(o));
}

ObjectFile V2Reader::file(Element root) {
  expect_no_namespace(root);
  ObjectFile file;
  for (const std::string_view attribute : root.attribute_names())
    if (attribute.starts_with("xmlns:") && root.attribute(attribute) == kExtrasNamespace)
      prefix_ = std::string(attribute.substr(6)) + ":";
  ElementReader r(root, diagnostics_);
  file.name = name(r);
  if (!prefix_.empty()) file.name_implied = file.name && r.boolean(prefix_ + "unnamed") == true;
  const xml::Children objects = r.children("object");
  file.objects.reserve(objects.size());
  for (const Element element : objects) object(element, file);
  // The wiki page's sample has no-break spaces between the objects.
  std::string text = root.text();
  for (std::size_t at = 0; (at = text.find("\xC2\xA0", at)) != std::string::npos;) text.erase(at, 2);
  if (trimmed(text).empty()) r.text();
  r.finish(Severity::warning);
  return file;
}

}  // namespace

Parsed<ObjectFile> read_v2(std::string_view text, std::string file) {
  auto document = xml::Document::parse(text, std::move(file));
  Parsed<ObjectFile> result{std::nullopt, std::move(document.diagnostics)};
  if (!document.value) return result;
  const Element root = document.value->root();
  if (!xml::is_root(root, "object_file", result.diagnostics)) return result;
  result.value = V2Reader(result.diagnostics).file(root);
  return result;
}

}  // namespace simbatch::cajunbot
