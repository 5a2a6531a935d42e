#pragma once
/// GraspIt! robots and worlds as URDF and SDFormat, their text as their XML and back, meshes as OBJ, STL and glTF.

#include <map>
#include <string>
#include <vector>

#include "formats/gltf/gltf.hpp"
#include "formats/sdf/sdf.hpp"
#include "formats/urdf/urdf.hpp"
#include "lib/grasp/load.hpp"

namespace simbatch::grasp {

/// Mesh files that go beside an output: relative name -> bytes.
using MeshFiles = std::map<std::string, std::string>;

struct ExportOptions {
  std::string mesh_folder = "meshes";  ///< relative to the output
  std::string mesh_format = "stl";     ///< stl or obj
};

/// A robot as URDF.
///
/// Every D-H joint becomes a joint about (along) its own z; its link's frame comes before the constant rest of the D-H
/// transform (d, a, alpha), which goes into the link's origins and into the next joint's. A link of GraspIt! is called
/// `chainC_linkL`, frames between the joints of a Universal or Ball link `chainC_jointJ_frame`, joints `chainC_jointJ`.
/// Of joints that share a DOF, the first whose factor is not 0 carries it, with the DOF's limits; the others mimic it.
/// @param meshes  gets the mesh files (meters, in the links' own frames)
urdf::Robot to_urdf(const GraspRobot& robot, const ExportOptions& options, MeshFiles& meshes, Diagnostics& diagnostics);

/// A world as SDFormat: obstacles are static models, robots are posed by their DOF values (joint position 0 is this
/// posture, limits are moved accordingly). Extensions in the name space `graspit` keep what to_world() needs.
sdf::World to_sdf(const GraspWorld& world, const ExportOptions& options, MeshFiles& meshes, Diagnostics& diagnostics);
/// A world out of a file that to_sdf() made: its extensions, and the poses of its models where they were changed since.
Parsed<graspit::World> world_from_sdf(std::string_view text, std::string_view file_name);

/// Text <-> XML. What the target cannot represent is reported; files are renamed (.iv, .wrl, .cfg <-> .xml).
graspit::Robot robot_for_xml(graspit::Robot robot, Diagnostics& diagnostics);
graspit::Robot robot_for_text(graspit::Robot robot, Diagnostics& diagnostics);
graspit::World world_for_xml(graspit::World world, Diagnostics& diagnostics);
graspit::World world_for_text(graspit::World world, Diagnostics& diagnostics);
/// File names in an XML lead to .xml, those in a text to .iv and .cfg.
std::string xml_name(const std::string& file);
std::string text_name(const std::string& file, std::string_view suffix);

/// What a body can become, as far as losses differ.
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

/// A body, or a robot with all its DOFs at 0, in meters and y up (z up is turned), with a material for each color. Links are called
/// as in to_urdf(); those whose body is missing are empty nodes.
gltf::Asset to_gltf(const GraspBody& body);
gltf::Asset to_gltf(const GraspRobot& robot);

}  // namespace simbatch::grasp
