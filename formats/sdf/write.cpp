// SDFormat 1.9 as accepted by libsdformat 12.
#include "base/core/number.hpp"
#include "base/xml/xml.hpp"
#include "formats/sdf/sdf.hpp"

namespace simbatch::sdf {
namespace {

std::string joined(const Vector& v) { return number_text(v[0]) + " " + number_text(v[1]) + " " + number_text(v[2]); }

void put(xml::Writer& out, const Pose& pose, const std::string& relative_to = {}) {
  if (pose == Pose{} && relative_to.empty()) return;
  out.start("pose");
  if (!relative_to.empty()) out.attribute("relative_to", relative_to);
  out.text(joined(pose.xyz) + " " + joined(pose.rpy));
  out.end();
}

struct PutGeometry {
  xml::Writer& out;
  void operator()(const Box& box) const {
    out.start("box");
    out.element("size", joined(box.size));
  }
  void operator()(const Cylinder& cylinder) const {
    out.start("cylinder");
    out.element("radius", cylinder.radius);
    out.element("length", cylinder.length);
  }
  void operator()(const Sphere& sphere) const {
    out.start("sphere");
    out.element("radius", sphere.radius);
  }
  void operator()(const Capsule& capsule) const {
    out.start("capsule");
    out.element("radius", capsule.radius);
    out.element("length", capsule.length);
  }
  void operator()(const Ellipsoid& ellipsoid) const {
    out.start("ellipsoid");
    out.element("radii", joined(ellipsoid.radii));
  }
  void operator()(const Plane& plane) const {
    out.start("plane");
    out.element("normal", joined(plane.normal));
    out.element("size", number_text(plane.size[0]) + " " + number_text(plane.size[1]));
  }
  void operator()(const Mesh& mesh) const {
    out.start("mesh");
    out.element("uri", mesh.uri);
    if (mesh.scale != Vector{1, 1, 1}) out.element("scale", joined(mesh.scale));
  }
};

void put(xml::Writer& out, const Geometry& geometry) {
  out.start("geometry");
  std::visit(PutGeometry{out}, geometry);
  out.end();
  out.end();
}

void put(xml::Writer& out, const Extension& extension) {
  out.start(extension.element);
  for (const auto& attribute : extension.attributes) out.attribute(attribute.first, attribute.second);
  out.end();
}

void put_surface(xml::Writer& out, const Collision& collision) {
  if (!collision.friction && !collision.restitution) return;
  out.start("surface");
  if (collision.friction) {
    out.start("friction");
    out.start("ode");
    out.element("mu", *collision.friction);
    out.element("mu2", *collision.friction);
    out.end();
    out.end();
  }
  if (collision.restitution) {
    out.start("bounce");
    out.element("restitution_coefficient", *collision.restitution);
    out.end();
  }
  out.end();
}

void put(xml::Writer& out, const Link& link) {
  out.start("link");
  out.attribute("name", link.name);
  put(out, link.pose, link.relative_to);
  if (link.inertial) {
    out.start("inertial");
    put(out, link.inertial->pose);
    out.element("mass", link.inertial->mass);
    out.start("inertia");
    static constexpr std::string_view kNames[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    for (std::size_t i = 0; i < 6; ++i) out.element(kNames[i], link.inertial->inertia[i]);
    out.end();
    out.end();
  }
  for (const Visual& visual : link.visuals) {
    out.start("visual");
    out.attribute("name", visual.name);
    put(out, visual.pose);
    put(out, visual.geometry);
    if (visual.color) {
      out.start("material");
      std::string rgba;
      for (const double component : *visual.color) rgba += (rgba.empty() ? "" : " ") + number_text(component);
      out.element("ambient", rgba);
      out.element("diffuse", rgba);
      out.end();
    }
    out.end();
  }
  for (const Collision& collision : link.collisions) {
    out.start("collision");
    out.attribute("name", collision.name);
    put(out, collision.pose);
    put(out, collision.geometry);
    put_surface(out, collision);
    out.end();
  }
  out.end();
}

void put(xml::Writer& out, std::string_view element, const Axis& axis) {
  out.start(element);
  out.start("xyz");
  if (!axis.expressed_in.empty()) out.attribute("expressed_in", axis.expressed_in);
  out.text(joined(axis.xyz));
  out.end();
  if (axis.lower || axis.upper || axis.effort || axis.velocity) {
    out.start("limit");
    // Both ends are required; these are the schema's own "no limit".
    out.element("lower", axis.lower.value_or(-1e16));
    out.element("upper", axis.upper.value_or(1e16));
    out.element("effort", axis.effort);
    out.element("velocity", axis.velocity);
    out.end();
  }
  if (axis.damping || axis.friction || axis.spring_stiffness || axis.spring_reference) {
    out.start("dynamics");
    out.element("damping", axis.damping);
    out.element("friction", axis.friction);
    out.element("spring_reference", axis.spring_reference.value_or(0));
    out.element("spring_stiffness", axis.spring_stiffness.value_or(0));
    out.end();
  }
  if (axis.mimic) {
    out.start("mimic");
    out.attribute("joint", axis.mimic->joint);
    out.element("multiplier", axis.mimic->multiplier);
    out.element("offset", axis.mimic->offset);
    out.element("reference", axis.mimic->reference);
    out.end();
  }
  out.end();
}

void put(xml::Writer& out, const Joint& joint) {
  out.start("joint");
  out.attribute("name", joint.name);
  out.attribute("type", joint.type);
  put(out, joint.pose, joint.relative_to);
  out.element("parent", joint.parent);
  out.element("child", joint.child);
  if (joint.type != "fixed" && joint.type != "ball") put(out, "axis", joint.axis);
  if (joint.axis2) put(out, "axis2", *joint.axis2);
  out.end();
}

void put(xml::Writer& out, const Model& model) {
  out.start("model");
  out.attribute("name", model.name);
  if (model.is_static) out.element("static", "true");
  if (model.self_collide) out.element("self_collide", "true");
  put(out, model.pose);
  for (const Link& link : model.links) put(out, link);
  for (const Joint& joint : model.joints) put(out, joint);
  for (const Frame& frame : model.frames) {
    out.start("frame");
    out.attribute("name", frame.name);
    out.attribute("attached_to", frame.attached_to);
    put(out, frame.pose, frame.relative_to);
    out.end();
  }
  for (const Model& nested : model.models) put(out, nested);
  for (const Extension& extension : model.extensions) put(out, extension);
  out.end();
}

void put_settings(xml::Writer& out, const World& world) {
  if (world.step) {
    out.start("physics");
    out.attribute("name", "default");
    out.attribute("type", "ignored");
    out.element("max_step_size", *world.step);
    out.element("real_time_factor", 1.0);
    out.element("real_time_update_rate", "0");
    out.end();
  }
  if (!world.geographic) return;
  out.start("spherical_coordinates");
  out.element("surface_model", "EARTH_WGS84");
  out.element("world_frame_orientation", "ENU");
  out.element("latitude_deg", (*world.geographic)[0]);
  out.element("longitude_deg", (*world.geographic)[1]);
  out.element("elevation", 0.0);
  out.element("heading_deg", 0.0);
  out.end();
}

}  // namespace

std::string valid_name(std::string name) {
  for (std::size_t at = name.find("::"); at != std::string::npos; at = name.find("::", at)) name.replace(at, 2, "_");
  while (name.size() >= 4 && name.starts_with("__") && name.ends_with("__")) name.erase(0, 2);
  return name;
}

std::string write_world(const World& world) {
  xml::Writer out;
  out.start("sdf");
  out.attribute("version", "1.9");
  if (!world.extension_prefix.empty()) out.attribute("xmlns:" + world.extension_prefix, world.extension_address);
  out.start("world");
  out.attribute("name", world.name);
  out.element("gravity", joined(world.gravity));
  put_settings(out, world);
  out.start("light");
  out.attribute("type", "directional");
  out.attribute("name", "sun");
  out.element("pose", "0 0 10 0 0 0");
  out.element("diffuse", "0.8 0.8 0.8 1");
  out.element("direction", "-0.5 0.1 -0.9");
  out.end();
  for (const Model& model : world.models) put(out, model);
  for (const Extension& extension : world.extensions) put(out, extension);
  out.end();
  out.end();
  return out.take();
}

std::string write_model(const Model& model) {
  xml::Writer out;
  out.start("sdf");
  out.attribute("version", "1.9");
  put(out, model);
  out.end();
  return out.take();
}

}  // namespace simbatch::sdf
