#include "lib/serve/foxglove_channels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <span>

#include "base/image/png.hpp"
#include "base/json/write_json.hpp"
#include "lib/serve/foxglove_messages.hpp"
#include "lib/sim/device/image_source.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/view/blocks.hpp"

namespace simbatch::serve::foxglove {
namespace {

using geo::Pose;
using geo::Vec3;

constexpr double kPictureTime = 0.2;  // s
constexpr std::string_view kWorld = "world";

// x, y up, z north -> x, y north, z up: y and z change places, which mirrors, so that a quaternion's vector changes its sign as
// well.
void write_vector(json::Writer& out, Vec3 v) { out.open_object().member("x", v.x).member("y", v.z).member("z", v.y).close(); }
geo::Quat turned(geo::Quat q) { return {q.w, -q.x, -q.z, -q.y}; }
/// No pose of its own.
void write_no_pose(json::Writer& out) {
  out.key("pose").raw(R"({"position":{"x":0,"y":0,"z":0},"orientation":{"x":0,"y":0,"z":0,"w":1}})");
}
void write_time(json::Writer& out, const char* key, std::uint64_t ns) { out.key(key).raw(time_json(ns)); }

std::string topic_of(std::string_view name) {
  std::string topic = "/" + std::string(name);
  std::replace(topic.begin(), topic.end(), '.', '/');
  return topic;
}

/// Values of a node, as in the tree.
std::string node_message(const sim::Simulation& simulation, const sim::TreeNode& node) {
  json::Writer out;
  out.open_object();
  write_time(out, "timestamp", time_of(simulation));
  const std::span<const double> values = node.values();
  std::size_t number = 0;
  for (std::size_t field = 0; field < node.type().fields.size(); ++field) {
    const sim::Field& each = node.type().fields[field];
    if (each.type == sim::FieldType::text) {
      std::string text;
      node.text(field, values, text);
      out.member(each.name, text);
    } else {
      out.member(each.name, values[number++]);
    }
  }
  return out.close().text();
}

std::string node_schema(const sim::NodeType& type) {
  json::Writer out;
  out.open_object().member("title", "simbatch." + type.kind).member("type", "object").key("properties").open_object();
  out.key("timestamp")
      .raw(R"({"type":"object","title":"time","properties":{"sec":{"type":"integer"},"nsec":{"type":"integer"}}})");
  for (const sim::Field& field : type.fields) {
    const bool is_text = field.type == sim::FieldType::text;
    out.key(field.name).open_object().member("type", is_text ? "string" : "number");
    std::string what = field.unit == "1" ? std::string() : field.unit;
    if (!field.frame.empty()) what += (what.empty() ? "frame " : ", frame ") + field.frame;
    if (!what.empty()) out.member("description", what);
    out.close();
  }
  return out.close().close().text();
}

/// Pose of a wheel in its chassis: as in lib/view.
Pose hub_of(const physics::World& world, const scene::MovingFigure& mover) {
  const physics::WheelState wheel = world.wheel(mover.vehicle, mover.wheel);
  const Vec3 at = world.vehicle(mover.vehicle).wheels[mover.wheel].position;
  return {at - Vec3{0, wheel.suspension_length, 0},
          geo::rotation({0, 1, 0}, wheel.steering) * geo::rotation({1, 0, 0}, wheel.rotation)};
}

void write_transform(json::Writer& out, std::uint64_t now, std::string_view parent, std::string_view child, Vec3 p,
                     geo::Quat q) {
  out.open_object();
  write_time(out, "timestamp", now);
  out.member("parent_frame_id", parent).member("child_frame_id", child).key("translation");
  write_vector(out, p);
  out.key("rotation").open_object().member("x", q.x).member("y", q.y).member("z", q.z).member("w", q.w).close().close();
}

/// Poses of bodies and wheels, and of cameras: their frames there have z forward and y down.
std::string transforms(const view::BuiltView& view) {
  const sim::Simulation& simulation = *view.built.simulation;
  const physics::World& world = simulation.world();
  const std::uint64_t now = time_of(simulation);
  json::Writer out;
  out.open_object().key("transforms").open_array();
  for (const scene::MovingFigure& mover : view.scene.movers) {
    const bool is_body = mover.body != physics::kNoBody;
    const Pose pose = is_body ? world.pose(mover.body) : hub_of(world, mover);
    write_transform(out, now, is_body ? std::string(kWorld) : world.name(world.chassis(mover.vehicle)),
                    view::mover_name(simulation, mover), pose.p, turned(pose.q));
  }
  for (const sim::vision::ImagingCamera& camera : view.built.cameras->cameras()) {
    const std::span<const double> pose = camera.node->values();
    const double quarter = std::sqrt(0.5);  // 90 degrees about x: from z up to z forward
    const geo::Quat q = turned({pose[3], pose[4], pose[5], pose[6]}) * geo::Quat{quarter, -quarter, 0, 0};
    write_transform(out, now, kWorld, camera.node->name(), {pose[0], pose[1], pose[2]}, q);
  }
  return out.close().close().text();
}

void write_entity(json::Writer& out, std::uint64_t now, std::string_view frame, std::string_view id, const gltf::Asset& asset) {
  const std::string bytes = gltf::write_glb(asset);
  if (bytes.empty()) return;
  out.open_object();
  write_time(out, "timestamp", now);
  out.member("frame_id", frame).member("id", id);
  write_time(out, "lifetime", 0);
  out.member("frame_locked", true);
  for (const char* none : {"metadata", "arrows", "cubes", "spheres", "cylinders", "lines", "triangles", "texts"})
    out.key(none).open_array().close();
  out.key("models").open_array().open_object();
  write_no_pose(out);
  out.key("scale").open_object().member("x", 1).member("y", 1).member("z", 1).close();
  out.key("color").open_object().member("r", 1).member("g", 1).member("b", 1).member("a", 1).close();
  out.member("override_color", false).member("url", "").member("media_type", "model/gltf-binary");
  out.member("data", view::base64(bytes)).close().close().close();
}

/// Everything visible, sent once: all static objects as one model, and each body and wheel as a model in its own frame.
std::string scene_update(const view::BuiltView& view) {
  const sim::Simulation& simulation = *view.built.simulation;
  const std::uint64_t now = time_of(simulation);
  json::Writer out;
  out.open_object().key("deletions").open_array().close().key("entities").open_array();
  write_entity(out, now, kWorld, kWorld, view::fixed_asset(view.scene, simulation));
  for (const scene::MovingFigure& mover : view.scene.movers) {
    const std::string name = view::mover_name(simulation, mover);
    write_entity(out, now, name, name, view::figure_asset(view.scene, simulation, mover));
  }
  return out.close().close().text();
}

/// The end points of a sensor's rays, in the frame of its part; rays without a hit are left out.
std::string points(const sim::Simulation& simulation, const scene::RayAppearance& rays) {
  const std::span<const double> distances = rays.node->values();
  std::string bytes;
  for (std::size_t i = 0; i < rays.directions.size() && i < distances.size(); ++i) {
    if (!(distances[i] < rays.far)) continue;
    const Vec3 p = rays.position + distances[i] * rays.directions[i];
    for (const double v : {p.x, p.z, p.y}) {
      const auto narrow = static_cast<float>(v);
      char four[sizeof narrow];
      std::memcpy(four, &narrow, sizeof narrow);
      bytes.append(four, sizeof narrow);
    }
  }
  constexpr int kFloat32 = 7;
  json::Writer out;
  out.open_object();
  write_time(out, "timestamp", time_of(simulation));
  out.member("frame_id", rays.part->name());
  write_no_pose(out);
  out.member("point_stride", 12).key("fields").open_array();
  for (int i = 0; i < 3; ++i)
    out.open_object().member("name", std::string(1, "xyz"[i])).member("offset", 4 * i).member("type", kFloat32).close();
  return out.close().member("data", view::base64(bytes)).close().text();
}

std::string location(const sim::Simulation& simulation, const sim::TreeNode& node) {
  const std::span<const double> values = node.values();
  json::Writer out;
  out.open_object();
  write_time(out, "timestamp", time_of(simulation));
  out.member("frame_id", node.parent()->name())
      .member("latitude", values[0])
      .member("longitude", values[1])
      .member("altitude", 0);
  out.key("position_covariance").open_array();
  for (int i = 0; i < 9; ++i) out.value(0);
  return out.close().member("position_covariance_type", 0).close().text();
}

/// A picture, from upper left to lower right.
std::string picture(const sim::Simulation& simulation, sim::ImageSource& source, const sim::TreeNode& camera) {
  const auto size = source.image_size(camera);
  std::vector<std::uint32_t> pixels(size->pixels());
  source.render(camera, pixels);
  json::Writer out;
  out.open_object();
  write_time(out, "timestamp", time_of(simulation));
  out.member("frame_id", camera.name())
      .member("data", view::base64(image::to_png(image::image_of(size->width, size->height, pixels))));
  return out.member("format", "png").close().text();
}

std::string calibration(const sim::Simulation& simulation, const sim::vision::ImagingCamera& camera) {
  const double cx = camera.width / 2.0, cy = camera.height / 2.0, f = cy / std::tan(camera.field_of_view / 2);
  json::Writer out;
  out.open_object();
  write_time(out, "timestamp", time_of(simulation));
  out.member("frame_id", camera.node->name()).member("width", camera.width).member("height", camera.height);
  out.member("distortion_model", "plumb_bob");
  const auto list = [&out](const char* key, std::initializer_list<double> values) {
    out.key(key).open_array();
    for (const double value : values) out.value(value);
    out.close();
  };
  list("D", {0, 0, 0, 0, 0});
  list("K", {f, 0, cx, 0, f, cy, 0, 0, 1});
  list("R", {1, 0, 0, 0, 1, 0, 0, 0, 1});
  list("P", {f, 0, cx, 0, 0, f, cy, 0, 0, 0, 1, 0});
  return out.close().text();
}

bool is_place_on_earth(const sim::NodeType& type) {
  return type.fields.size() >= 2 && type.fields[0].name == "latitude" && type.fields[1].name == "longitude";
}

class Builder {
 public:
  explicit Builder(const view::BuiltView& view) : view_(view), simulation_(*view.built.simulation) {}

  std::vector<Channel> build(const std::vector<const sim::TreeNode*>& nodes) {
    add("/tf", "foxglove.FrameTransforms", [this_view = &view_] { return transforms(*this_view); });
    add("/scene", "foxglove.SceneUpdate", [this_view = &view_] { return scene_update(*this_view); }).once = true;
    const sim::Simulation* simulation = &simulation_;
    for (const sim::TreeNode* node : nodes) {
      const sim::NodeType& type = node->type();
      made_.push_back({topic_of(node->name()), "simbatch." + type.kind, node_schema(type),
                       [simulation, node] { return node_message(*simulation, *node); }});
      if (is_place_on_earth(type))
        add(topic_of(node->name()) + "/location", "foxglove.LocationFix",
            [simulation, node] { return location(*simulation, *node); });
    }
    sim::vision::Cameras* cameras = view_.built.cameras;
    for (const scene::RayAppearance& rays : cameras->renderer().appearance().rays)
      add(topic_of(rays.node->name()) + "/points", "foxglove.PointCloud",
          [simulation, each = &rays] { return points(*simulation, *each); });
    for (const sim::vision::ImagingCamera& camera : cameras->cameras()) {
      const std::string topic = topic_of(camera.node->name());
      add(topic + "/image", "foxglove.CompressedImage", [simulation, cameras, node = camera.node] {
        return picture(*simulation, *cameras, *node);
      }).least_time = kPictureTime;
      add(topic + "/calibration", "foxglove.CameraCalibration", [simulation, each = &camera] {
        return calibration(*simulation, *each);
      }).once = true;
    }
    return std::move(made_);
  }

 private:
  Channel& add(std::string topic, std::string_view schema, std::function<std::string()> message) {
    return made_.emplace_back(
        Channel{std::move(topic), std::string(schema), std::string(known_schema(schema)), std::move(message), false, 0});
  }

  const view::BuiltView& view_;
  const sim::Simulation& simulation_;
  std::vector<Channel> made_;
};

}  // namespace

std::vector<Channel> channels_of(const view::BuiltView& view, const std::vector<const sim::TreeNode*>& nodes) {
  return Builder(view).build(nodes);
}

Channel log_channel() { return {"/log", "foxglove.Log", std::string(known_schema("foxglove.Log")), {}, false, 0}; }

std::string log_message(std::uint64_t ns, int level, std::string_view name, std::string_view text) {
  json::Writer out;
  out.open_object();
  write_time(out, "timestamp", ns);
  return out.member("level", level)
      .member("message", text)
      .member("name", name)
      .member("file", "")
      .member("line", 0)
      .close()
      .text();
}

std::uint64_t time_of(const sim::Simulation& simulation) {
  const double seconds = std::max(0.0, simulation.clock().time);
  const auto start = static_cast<std::uint64_t>(std::max<std::int64_t>(0, simulation.settings().start_unix));
  return start * 1'000'000'000 + static_cast<std::uint64_t>(std::llround(seconds * 1e9));
}

std::string advertisement(const std::vector<Channel>& channels) {
  json::Writer out;
  out.open_object().member("op", "advertise").key("channels").open_array();
  for (std::size_t i = 0; i < channels.size(); ++i) {
    out.open_object().member("id", i + 1).member("topic", channels[i].topic).member("encoding", "json");
    out.member("schemaName", channels[i].schema_name).member("schema", channels[i].schema);
    out.member("schemaEncoding", "jsonschema").close();
  }
  return out.close().close().text();
}

}  // namespace simbatch::serve::foxglove
