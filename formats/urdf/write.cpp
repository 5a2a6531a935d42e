// URDF as check_urdf of urdfdom 3.0 accepts it.
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

void put(xml::Writer& out, std::string_view element, const Mesh& mesh, bool colored) {
  out.start(element);
  put(out, mesh.origin);
  out.start("geometry");
  out.start("mesh");
  out.attribute("filename", mesh.file);
  out.end();
  out.end();
  if (colored) {
    out.start("material");
    // Materials of one name are one for readers: the name says the color.
    std::string name = "color", rgba;
    for (const float c : mesh.color) {
      const int byte = static_cast<int>(c * 255.0F + 0.5F);
      name += "_" + number_text(byte);
      rgba += number_text(static_cast<double>(byte) / 255) + " ";
    }
    out.attribute("name", name);
    out.start("color");
    out.attribute("rgba", rgba + "1");
    out.end();
    out.end();
  }
  out.end();
}

}  // namespace

std::string write_urdf(const Robot& robot) {
  xml::Writer out;
  out.start("robot");
  out.attribute("name", robot.name);
  for (const Link& link : robot.links) {
    out.start("link");
    out.attribute("name", link.name);
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
    for (const Mesh& mesh : link.visuals) put(out, "visual", mesh, true);
    for (const Mesh& mesh : link.collisions) put(out, "collision", mesh, false);
    out.end();
  }
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
      out.attribute("effort", joint.limit->effort);
      out.attribute("velocity", joint.limit->velocity);
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
