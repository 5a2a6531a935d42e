// Writes .wld files in the format of GraspIt! 2.1.0.
#include "formats/graspit/parse.hpp"

namespace simbatch::graspit {

using namespace detail;

std::string write_wld(const World& world) {
  std::string out = "#" + world.head + "\n";
  const auto transform = [&out](const Transform& steps) {
    append_transform(out, steps);
    out += '\n';  // the reader consumes one more line after a transform
  };
  for (const WorldBody& body : world.bodies) {
    out += body.obstacle ? "Obstacle\n" : "GraspableBody\n";
    out += body.file + "\n";
    if (body.obstacle) out += (body.material.empty() ? "wood" : body.material) + "\n";
    transform(body.transform);
  }
  for (const WorldRobot& robot : world.robots) {
    out += "Robot\n" + robot.file + "\n";
    append_values(out, robot.dof_values);
    out += '\n';
    transform(robot.transform);
  }
  for (const Connection& c : world.connections) {
    out += "Connection\n" + number_text(c.parent_robot) + " " + number_text(c.parent_chain) + " " + number_text(c.child_robot) +
           "\n" + c.mount + "\n";
    transform(c.transform);
  }
  if (world.camera) {
    const Camera& camera = *world.camera;
    out += camera.focal_distance ? "CameraFull\n" : "Camera\n";
    append_values(out, camera.position);
    out += ' ';
    append_values(out, camera.orientation);
    if (camera.focal_distance) {
      out += ' ';
      append_number(out, *camera.focal_distance);
    }
    out += '\n';
  }
  return out;
}

}  // namespace simbatch::graspit
