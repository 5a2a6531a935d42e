// The XML of GraspIt! versions after 2.1.
#include <numbers>

#include "base/xml/xml.hpp"
#include "formats/graspit/parse.hpp"

namespace simbatch::graspit {
namespace {

using namespace detail;

void put(xml::Writer& out, std::string_view name, std::span<const double> values) {
  std::string text;
  append_values(text, values);
  out.element(name, text);
}

void put(xml::Writer& out, const Transform& transform) {
  out.start("transform");
  for (const TransformStep& step : transform) {
    switch (step.kind) {
      case TransformStep::Kind::translation: put(out, "translation", std::span<const double>(step.position)); break;
      case TransformStep::Kind::degrees:
      case TransformStep::Kind::radians:
        out.element("rotation",
                    number_text(step.kind == TransformStep::Kind::degrees ? step.angle : step.angle * 180 / std::numbers::pi) +
                        " " + step.axis);
        break;
      case TransformStep::Kind::matrix: put(out, "rotationMatrix", std::span<const double>(*step.rows)); break;
      case TransformStep::Kind::full: {
        std::string text = "(";
        append_values(text, step.quaternion);
        text += ")[";
        append_values(text, step.position);
        out.element("fullTransform", text + "]");
        break;
      }
    }
  }
  out.end();
}

void put_body(xml::Writer& out, std::string_view element, const Body& body) {
  out.start(element);
  if (body.material) out.element("material", *body.material);
  out.element("mass", body.mass);
  if (body.cog) put(out, "cog", std::span<const double>(*body.cog));
  if (body.inertia) put(out, "inertia_matrix", std::span<const double>(*body.inertia));
  out.element("youngs", body.youngs);
  if (body.flock_of_birds) out.element("useFlockOfBirds", *body.flock_of_birds);
  out.start("geometryFile");
  if (!body.geometry_type.empty()) out.attribute("type", body.geometry_type);
  out.text(body.geometry_file);
  out.end();
  if (body.scaling) {
    const Vector3& s = *body.scaling;
    if (s[0] == s[1] && s[1] == s[2]) {
      out.element("geometryScaling", s[0]);
    } else {
      out.element("geometryScalingX", s[0]);
      out.element("geometryScalingY", s[1]);
      out.element("geometryScalingZ", s[2]);
    }
  }
  if (!body.geometry_offset.empty()) {
    out.start("geometryOffset");
    put(out, body.geometry_offset);
    out.end();
  }
  if (!body.transform.empty()) put(out, body.transform);
  out.element("normalCompliance", body.normal_compliance);
  out.element("shearCompliance", body.shear_compliance);
  out.end();
}

void put_dof(xml::Writer& out, const Dof& dof) {
  out.start("dof");
  out.attribute("type", std::string(1, static_cast<char>(dof.kind)));
  out.element("defaultVelocity", dof.velocity);
  out.element("maxEffort", dof.max_effort);
  out.element("Kp", dof.kp);
  out.element("Kd", dof.kd);
  out.element("draggerScale", dof.dragger_scale);
  out.element("breakAwayTorque", dof.breakaway_torque);
  out.element("defaultValue", dof.default_value);
  out.end();
}

void put_joint(xml::Writer& out, const Joint& joint) {
  out.start("joint");
  out.attribute("type", joint.prismatic ? "Prismatic" : "Revolute");
  const std::string variable = equation_text(joint.variable);
  out.element("theta", joint.prismatic ? number_text(joint.theta) : variable);
  out.element("d", joint.prismatic ? variable : number_text(joint.d));
  out.element("a", joint.a);
  out.element("alpha", joint.alpha);
  out.element("minValue", joint.min);
  out.element("maxValue", joint.max);
  out.element("viscousFriction", joint.viscous);
  out.element("CoulombFriction", joint.coulomb);
  out.element("springStiffness", joint.stiffness);
  out.element("restValue", joint.rest);
  out.end();
}

void put_chain(xml::Writer& out, const Chain& chain) {
  out.start("chain");
  put(out, chain.base);
  for (const Joint& joint : chain.joints) put_joint(out, joint);
  for (const Link& link : chain.links) {
    out.start("link");
    out.attribute("dynamicJointType", to_text(link.kind));
    for (const auto& attribute : link.attributes) out.attribute(attribute.first, attribute.second);
    out.text(link.file);
    out.end();
  }
  out.end();
}

/// Contact of a tendon with a link, from its points and wrappers.
void put_contact(xml::Writer& out, std::int64_t chain, std::int64_t link, const Vector3& position) {
  out.element("chain", number_text(chain));
  out.element("link", number_text(link));
  put(out, "position", std::span<const double>(position));
}

void put_tendons(xml::Writer& out, const Robot& robot) {
  for (const Tendon& tendon : robot.tendons) {
    out.start("tendon");
    out.attribute("name", tendon.name);
    for (const Tendon::Point& point : tendon.points) {
      out.start("insertionPoint");
      put_contact(out, point.chain, point.link, point.position);
      out.end();
    }
    out.end();
  }
  for (const TendonWrapper& wrapper : robot.wrappers) {
    out.start("tendonWrapper");
    put_contact(out, wrapper.chain, wrapper.link, wrapper.position);
    put(out, "orientation", std::span<const double>(wrapper.orientation));
    out.element("radius", wrapper.radius);
    out.end();
  }
}

}  // namespace

std::string write_body_xml(const Body& body) {
  xml::Writer out;
  put_body(out, "root", body);
  return out.take();
}

std::string write_robot_xml(const Robot& robot) {
  xml::Writer out;
  out.start("robot");
  out.attribute("type", robot.class_name);
  out.element("palm", robot.palm);
  for (const Dof& dof : robot.dofs) put_dof(out, dof);
  for (const Chain& chain : robot.chains) put_chain(out, chain);
  if (robot.approach) {
    out.start("approachDirection");
    put(out, "referenceLocation", std::span<const double>(robot.approach->point));
    put(out, "direction", std::span<const double>(robot.approach->direction));
    out.end();
  }
  if (!robot.eigen_grasps.empty()) out.element("eigenGrasps", robot.eigen_grasps);
  if (robot.flock_of_birds) {
    out.start("flockOfBirds");
    out.attribute("number", robot.flock_of_birds->number);
    put(out, robot.flock_of_birds->transform);
    out.end();
  }
  if (!robot.virtual_contacts.empty()) out.element("virtualContacts", robot.virtual_contacts);
  if (!robot.cyber_glove.empty()) out.element("cyberGlove", robot.cyber_glove);
  put_tendons(out, robot);
  out.end();
  return out.take();
}

std::string write_world_xml(const World& world) {
  xml::Writer out;
  out.start("world");
  for (const WorldBody& body : world.bodies) {
    out.start(body.obstacle ? "obstacle" : "graspableBody");
    if (body.inline_body)
      put_body(out, "body", *body.inline_body);
    else
      out.element("filename", body.file);
    put(out, body.transform);
    out.end();
  }
  for (const WorldRobot& robot : world.robots) {
    out.start("robot");
    out.element("filename", robot.file);
    put(out, "dofValues", std::span<const double>(robot.dof_values));
    put(out, robot.transform);
    out.end();
  }
  for (const Connection& c : world.connections) {
    out.start("connection");
    out.element("parentRobot", number_text(c.parent_robot));
    out.element("parentChain", number_text(c.parent_chain));
    out.element("childRobot", number_text(c.child_robot));
    if (!c.mount.empty()) out.element("mountFilename", c.mount);
    put(out, c.transform);
    out.end();
  }
  if (world.camera) {
    out.start("camera");
    put(out, "position", std::span<const double>(world.camera->position));
    put(out, "orientation", std::span<const double>(world.camera->orientation));
    out.element("focalDistance", world.camera->focal_distance.value_or(100));
    out.end();
  }
  out.end();
  return out.take();
}

}  // namespace simbatch::graspit
