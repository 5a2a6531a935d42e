#pragma once
/// Loads GraspIt! bodies, robots and worlds with all files they refer to, in SI units: the basis of conversions, pictures and
/// the simulation. Frames stay GraspIt!'s: right-handed, z up.

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/core/input.hpp"
#include "base/geo/pose.hpp"
#include "formats/graspit/graspit.hpp"
#include "formats/inventor/inventor.hpp"
#include "lib/grasp/to_si.hpp"

namespace simbatch::grasp {

/// A body: its mesh in meters in the body's frame, and mass properties, given or computed.
struct GraspBody {
  std::string name;       ///< the file's, without folder and suffix
  std::string file;       ///< the geometry's
  std::string described;  ///< the file that gives mass and material: the XML, or the geometry's own
  inventor::Mesh mesh;
  double meters_per_unit = 0.001;  ///< of the geometry file, below its own transforms
  double min_scale = 1, max_scale = 1;
  std::string material = "wood";
  double mass = 0.3;                         ///< kg
  geo::Vec3 cog;                             ///< m
  std::array<double, 9> inertia{};           ///< kg m^2 about cog, row by row; symmetric
  double volume = 0;                         ///< m^3
  geo::Vec3 centroid;                        ///< of the solid, computed
  std::array<double, 9> computed_inertia{};  ///< per kg, m^2, about the centroid
  bool closed = false;
  graspit::Body given;  ///< as given in the files
};

struct GraspRobot {
  std::string name, file;
  graspit::Robot model;
  Kinematics chains;
  std::vector<bool> dof_is_length;                                   ///< value in meters (mm in files), else rad
  std::shared_ptr<const GraspBody> palm;                             ///< null: missing
  std::vector<std::vector<std::shared_ptr<const GraspBody>>> links;  ///< by chain; null: missing
};

struct GraspWorld {
  graspit::World model;
  std::string root;                                       ///< folder that its files are relative to
  std::vector<std::shared_ptr<const GraspBody>> bodies;   ///< as in model.bodies; null: missing
  std::vector<std::shared_ptr<const GraspRobot>> robots;  ///< as in model.robots; null: missing
  /// of each robot, SI; zeros where the file's values do not match its DOFs
  std::vector<std::vector<double>> dofs;
  std::vector<std::shared_ptr<const GraspBody>> mounts;  ///< as in model.connections; null: none
};

/// Opens a file that a world, robot or body needs; `path` as Input::open() takes it. Nothing if the file must not or cannot be
/// read; the opener has then reported that, and the file is missing from the result.
/// @throws IoError passes through the load functions
using Opener = std::function<std::optional<Input>(const std::string& path)>;

struct GraspOptions {
  graspit::Reading reading = graspit::Reading::forgiving;
  /// Severity of a missing file: a warning allows a robot to be converted without its shapes.
  Severity missing = Severity::error;
  /// Meters of one unit of a bare .iv or .wrl: 0.001 (GraspIt! 2.1); 1 for the default of versions since 2017.
  double bare_unit = 0.001;
  std::string root;  ///< of worlds; empty: the nearest folder above the world's file in which its files exist
  /// Folder to which the search for a world's root is confined; empty: at most six levels up.
  std::string search_within;
  /// Opens every file, including the first; empty: Input::open().
  Opener open;
};

/// The folder that the files of a world are relative to: the options' root, or the nearest folder above the world's file in which
/// one of its files exists.
std::string root_of(const std::string& file, const graspit::World& world, const GraspOptions& options);

/// One body: a .iv or .wrl with its header, or a body XML. Also reports inconsistencies between geometry and header.
Parsed<GraspBody> load_body(const std::string& file, const GraspOptions& options);
/// A .cfg or robot XML with its bodies.
Parsed<GraspRobot> load_robot(const std::string& file, const GraspOptions& options);
/// A .wld or world XML with all its bodies and robots.
Parsed<GraspWorld> load_world(const std::string& file, const GraspOptions& options);
/// The same for a world whose text has already been read.
Parsed<GraspWorld> load_world(const std::string& file, std::string_view text, const GraspOptions& options);

}  // namespace simbatch::grasp
