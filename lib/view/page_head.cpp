#include <algorithm>

#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "base/json/write_json.hpp"
#include "lib/sim/scene/tessellate.hpp"
#include "lib/view/blocks.hpp"
#include "lib/view/page.hpp"

namespace simbatch::view::detail {
namespace {

void write_vector(json::Writer& out, geo::Vec3 v) { out.open_array().value(v.x).value(v.y).value(v.z).close(); }
void write_pose(json::Writer& out, const geo::Pose& pose) {
  out.open_array().value(pose.p.x).value(pose.p.y).value(pose.p.z);
  out.value(pose.q.w).value(pose.q.x).value(pose.q.y).value(pose.q.z).close();
}
/// To four decimals: enough for colors and heights.
double rounded(float x) { return static_cast<double>(quantized(double{x}, 1e-4)) / 1e4; }
void write_color(json::Writer& out, scene::Rgb c) {
  for (const float x : {c.r, c.g, c.b}) out.value(rounded(x));
}

void write_run(json::Writer& out, const trace::Trace& trace) {
  const trace::Header& header = trace.header;
  out.member("generator", header.generator).member("scenario", header.scenario).member("seed", number_text(header.seed));
  out.member("dt", header.dt).member("every", header.every).member("requested", header.steps);
  out.member("engine", header.engine).member("rows", trace.steps.size());
  out.key("end");
  if (trace.end) {
    out.open_object().member("outcome", trace.end->outcome).member("message", trace.end->message);
    out.member("steps", trace.end->steps).member("time", trace.end->time);
    out.member("hash", hex64(trace.end->state_hash)).close();
  } else {
    out.null();
  }
  out.key("inputs").open_array();
  for (const trace::InputFile& file : header.inputs) out.open_array().value(file.name).value(file.digest).close();
  out.close();
}

void write_nodes(json::Writer& out, const trace::Trace& trace) {
  out.key("nodes").open_array();
  for (const trace::Device& device : trace.header.devices) {
    out.open_object().member("name", device.name).member("kind", device.kind).key("fields").open_array();
    for (const trace::Field& field : device.fields) {
      out.open_array().value(field.name).value(field.unit).value(field.frame);
      out.value(field.type == trace::FieldType::text ? "text" : is_double(field) ? "double" : "float").close();
    }
    out.close().close();
  }
  out.close();
}

/// Strips the folder from every path that starts with it.
std::string without(std::string text, const std::string& folder) {
  if (folder.empty()) return text;
  for (std::size_t at = text.find(folder + "/"); at != std::string::npos; at = text.find(folder + "/", at))
    text.erase(at, folder.size() + 1);
  return text;
}

/// Relative to the folder; only the name for files elsewhere.
std::string shown_file(const std::string& file, const std::string& folder) {
  std::string shown = without(file, folder);
  return shown.starts_with('/') ? shown.substr(shown.rfind('/') + 1) : shown;
}

void write_problems(json::Writer& out, const Diagnostics& problems, const std::string& folder) {
  out.key("messages").open_array();
  for (const Diagnostic& problem : problems.items()) {
    out.open_object().member("severity", to_text(problem.severity)).member("code", std::string(problem.code));
    out.member("text", without(problem.message, folder))
        .member("file", shown_file(problem.file, folder))
        .member("line", problem.at.line)
        .close();
  }
  out.close();
}

void write_paints(json::Writer& out, const std::vector<scene::Paint>& paints) {
  out.key("paints").open_array();
  for (const scene::Paint& paint : paints) {
    out.open_array().value(static_cast<int>(paint.material));
    write_color(out, paint.color);
    write_color(out, paint.second);
    out.value(rounded(paint.base)).value(rounded(paint.floor_height)).value(rounded(paint.windows)).close();
  }
  out.close();
}

/// The collision shapes of a body, each with its pose in the body; hulls and meshes as triangles.
void write_shapes(json::Writer& out, const physics::World& world, physics::BodyId body) {
  out.key("shapes").open_array();
  const std::vector<physics::Part> parts = world.parts(body);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const physics::TriangleMesh mesh = std::holds_alternative<physics::ConvexHull>(parts[i].shape)
                                           ? world.hull_surface(body, i)
                                           : scene::triangles_of(parts[i].shape, 16);
    constexpr std::size_t kMax = 20'000;  // collision models with more triangles are not drawn as wireframes
    if (mesh.indices.size() > 3 * kMax) continue;
    out.open_object().key("points").open_array();
    for (const geo::Vec3& p : mesh.points) {
      const geo::Vec3 at = parts[i].pose * p;
      for (const double v : {at.x, at.y, at.z}) out.value(static_cast<double>(quantized(v, 1e-4)) / 1e4);
    }
    out.close().key("indices").open_array();
    for (const std::uint32_t index : mesh.indices) out.value(index);
    out.close().close();
  }
  out.close();
}

void write_mover(json::Writer& out, const PageWorld& world, const scene::MovingFigure& mover) {
  const physics::World& physics = world.simulation->world();
  out.open_object().member("name", mover_name(*world.simulation, mover)).member("radius", mover.radius);
  if (mover.body != physics::kNoBody) {
    write_shapes(out, physics, mover.body);
  } else {
    const physics::WheelSettings& wheel = physics.vehicle(mover.vehicle).wheels[mover.wheel];
    out.key("wheel").open_object().member("chassis", physics.name(physics.chassis(mover.vehicle)));
    out.key("position");
    write_vector(out, wheel.position);
    out.member("radius", wheel.radius).close();
  }
  out.close();
}

void write_devices(json::Writer& out, const PageWorld& world) {
  out.key("cameras").open_array();
  for (const WorldCamera& camera : world.cameras) {
    out.open_object().member("name", camera.name).member("body", world.simulation->world().name(camera.body)).key("pose");
    write_pose(out, camera.pose);
    out.member("fov", camera.field_of_view).member("aspect", camera.aspect).close();
  }
  out.close().key("lights").open_array();
  for (const scene::LightAppearance& light : world.appearance->lights) {
    out.open_object().member("name", light.node->name()).member("part", light.part->name()).key("position");
    write_vector(out, light.position);
    out.key("direction");
    write_vector(out, light.direction);
    out.member("cosine", light.cos_half_angle).key("color");
    write_vector(out, light.color);
    out.close();
  }
  out.close().key("rays").open_array();
  for (const scene::RayAppearance& rays : world.appearance->rays) {
    out.open_object().member("name", rays.node->name()).member("part", rays.part->name()).key("position");
    write_vector(out, rays.position);
    out.member("far", rays.far).key("directions").open_array();
    for (const geo::Vec3& d : rays.directions)
      for (const double v : {d.x, d.y, d.z}) out.value(static_cast<double>(quantized(v, 1e-4)) / 1e4);
    out.close().close();
  }
  out.close();
}

void write_world(json::Writer& out, const PageWorld& world) {
  const scene::PaintedScene& scene = *world.scene;
  out.key("world").open_object().member("name", world.name);
  out.key("fixed").open_array();
  for (const scene::FixedFigure& figure : scene.fixed) out.value(scene::name_of(figure, world.simulation->world()));
  out.close();
  out.member("shapes", scene.shapes.size()).member("instances", scene.instances.size());
  // Names of the bodies that instances belong to, run-length encoded.
  out.key("owners").open_array();
  for (std::size_t i = 0; i < scene.instances.size();) {
    std::size_t end = i;
    while (end < scene.instances.size() && scene.instances[end].body == scene.instances[i].body) ++end;
    out.open_array().value(world.simulation->world().name(scene.instances[i].body)).value(end - i).close();
    i = end;
  }
  out.close();
  out.key("materials").open_array();
  for (const std::string_view name : scene::kMaterialNames) out.value(name);
  out.close();
  write_paints(out, scene.paints);
  out.key("movers").open_array();
  for (const scene::MovingFigure& mover : scene.movers) write_mover(out, world, mover);
  out.close();
  out.member("motionRows", world.motion->steps.size());
  out.member("plain", scene.plain_y).member("plainIsGround", scene.plain_is_ground).member("water", scene.water_y);
  write_devices(out, world);
  out.close();
}

}  // namespace

std::string page_head(const PageInput& input, const std::vector<std::size_t>& first_devices) {
  json::Writer out;
  out.open_object().member("format", 1);
  write_run(out, *input.trace);
  write_nodes(out, *input.trace);
  out.key("blocks").open_array();
  for (const std::size_t first : first_devices) out.value(first);
  out.close();
  if (input.problems != nullptr) write_problems(out, *input.problems, input.folder);
  write_expectations(out, input.expectations);
  out.key("fixedStep").value(kFixedStep).member("shapeStep", kShapeStep).member("poseStep", kPoseStep);
  out.member("wheelStep", kWheelStep).member("spinStep", kSpinStep).member("turnScale", kTurnScale);
  if (input.world) write_world(out, *input.world);
  out.close();
  // Must not contain anything that ends the enclosing script element or begins a comment.
  std::string text;
  text.reserve(out.text().size());
  for (const char c : out.text())
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

}  // namespace simbatch::view::detail
