// Source: XML specifications of ROS' packages urdf and urdfdom 3.0; Bullet's UrdfParser for capsules, planes and <contact>.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/core/text.hpp"
#include "base/xml/codes.hpp"
#include "base/xml/number_list.hpp"
#include "base/xml/repair.hpp"
#include "base/xml/xml.hpp"
#include "formats/urdf/codes.hpp"
#include "formats/urdf/tree.hpp"
#include "formats/urdf/urdf.hpp"

namespace simbatch::urdf {
namespace {

using xml::Element;
using xml::ElementReader;

class RobotReader {
 public:
  explicit RobotReader(Diagnostics& problems) : problems_(problems) {}

  Robot read(const Element& root) {
    Robot robot;
    ElementReader reader(root, problems_);
    const auto name = root.attribute("name");
    robot.name = name && !name->empty() ? std::string(*name) : "robot";
    if (!name || name->empty())
      problems_.report_as(name ? Severity::warning : Severity::error, xml::code::kAttributeMissing,
                          name ? root.attribute_position("name") : root.position(),
                          name ? "the robot's name is empty, which urdfdom refuses; it is called \"robot\""
                               : "<robot> needs the attribute \"name\"",
                          root.path());
    reader.allow_attribute("name");
    reader.allow_attribute("version");
    for (const Element& element : reader.children("material")) read_material(element);
    const xml::Children links = reader.children("link"), joints = reader.children("joint");
    robot.links.reserve(links.size());
    robot.joints.reserve(joints.size());
    for (const Element& element : links) read_link(element, robot);
    for (const Element& element : joints) read_joint(element, robot);
    ignore_others(root, {"material", "link", "joint"});
    check_tree(robot, {broken_links_, broken_joints_}, problems_);
    report_ignored();
    return robot;
  }

 private:
  struct Ignored {
    Position first;
    std::size_t count = 0;
  };

  void ignore(const Element& element) {
    // "link/sensor": the same element means different things in different places
    const std::string key =
        std::string(element.parent().name() == "robot" ? "" : element.parent().name()) + "/" + std::string(element.name());
    Ignored& entry = ignored_[key];
    if (entry.count++ == 0) entry.first = element.position();
  }
  void ignore_others(const Element& parent, std::initializer_list<std::string_view> known) {
    for (Element child = parent.first_child(); child; child = child.next_sibling())
      if (std::find(known.begin(), known.end(), child.name()) == known.end()) ignore(child);
  }
  void report_ignored() {
    for (const auto& [key, entry] : ignored_) {
      const std::size_t slash = key.find('/');
      const std::string where = slash == 0 ? "" : fmt::format(" in <{}>", key.substr(0, slash));
      problems_.report(code::kIgnored, entry.first,
                       fmt::format("<{}>{} is not read{}", key.substr(slash + 1), where,
                                   entry.count == 1 ? "" : fmt::format(", {} of them", entry.count)));
    }
  }

  /// Numbers of an attribute; if there are not `size` of them, this is reported, and the result is empty.
  std::vector<double> numbers(const Element& element, std::string_view name, std::size_t size) {
    const auto text = element.attribute(name);
    if (!text) return {};
    const xml::NumberList list = xml::read_number_list(*text, size);
    if (list.bad.empty() && list.count == size) return list.values;
    const std::string why =
        !list.bad.empty() ? fmt::format("{} is not a number", quoted(list.bad)) : fmt::format("it has {} of them", list.count);
    problems_.report(code::kVector, element.attribute_position(name),
                     fmt::format("{}={}, expected {}: {}", name, quoted(*text),
                                 size == 1 ? "a number" : fmt::format("{} numbers", size), why),
                     element.path() + "/@" + std::string(name));
    failed_ = true;
    return {};
  }
  Vector vector(const Element& element, std::string_view name, Vector fallback) {
    const std::vector<double> values = numbers(element, name, 3);
    return values.empty() ? fallback : Vector{values[0], values[1], values[2]};
  }
  Pose origin(ElementReader& parent) {
    Pose pose;
    const auto element = parent.child("origin");
    if (!element) return pose;
    pose.xyz = vector(*element, "xyz", {});
    pose.rpy = vector(*element, "rpy", {});
    return pose;
  }
  void fail(const Code& code, Position at, std::string message, const Element& element) {
    problems_.report(code, at, std::move(message), element.path());
    failed_ = true;
  }
  /// A number, with an optional '+' as strtod reads it; the fallback, after a report, for anything else.
  double number_of(const Element& element, std::string_view attribute, const xml::Range& range, double fallback) {
    const std::vector<double> values = numbers(element, attribute, 1);
    if (values.empty()) return fallback;
    const double v = values.front();
    if (v >= range.min && v <= range.max && !(range.min_excluded && v == range.min)) return v;
    fail(xml::code::kNumberRange, element.attribute_position(attribute),
         fmt::format("{}={}, expected a number {} {}", attribute, v, range.min_excluded ? ">" : ">=", range.min), element);
    return fallback;
  }
  double required_number(const Element& element, std::string_view attribute, const xml::Range& range) {
    if (const auto text = element.attribute(attribute); text && !text->empty()) return number_of(element, attribute, range, 1);
    fail(xml::code::kAttributeMissing, element.position(),
         fmt::format("<{}> needs the attribute \"{}\"", element.name(), attribute), element);
    return 1;
  }

  std::optional<Color> color_of(const Element& material) {
    const Element element = material.first_child("color");
    if (!element) return std::nullopt;
    const std::vector<double> rgba = numbers(element, "rgba", 4);
    if (rgba.empty()) return std::nullopt;
    Color color{};
    for (std::size_t i = 0; i < 4; ++i) color[i] = std::clamp(rgba[i], 0.0, 1.0);
    return color;
  }
  void read_material(const Element& element) {
    ElementReader reader(element, problems_);
    const auto name = reader.required_string("name");
    const auto color = color_of(element);
    if (element.first_child("texture")) ignore(element.first_child("texture"));
    if (name) materials_[*name] = color;
  }

  Geometry geometry(const Element& parent) {
    const Element element = parent.first_child("geometry");
    const Element shape = element ? element.first_child() : Element();
    const xml::Range positive = xml::Range::positive();
    if (!shape) {
      fail(code::kGeometry, (element ? element : parent).position(),
           fmt::format("<{}> has no shape, expected <geometry> with one in it", parent.name()), parent);
    } else if (shape.name() == "box") {
      const Vector size = vector(shape, "size", {});
      if (std::all_of(size.begin(), size.end(), [](double x) { return x > 0; })) return Box{size};
      if (!failed_ || !shape.attribute("size"))
        fail(code::kGeometry, shape.attribute_position("size"), "a box needs a size of three numbers > 0", shape);
    } else if (shape.name() == "cylinder") {
      return Cylinder{required_number(shape, "radius", positive), required_number(shape, "length", positive)};
    } else if (shape.name() == "capsule") {
      return Capsule{required_number(shape, "radius", positive), required_number(shape, "length", positive)};
    } else if (shape.name() == "sphere") {
      return Sphere{required_number(shape, "radius", positive)};
    } else if (shape.name() == "plane") {
      return Plane{vector(shape, "normal", {0, 0, 1})};
    } else if (shape.name() == "mesh") {
      return read_mesh(shape);
    } else {
      fail(code::kGeometry, shape.position(),
           fmt::format("<{}> is not a shape, expected <box>, <cylinder>, <sphere>, <capsule> or <mesh>", shape.name()), shape);
    }
    return Box{};
  }
  Geometry read_mesh(const Element& element) {
    ElementReader reader(element, problems_);
    Mesh mesh;
    mesh.file = reader.required_string("filename").value_or("");
    failed_ |= !reader.ok();
    if (const auto scale = element.attribute("scale")) {
      // Bullet's files may also have a single number.
      const std::size_t count = xml::read_number_list(*scale, 1).count;
      const std::vector<double> values = numbers(element, "scale", count == 1 ? 1 : 3);
      if (values.size() == 1) mesh.scale = {values[0], values[0], values[0]};
      if (values.size() == 3) mesh.scale = {values[0], values[1], values[2]};
      for (const double factor : values)
        if (factor == 0) fail(code::kVector, element.attribute_position("scale"), "a factor of scale is 0", element);
    }
    return mesh;
  }

  std::optional<Shape> read_shape(const Element& element) {
    failed_ = false;
    ElementReader reader(element, problems_);
    Shape shape;
    shape.name = reader.string("name").value_or("");
    shape.place.at = element.position();
    shape.origin = origin(reader);
    shape.geometry = geometry(element);
    if (const Element material = element.first_child("material")) {
      shape.color = material_of(material);
      if (shape.color) shape.material = material.attribute("name").value_or("");
    }
    ignore_others(element, {"origin", "geometry", "material"});
    return failed_ || !reader.ok() ? std::nullopt : std::optional(std::move(shape));
  }
  std::optional<Color> material_of(const Element& element) {
    const auto color = color_of(element);
    const auto name = element.attribute("name");
    if (element.first_child("texture")) ignore(element.first_child("texture"));
    if (!name || name->empty()) return color;
    // A material that a link defines is known to the links after it, as in urdfdom.
    if (color) {
      materials_.try_emplace(std::string(*name), color);
      return color;
    }
    const auto known = materials_.find(*name);
    if (known != materials_.end()) return known->second;
    if (!element.first_child("texture"))
      problems_.report(code::kMaterial, element.attribute_position("name"),
                       fmt::format("there is no material {}, its shape gets no color", quoted(*name)), element.path());
    return std::nullopt;
  }

  std::optional<Inertial> read_inertial(const Element& element) {
    const bool before = failed_;
    failed_ = false;
    ElementReader reader(element, problems_);
    Inertial inertial;
    inertial.origin = origin(reader);
    if (const auto mass = reader.required_child("mass")) {
      inertial.mass = required_number(*mass, "value", {});
      if (inertial.mass < 0)
        fail(code::kMass, mass->attribute_position("value"),
             fmt::format("a mass of {} kg, expected one >= 0", quoted(*mass->attribute("value"))), *mass);
    }
    if (const auto inertia = reader.required_child("inertia")) {
      constexpr std::string_view kNames[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
      for (std::size_t i = 0; i < 6; ++i) {
        const bool diagonal = i == 0 || i == 3 || i == 5;
        inertial.inertia[i] = diagonal ? required_number(*inertia, kNames[i], {}) : number_of(*inertia, kNames[i], {}, 0);
      }
    }
    ignore_others(element, {"origin", "mass", "inertia"});
    const bool good = !failed_ && reader.ok();
    failed_ = before || !good;
    return good ? std::optional(inertial) : std::nullopt;
  }

  void read_contact(const Element& element, Contact& contact) {
    const auto value = [&](std::string_view name, std::optional<double>& to) {
      if (const Element child = element.first_child(name)) to = number_of(child, "value", xml::Range::not_negative(), 0);
    };
    value("lateral_friction", contact.friction);
    value("restitution", contact.restitution);
    ignore_others(element, {"lateral_friction", "restitution"});
  }

  void read_link(const Element& element, Robot& robot) {
    failed_ = false;
    ElementReader reader(element, problems_);
    Link link;
    link.place.at = element.position();
    const auto name = reader.required_string("name");
    if (!name) return;
    link.name = *name;
    broken_links_.insert(link.name);  // until it is complete
    if (const auto inertial = reader.child("inertial")) link.inertial = read_inertial(*inertial);
    if (const auto contact = reader.child("contact")) read_contact(*contact, link.contact);
    bool good = !failed_;
    for (const Element& shape : element.children("visual"))
      if (auto read = read_shape(shape)) link.visuals.push_back(std::move(*read));
    for (const Element& shape : element.children("collision")) {
      auto read = read_shape(shape);
      good &= read.has_value();
      if (read) link.collisions.push_back(std::move(*read));
    }
    ignore_others(element, {"inertial", "contact", "visual", "collision"});
    if (!good || !reader.ok()) return;
    broken_links_.erase(link.name);
    robot.links.push_back(std::move(link));
  }

  void read_limit(const Element& element, Joint& joint) {
    Limit limit;
    limit.lower = number_of(element, "lower", {}, 0);
    limit.upper = number_of(element, "upper", {}, 0);
    for (const auto& [name, value] : {std::pair("effort", &limit.effort), std::pair("velocity", &limit.velocity)}) {
      if (const auto text = element.attribute(name); text && !text->empty())
        *value = number_of(element, name, {}, 0);
      else if (joint.type != "fixed")
        problems_.report_as(
            Severity::warning, code::kLimit, element.position(),
            fmt::format("the limit has no {}, which check_urdf demands; the joint's {} is not limited", name, name),
            element.path());
    }
    if ((joint.type == "revolute" || joint.type == "prismatic") && limit.lower > limit.upper)
      problems_.report_as(
          Severity::warning, code::kLimit, element.position(),
          fmt::format("the lower limit {} exceeds the upper one {}: the joint has no limits", limit.lower, limit.upper),
          element.path());
    joint.limit = limit;
  }

  void read_motion(ElementReader& reader, const Element& element, Joint& joint) {
    joint.axis = {1, 0, 0};
    if (const auto axis = reader.child("axis")) {
      joint.axis = vector(*axis, "xyz", joint.axis);
      if (joint.axis == Vector{} && joint.type != "fixed" && joint.type != "floating" && joint.type != "spherical")
        fail(code::kAxis, axis->attribute_position("xyz"), "the axis has length 0", *axis);
    }
    if (const auto limit = reader.child("limit")) read_limit(*limit, joint);
    if (!joint.limit && (joint.type == "revolute" || joint.type == "prismatic"))
      fail(code::kLimit, element.position(),
           fmt::format("the {} joint {} needs a <limit>{}", joint.type, quoted(joint.name),
                       joint.type == "revolute" ? "; a joint without limits is continuous" : ""),
           element);
    if (const auto dynamics = reader.child("dynamics")) {
      if (dynamics->attribute("damping")) joint.damping = number_of(*dynamics, "damping", {}, 0);
      if (dynamics->attribute("friction")) joint.friction = number_of(*dynamics, "friction", {}, 0);
    }
    if (const auto mimic = reader.child("mimic")) {
      ElementReader of(*mimic, problems_);
      joint.mimic = Mimic{of.required_string("joint").value_or(""), number_of(*mimic, "multiplier", {}, 1),
                          number_of(*mimic, "offset", {}, 0)};
      failed_ |= !of.ok();
    }
  }

  void read_joint(const Element& element, Robot& robot) {
    failed_ = false;
    ElementReader reader(element, problems_);
    Joint joint;
    joint.place.at = element.position();
    joint.name = reader.required_string("name").value_or("");
    joint.type = reader.required_string("type").value_or("");
    if (!joint.type.empty() && std::find(std::begin(kJointTypes), std::end(kJointTypes), joint.type) == std::end(kJointTypes)) {
      const std::string_view near = nearest(joint.type, kJointTypes);
      fail(code::kJointType, element.attribute_position("type"),
           fmt::format("there is no joint of type {}, expected one of {}{}", quoted(joint.type), fmt::join(kJointTypes, ", "),
                       near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)),
           element);
    }
    const auto end = [&](std::string_view which) {
      const auto of = reader.required_child(which);
      if (!of) return std::string();
      ElementReader link(*of, problems_);
      auto name = link.required_string("link");
      failed_ |= !link.ok();
      return name.value_or("");
    };
    joint.parent = end("parent");
    joint.child = end("child");
    joint.origin = origin(reader);
    read_motion(reader, element, joint);
    ignore_others(element, {"parent", "child", "origin", "axis", "limit", "dynamics", "mimic"});
    if (failed_ || !reader.ok()) {
      broken_joints_.insert(joint.name);
      if (!joint.child.empty()) broken_joints_.insert("child of " + joint.child);
      return;
    }
    robot.joints.push_back(std::move(joint));
  }

  Diagnostics& problems_;
  bool failed_ = false;  // since it was last set to false: the link or joint that is being read is broken
  std::map<std::string, std::optional<Color>, std::less<>> materials_;
  std::map<std::string, Ignored> ignored_;
  std::set<std::string> broken_links_, broken_joints_;
};

/// True, after an error that says what to do, if the text is a xacro template.
bool is_xacro(const Element& root, Diagnostics& problems) {
  bool uses = false;
  for (const std::string_view name : root.attribute_names()) uses |= name == "xmlns:xacro";
  Element found;
  for (Element child = root.first_child(); child && !found; child = child.next_sibling())
    if (child.name().starts_with("xacro:")) found = child;
  if (!found) return false;
  problems.report(code::kXacro, found.position(),
                  fmt::format("<{}> belongs to xacro: the file is a template, not yet a robot", found.name()), found.path());
  problems.note(
      code::kXacro, uses ? root.attribute_position("xmlns:xacro") : root.position(),
      "expand it first, where ROS is installed: xacro " + problems.file() + " > robot.urdf; then give robot.urdf here");
  return true;
}

}  // namespace

Parsed<Robot> read_urdf(std::string_view text, const std::string& file_name) {
  Parsed<xml::Document> document = xml::parse_forgiving(text, file_name);
  Parsed<Robot> result{std::nullopt, std::move(document.diagnostics)};
  if (!document.value) return result;
  const Element root = document.value->root();
  if (!xml::is_root(root, "robot", result.diagnostics)) return result;
  if (is_xacro(root, result.diagnostics)) return result;
  constexpr std::string_view kRecords[] = {"link", "joint", "visual", "collision", "material"};
  RecordCount count(code::kMany, "links, joints, shapes and materials");
  if (!document.value->is_within(count, kRecords, result.diagnostics)) return result;
  result.value = RobotReader(result.diagnostics).read(root);
  result.diagnostics.sort();
  return result;
}

}  // namespace simbatch::urdf
