// URDF as check_urdf of urdfdom 3.0 accepts it.
#include <algorithm>

#include "base/core/number.hpp"
#include "base/xml/xml.hpp"
#include "formats/urdf/urdf.hpp"

namespace simbatch::urdf {
namespace {

std::string joined(const Vector& v) { return number_text(v[0]) + " " + number_text(v[1]) + " " + number_text(v[2]); }

void put(xml::Writer& out, const Pose& pose) {
  if (pose == Pose{}) return;
  out.start("origin");
  out.attribute("xyz", joined(pose.xyz));
  out.attribute("rpy", joined(pose.rpy));
  out.end();
}

void put_geometry(xml::Writer& out, const Geometry& geometry) {
  const auto round = [&](std::string_view element, double radius, double length) {
    out.start(element);
    out.attribute("radius", radius);
    out.attribute("length", length);
  };
  if (const auto* box = std::get_if<Box>(&geometry)) {
    out.start("box");
    out.attribute("size", joined(box->size));
  } else if (const auto* cylinder = std::get_if<Cylinder>(&geometry)) {
    round("cylinder", cylinder->radius, cylinder->length);
  } else if (const auto* capsule = std::get_if<Capsule>(&geometry)) {
    round("capsule", capsule->radius, capsule->length);
  } else if (const auto* sphere = std::get_if<Sphere>(&geometry)) {
    out.start("sphere");
    out.attribute("radius", sphere->radius);
  } else if (const auto* plane = std::get_if<Plane>(&geometry)) {
    out.start("plane");
    out.attribute("normal", joined(plane->normal));
  } else {
    const Mesh& mesh = std::get<Mesh>(geometry);
    out.start("mesh");
    out.attribute("filename", mesh.file);
    if (mesh.scale != Vector{1, 1, 1}) out.attribute("scale", joined(mesh.scale));
  }
  out.end();
}

/// Readers treat materials of the same name as one, so the name encodes the color: in bytes, if it is made of them.
std::string name_of(const Color& color) {
  const bool is_bytes = std::all_of(color.begin(), color.end(), [](double c) { return c == in_255ths(c); });
  std::string name = "color";
  for (std::size_t i = 0; i < 4; ++i)
    if (i < 3 || color[i] != 1)
      name += "_" + (is_bytes ? number_text(static_cast<int>(color[i] * 255 + 0.5)) : number_text(color[i]));
  return name;
}

void put(xml::Writer& out, std::string_view element, const Shape& shape) {
  out.start(element);
  if (!shape.name.empty()) out.attribute("name", shape.name);
  put(out, shape.origin);
  out.start("geometry");
  put_geometry(out, shape.geometry);
  out.end();
  if (shape.color) {
    out.start("material");
    std::string rgba;
    for (const double component : *shape.color) rgba += (rgba.empty() ? "" : " ") + number_text(component);
    out.attribute("name", shape.material.empty() ? name_of(*shape.color) : shape.material);
    out.start("color");
    out.attribute("rgba", rgba);
    out.end();
    out.end();
  }
  out.end();
}

void put(xml::Writer& out, const Contact& contact) {
  if (contact == Contact{}) return;
  out.start("contact");
  const auto value = [&](std::string_view element, const std::optional<double>& number) {
    if (!number) return;
    out.start(element);
    out.attribute("value", *number);
    out.end();
  };
  value("lateral_friction", contact.friction);
  value("restitution", contact.restitution);
  out.end();
}

void put(xml::Writer& out, const Link& link) {
  out.start("link");
  out.attribute("name", link.name);
  put(out, link.contact);
  if (link.inertial) {
    const Inertial& inertial = *link.inertial;
    out.start("inertial");
    put(out, inertial.origin);
    out.start("mass");
    out.attribute("value", inertial.mass);
    out.end();
    out.start("inertia");
    static constexpr std::string_view kNames[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    for (std::size_t i = 0; i < 6; ++i) out.attribute(kNames[i], inertial.inertia[i]);
    out.end();
    out.end();
  }
  for (const Shape& shape : link.visuals) put(out, "visual", shape);
  for (const Shape& shape : link.collisions) put(out, "collision", shape);
  out.end();
}

}  // namespace

std::string write_urdf(const Robot& robot) {
  xml::Writer out;
  out.start("robot");
  out.attribute("name", robot.name);
  for (const Link& link : robot.links) put(out, link);
  for (const Joint& joint : robot.joints) {
    out.start("joint");
    out.attribute("name", joint.name);
    out.attribute("type", joint.type);
    put(out, joint.origin);
    out.start("parent");
    out.attribute("link", joint.parent);
    out.end();
    out.start("child");
    out.attribute("link", joint.child);
    out.end();
    if (joint.type != "fixed") {
      out.start("axis");
      out.attribute("xyz", joined(joint.axis));
      out.end();
    }
    if (joint.limit) {
      out.start("limit");
      out.attribute("lower", joint.limit->lower);
      out.attribute("upper", joint.limit->upper);
      if (joint.limit->effort) out.attribute("effort", *joint.limit->effort);
      if (joint.limit->velocity) out.attribute("velocity", *joint.limit->velocity);
      out.end();
    }
    if (joint.damping || joint.friction) {
      out.start("dynamics");
      out.attribute("damping", joint.damping.value_or(0));
      out.attribute("friction", joint.friction.value_or(0));
      out.end();
    }
    if (joint.mimic) {
      out.start("mimic");
      out.attribute("joint", joint.mimic->joint);
      out.attribute("multiplier", joint.mimic->multiplier);
      out.attribute("offset", joint.mimic->offset);
      out.end();
    }
    out.end();
  }
  out.end();
  return out.take();
}

}  // namespace simbatch::urdf
