#pragma once
/// Converts GraspIt! robots and worlds to URDF and SDFormat, their text files to XML and back, and meshes to OBJ, STL and glTF.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "formats/gltf/gltf.hpp"
#include "formats/sdf/sdf.hpp"
#include "formats/urdf/urdf.hpp"
#include "lib/grasp/load.hpp"

namespace simbatch::grasp {

/// Mesh files to write beside an output: relative name -> bytes.
using MeshFiles = std::map<std::string, std::string>;

struct ExportOptions {
  std::string mesh_folder = "meshes";  ///< relative to the output
  std::string mesh_format = "stl";     ///< stl or obj
};

/// A robot as URDF.
///
/// Every D-H joint becomes a joint about (along) its own z; its link's frame precedes the constant rest of the D-H transform
/// (d, a, alpha), which is moved into the origins of the link's shapes and of the next joint. GraspIt! links are named
/// `chainC_linkL`, frames between the joints of a Universal or Ball link `chainC_jointJ_frame`, joints `chainC_jointJ`. Of the
/// joints that share a DOF, the first with a non-zero factor represents it, with the DOF's limits; the others mimic it.
/// @param meshes  gets the mesh files (meters, in the links' own frames)
urdf::Robot to_urdf(const GraspRobot& robot, const ExportOptions& options, MeshFiles& meshes, Diagnostics& diagnostics);

/// A world as SDFormat: obstacles are static models, robots are posed by their DOF values (joint position 0 is this posture,
/// limits are moved accordingly). Extensions in the name space `graspit` store the data for to_world().
sdf::World to_sdf(const GraspWorld& world, const ExportOptions& options, MeshFiles& meshes, Diagnostics& diagnostics);
/// Restores a world from a file written by to_sdf(): from its extensions, with the current poses of its models.
Parsed<graspit::World> world_from_sdf(std::string_view text, std::string_view file_name);

/// The name, in the other dialect, of a file that is named at `at`.
using Rename = std::function<std::string(const std::string& file, Position at)>;
/// How the names of files change; what is empty changes the suffix (.iv, .wrl, .cfg <-> .xml). See dialect_files.hpp.
struct Renames {
  Rename body = {}, robot = {};
};

/// Text <-> XML. What the target cannot represent is reported; files are renamed.
graspit::Robot robot_for_xml(graspit::Robot robot, Diagnostics& diagnostics, const Renames& names = {});
graspit::Robot robot_for_text(graspit::Robot robot, Diagnostics& diagnostics, const Renames& names = {});
graspit::World world_for_xml(graspit::World world, Diagnostics& diagnostics, const Renames& names = {});
graspit::World world_for_text(graspit::World world, Diagnostics& diagnostics, const Renames& names = {});
/// File names get the suffix .xml in an XML file, and .iv or .cfg in a text file.
std::string xml_name(const std::string& file);
std::string text_name(const std::string& file, std::string_view suffix);

/// Targets for a body, by their losses.
enum class BodyTarget {
  plain_mesh,    ///< OBJ, STL: no colors
  colored_mesh,  ///< glTF
  scene,         ///< a new Inventor file
  header,        ///< the geometry's own file, with values in its header
  xml,
};
/// Reports what the target cannot represent of a body.
void report_body_losses(const GraspBody& body, BodyTarget target, Diagnostics& diagnostics);

/// A mesh as a file, coordinates times `scale` (from the mesh's mm to meters: 0.001). STL is the binary kind.
std::string write_obj(const inventor::Mesh& mesh, double scale, std::string_view name);
std::string write_stl(const inventor::Mesh& mesh, double scale);

/// A body, or a robot with all its DOFs at 0, in meters and y up (z up is turned), with a material for each color. Links are
/// named as in to_urdf(); links without a body become empty nodes.
gltf::Asset to_gltf(const GraspBody& body);
gltf::Asset to_gltf(const GraspRobot& robot);

}  // namespace simbatch::grasp
