#pragma once
/// Models as AutoSim robots and worlds: right-handed z-up axes become AutoSim's by swapping y and z (base/geo/frames.hpp), and
/// radians become degrees.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/autosim/robot.hpp"
#include "formats/autosim/world.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::robots {

/// True for meshes that are read in our frame, with y up (.dae, .gltf, .glb: scene::read_mesh_file()); the coordinates of others
/// are unchanged.
bool has_y_up(std::string_view mesh);

/// Finds the file of a mesh. Returns its path relative to the file that names it; else reports why and returns nothing.
/// @param name  as written in the file: "meshes/a.stl", "package://pkg/a.stl"
/// @param from  the file that names it, at `at`; empty: the one being converted
using MeshFinder = std::function<std::optional<std::string>(const std::string& name, const std::string& from, Position at)>;

/// A robot, and what the scenario has to specify about it.
struct AutosimRobot {
  autosim::Robot robot;
  std::vector<std::string> fixed;  ///< parts that never move, of a robot that is not an articulation
};
/// Links on fixed joints are merged. A robot whose joints form a tree of revolute and prismatic ones becomes an articulation,
/// whose links do not collide with each other unless the model says so; any other becomes bodies and links. Names are made
/// valid and unique. Reports what is assumed or left out.
AutosimRobot to_autosim(const Model& model, const MeshFinder& find_mesh, Diagnostics& problems);

/// A world and its robots.
struct AutosimWorld {
  autosim::World world;
  std::map<std::string, autosim::Robot> robots;  ///< by the names of the world's entries
  std::vector<std::string> included = {};        ///< paths of the other files that it was read from
  bool is_world = true;                          ///< false: the input was a single robot
};
/// Models that move become robots, static ones fixed objects, a level plane the ground. @param file  for the entries of robots
AutosimWorld to_autosim(const World& world, const std::string& file, const MeshFinder& find_mesh, Diagnostics& problems);

/// Degrees of R = Ry(y) Rx(x) Rz(z).
autosim::Vector3 degrees_of(const geo::Quat& q);
/// Names that are in use.
class UsedNames {
 public:
  /// Derives a valid name for devices and robots (no '.', blank or control character) that is not in use yet, and reserves it.
  std::string add(const std::string& name);

 private:
  std::set<std::string> used_;
  std::map<std::string, int> next_;  // number to try for a name that is in use
};

}  // namespace simbatch::robots
