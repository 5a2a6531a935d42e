// Second differences of quantized poses, smallest-three quaternions (J. Blow's and G. Fiedler's "snapshot compression"): the
// component implied by the other three is omitted.

#include <algorithm>
#include <array>
#include <cmath>

#include "lib/view/blocks.hpp"
#include "lib/view/page.hpp"
#include "lib/view/page_roads.hpp"

namespace simbatch::view::detail {
namespace {

void append_mesh(std::string& to, const scene::PaintedMesh& mesh, geo::Vec3 origin, double step) {
  append_count(to, mesh.points.size());
  append_count(to, mesh.paints.size());
  std::vector<std::int64_t> values;
  for (const auto axis : {&geo::Vec3::x, &geo::Vec3::y, &geo::Vec3::z}) {
    values.clear();
    for (const geo::Vec3& p : mesh.points) values.push_back(quantized(p.*axis - origin.*axis, step));
    append_differences(to, values);
  }
  values.assign(mesh.indices.begin(), mesh.indices.end());
  append_differences(to, values);
  values.assign(mesh.paints.begin(), mesh.paints.end());
  append_differences(to, values);
}

/// The component to omit: the same as in the previous row while it is large enough, so that columns stay smooth.
int left_out(const std::array<double, 4>& q, int before) {
  if (std::abs(q[static_cast<std::size_t>(before)]) > 0.5) return before;
  int largest = 0;
  for (int k = 1; k < 4; ++k)
    if (std::abs(q[static_cast<std::size_t>(k)]) > std::abs(q[static_cast<std::size_t>(largest)])) largest = k;
  return largest;
}

void append_poses(std::string& to, const std::vector<geo::Pose>& poses, geo::Vec3 origin) {
  std::array<std::vector<std::int64_t>, 7> columns;
  int out = 0;
  for (const geo::Pose& pose : poses) {
    columns[0].push_back(quantized(pose.p.x - origin.x, kPoseStep));
    columns[1].push_back(quantized(pose.p.y - origin.y, kPoseStep));
    columns[2].push_back(quantized(pose.p.z - origin.z, kPoseStep));
    const geo::Quat n = geo::normalized(pose.q);
    const std::array<double, 4> q{n.w, n.x, n.y, n.z};
    out = left_out(q, out);
    const double sign = q[static_cast<std::size_t>(out)] < 0 ? -1 : 1;
    columns[3].push_back(out);
    std::size_t column = 4;
    for (int k = 0; k < 4; ++k)
      if (k != out) columns[column++].push_back(quantized(sign * q[static_cast<std::size_t>(k)], 1 / kTurnScale));
  }
  for (const auto& column : columns) append_second_differences(to, column);
}

void append_wheel(std::string& to, const std::vector<WheelSample>& samples) {
  std::vector<std::int64_t> column;
  const auto append_column = [&](double WheelSample::*field, double step) {
    column.clear();
    for (const WheelSample& sample : samples) column.push_back(quantized(sample.*field, step));
    append_second_differences(to, column);
  };
  append_column(&WheelSample::length, kWheelStep);
  append_column(&WheelSample::steering, kWheelStep);
  append_column(&WheelSample::rotation, kSpinStep);
}

}  // namespace

std::string scene_block(const PageWorld& world) {
  const scene::PaintedScene& scene = *world.scene;
  RoadWriter roads(world.appearance->roads);
  std::string bytes;
  for (const scene::FixedFigure& figure : scene.fixed) {
    append_mesh(bytes, figure.mesh, {}, kFixedStep);
    roads.append(bytes, figure.mesh, scene.paints);
  }
  for (const scene::SharedShape& shape : scene.shapes) append_mesh(bytes, shape.mesh, {}, kShapeStep);
  for (const scene::MovingFigure& mover : scene.movers) append_mesh(bytes, mover.mesh, {}, kShapeStep);
  std::array<std::vector<std::int64_t>, 9> columns;  // shape, paint, x, y, z, q
  for (const scene::Instance& instance : scene.instances) {
    const geo::Pose& pose = instance.pose;
    columns[0].push_back(instance.shape);
    columns[1].push_back(instance.first_paint);
    columns[2].push_back(quantized(pose.p.x, kFixedStep));
    columns[3].push_back(quantized(pose.p.y, kFixedStep));
    columns[4].push_back(quantized(pose.p.z, kFixedStep));
    const double q[] = {pose.q.w, pose.q.x, pose.q.y, pose.q.z};
    for (std::size_t k = 0; k < 4; ++k) columns[5 + k].push_back(quantized(q[k], 1 / kTurnScale));
  }
  for (const auto& column : columns) append_differences(bytes, column);
  roads.append_table(bytes);
  return bytes;
}

std::string motion_block(const PageWorld& world) {
  const Motion& motion = *world.motion;
  std::string bytes;
  append_second_differences(bytes, motion.steps);
  for (std::size_t i = 0; i < motion.bodies.size(); ++i) {
    if (motion.bodies[i].empty())
      append_wheel(bytes, motion.wheels[i]);
    else
      append_poses(bytes, motion.bodies[i], {});
  }
  return bytes;
}

bool is_double(const trace::Field& field) {
  if (field.unit == "m/s") return false;  // of GPS sensors, whose frame is that of their places
  return field.type == trace::FieldType::integer || field.frame == "G" || field.unit == "s" || field.unit == "deg";
}

std::string step_block(const trace::Trace& trace) {
  std::string bytes;
  append_second_differences(bytes, trace.steps);
  return bytes;
}

std::vector<ValueBlock> value_blocks(const trace::Trace& trace) {
  std::vector<ValueBlock> blocks;
  for (std::size_t d = 0; d < trace.header.devices.size(); ++d) {
    if (blocks.empty() || blocks.back().bytes.size() > kValueBlock) blocks.push_back({d, {}});
    const trace::Device& device = trace.header.devices[d];
    for (std::size_t f = 0; f < device.fields.size(); ++f) {
      if (device.fields[f].type == trace::FieldType::text) continue;
      const std::vector<double>& numbers = trace.columns[d][f].numbers;
      if (is_double(device.fields[f]))
        append_double_planes(blocks.back().bytes, numbers);
      else
        append_float_planes(blocks.back().bytes, numbers);
    }
  }
  return blocks;
}

std::string text_block(const trace::Trace& trace) {
  std::string bytes;
  for (std::size_t d = 0; d < trace.header.devices.size(); ++d)
    for (std::size_t f = 0; f < trace.header.devices[d].fields.size(); ++f)
      if (trace.header.devices[d].fields[f].type == trace::FieldType::text) append_texts(bytes, trace.columns[d][f].texts);
  return bytes;
}

}  // namespace simbatch::view::detail
