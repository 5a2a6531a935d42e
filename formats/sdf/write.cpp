// SDFormat 1.9 as accepted by libsdformat 12.
#include "base/core/number.hpp"
#include "base/xml/xml.hpp"
#include "formats/sdf/sdf.hpp"

namespace simbatch::sdf {
namespace {

std::string joined(const Vector& v) { return number_text(v[0]) + " " + number_text(v[1]) + " " + number_text(v[2]); }

void put(xml::Writer& out, const Pose& pose) {
  if (!(pose == Pose{})) out.element("pose", joined(pose.xyz) + " " + joined(pose.rpy));
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
  put(out, link.pose);
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
    out.start("material");
    std::string rgba;
    for (const float c : visual.color)
      rgba += number_text(static_cast<double>(static_cast<int>(c * 255.0F + 0.5F)) / 255) + " ";
    out.element("ambient", rgba + "1");
    out.element("diffuse", rgba + "1");
    out.end();
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

void put(xml::Writer& out, const Joint& joint) {
  out.start("joint");
  out.attribute("name", joint.name);
  out.attribute("type", joint.type);
  put(out, joint.pose);
  out.element("parent", joint.parent);
  out.element("child", joint.child);
  if (joint.type != "fixed" && joint.type != "ball") {
    out.start("axis");
    out.element("xyz", joined(joint.axis));
    if (joint.limits || joint.effort || joint.velocity) {
      out.start("limit");
      // Both ends are required; these are the schema's own "no limit".
      out.element("lower", joint.limits ? (*joint.limits)[0] : -1e16);
      out.element("upper", joint.limits ? (*joint.limits)[1] : 1e16);
      out.element("effort", joint.effort);
      out.element("velocity", joint.velocity);
      out.end();
    }
    if (joint.damping || joint.friction || joint.spring_stiffness || joint.spring_reference) {
      out.start("dynamics");
      out.element("damping", joint.damping);
      out.element("friction", joint.friction);
      out.element("spring_reference", joint.spring_reference.value_or(0));
      out.element("spring_stiffness", joint.spring_stiffness.value_or(0));
      out.end();
    }
    out.end();
  }
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
