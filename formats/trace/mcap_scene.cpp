// Foxglove's FrameTransforms and SceneUpdate (https://docs.foxglove.dev/docs/sdk/schemas).
#include "formats/trace/mcap_scene.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "base/core/text.hpp"
#include "base/protobuf/wire.hpp"
#include "formats/trace/mcap_sights.hpp"

namespace simbatch::trace::detail {
namespace {

// x, y up, z north -> x, y north, z up: y and z change places, which mirrors, so that a quaternion's vector changes its sign
// as well.
std::array<double, 3> turned_point(const double* v) { return {v[0], v[2], v[1]}; }
/// @param q  w x y z
std::array<double, 4> turned_rotation(const double* q) { return {negated(q[1]), negated(q[3]), negated(q[2]), q[0]}; }

void write_pose(protobuf::Writer& out, std::uint32_t field, const std::array<double, 3>& position,
                const std::array<double, 4>& rotation) {
  const std::size_t pose = out.open(field);
  out.message_of_numbers(1, turned_point(position.data()));
  out.message_of_numbers(2, turned_rotation(rotation.data()));
  out.close(pose);
}

constexpr double kLineWidth = 3;  // pixels

void write_line(protobuf::Writer& out, const PathModel& path) {
  const std::size_t line = out.open(11);
  write_pose(out, 2, {}, {1, 0, 0, 0});
  out.number(3, kLineWidth);
  out.whole(4, 1);  // whose width is in pixels
  for (const std::array<double, 3>& point : path.points) out.message_of_numbers(5, turned_point(point.data()));
  out.message_of_numbers(6, std::array{path.color[0], path.color[1], path.color[2], 1.0});
  out.close(line);
}

void write_model(protobuf::Writer& out, const SceneModel& each) {
  const std::size_t model = out.open(14);
  write_pose(out, 1, each.position, each.rotation);
  out.message_of_numbers(2, std::array{1.0, 1.0, 1.0});
  out.text(6, "model/gltf-binary");
  out.text(7, each.glb);
  out.close(model);
}

}  // namespace

std::string optical_frame(std::string_view camera) { return valid_utf8(camera) + ".optical"; }

Transforms::Transforms(const std::vector<PoseNode>& nodes, const McapSights& sights) : nodes_(nodes) {
  names_.emplace(kWorldFrame);
  for (const PoseNode& node : nodes_) {
    protobuf::Writer head(heads_.emplace_back());
    head.text(2, kWorldFrame);
    head.text(3, node.name);
    names_.insert(node.name);
  }
  for (const FrameMotion& frame : sights.frames) add(frame);
  // A quarter turn about x: from z forward and y up of the camera to y forward and z up of the file, and from there to z
  // forward and y down.
  constexpr double kHalf = std::numbers::sqrt2 / 2;
  for (const std::string& camera : sights.cameras) add({optical_frame(camera), camera, {{0, 0, 0, kHalf, kHalf, 0, 0}}});
}

void Transforms::add(const FrameMotion& frame) {
  const std::string name = valid_utf8(frame.name), parent = valid_utf8(frame.parent);
  if (frame.poses.empty() || !has(parent) || !names_.insert(name).second) return;
  frames_.push_back(frame.poses);
  protobuf::Writer head(heads_.emplace_back());
  head.text(2, parent);
  head.text(3, name);
}

void Transforms::write(std::string& message, std::vector<std::uint32_t>& parts, std::uint64_t time, std::size_t row,
                       std::span<const double> numbers) {
  timestamp_.clear();
  protobuf::Writer stamp(timestamp_);
  write_timestamp(stamp, 1, time);
  protobuf::Writer out(message);
  parts.clear();
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    const std::vector<std::array<double, 7>>* poses = i < nodes_.size() ? nullptr : &frames_[i - nodes_.size()];
    const double* v = poses == nullptr ? numbers.data() + nodes_[i].place : (*poses)[std::min(row, poses->size() - 1)].data();
    parts.push_back(static_cast<std::uint32_t>(message.size()));
    const std::size_t transform = out.open(1);
    out.raw(timestamp_);
    out.raw(heads_[i]);
    out.message_of_numbers(4, turned_point(v));
    out.message_of_numbers(5, turned_rotation(v + 3));
    out.close(transform);
  }
}

std::string scene_message(std::uint64_t time, const std::vector<SceneModel>& models, const std::vector<PathModel>& paths) {
  std::string message;
  protobuf::Writer out(message);
  const auto open_entity = [&](const std::string& frame, const std::string& id) {
    const std::size_t entity = out.open(2);
    write_timestamp(out, 1, time);
    out.text(2, valid_utf8(frame));
    out.text(3, valid_utf8(id));
    out.whole(5, 1);  // locked to its frame
    return entity;
  };
  for (const SceneModel& each : models) {
    const std::size_t entity = open_entity(each.frame, each.id);
    write_model(out, each);
    out.close(entity);
  }
  for (const PathModel& each : paths) {
    const std::size_t entity = open_entity(std::string(kWorldFrame), each.id);
    write_line(out, each);
    out.close(entity);
  }
  return message;
}

}  // namespace simbatch::trace::detail
