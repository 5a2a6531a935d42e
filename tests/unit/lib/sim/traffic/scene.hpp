#pragma once
/// What the tests of traffic build their scenes of: objects, a network of one lane, a flat world.

#include <string>
#include <utility>
#include <vector>

#include "formats/cajunbot/cajunbot.hpp"

namespace simbatch::test {

/// An autonomous object of 1.7 x 3.68 x 2.16 m on four wheels, at rest at the origin.
inline cajunbot::Object small_car(int wheel_type = 1) {
  cajunbot::Object o;
  o.type = cajunbot::Type::autonomous;
  o.size = {1.7, 3.68, 2.16};
  o.wheel_type = wheel_type;
  o.wheel_radius = 0.38;
  o.wheel_width = 0.2;
  o.throttle_rate = 2;
  o.lever_rate = 0.5;
  return o;
}

/// A dynamic object of 2 x 4 x 1.5 m that goes from waypoint 1.1.1 to these goals.
inline cajunbot::Object mover(std::vector<cajunbot::Goal> goals) {
  cajunbot::Object o;
  o.type = cajunbot::Type::dynamic;
  o.controller = cajunbot::Controller::waypoint;
  o.start = {1, 1, 1};
  o.size = {2, 4, 1.5};
  o.goals = std::move(goals);
  return o;
}

/// A network of lane 1.1 alone. @param places  "latitude longitude" of its waypoints, degrees
inline std::string one_lane(const std::vector<std::string>& places) {
  std::string points;
  std::size_t count = 0;
  for (const std::string& place : places) points += "1.1." + std::to_string(++count) + " " + place + "\n";
  return "RNDF_name n\nnum_segments 1\nnum_zones 0\nsegment 1\nnum_lanes 1\nlane 1.1\nnum_waypoints " + std::to_string(count) +
         "\n" + points + "end_lane\nend_segment\nend_file\n";
}

/// A World of flat ground and these Objects, which begin on the file's second line. @param step  s
inline std::string flat_world(const std::string& objects, const char* step = "0.005") {
  return std::string(R"(<World name="w"><Physics><Engine name="e"><StepSize value=")") + step +
         "\"/></Engine></Physics><Terrain><Plane name=\"ground\"/></Terrain>\n<Objects>" + objects + "</Objects></World>";
}

}  // namespace simbatch::test
