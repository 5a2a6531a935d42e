#pragma once
/// What the elements of one model share: settings of the compiler, classes of defaults, meshes. Internal to this room.

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/mjcf/attributes.hpp"

namespace simbatch::mjcf::detail {

/// `<compiler>`.
struct Compiler {
  bool degrees = true, automatic_limits = true, strips_path = false;
  std::string euler = "xyz";
  std::string mesh_folder;  ///< empty, or ends with '/'
};

/// The tree of classes of defaults.
class Classes {
 public:
  /// Reads a `<default>` at the top of a model.
  void read(const Node& node, Sources& sources);
  bool contains(const std::string& name) const { return classes_.contains(name); }
  /// The attributes that a class gives a kind of element ("geom"); null: none. @pre the class exists
  const Layers* layers(const std::string& name, std::string_view kind) const;

 private:
  using Kinds = std::map<std::string, Layers, std::less<>>;
  void read(const Node& node, const std::string& name, const Kinds* parent, int depth, Sources& sources);
  std::map<std::string, Kinds> classes_;
};

/// One model: the file's own, or one that is attached.
struct Scope {
  std::size_t index = 0;           ///< of all models: Joint::scope
  std::vector<std::string> chain;  ///< paths of this model and those that attach it
  Node root;
  Compiler compiler;
  Classes classes;
  std::map<std::string, std::size_t> meshes;               ///< by name: index into Model::meshes
  std::map<std::string, const Node*> frames, bodies;       ///< by name
  std::map<std::string, const Node*> models;               ///< assets that can be attached
  std::map<std::string, Scope*> loaded;                    ///< those attached so far; null: it could not be read
  std::map<std::string, std::vector<std::string>> joints;  ///< from names in this scope to those in the whole model

  /// The attributes of an element with its own class, else `around`, else the outermost. Reports a class that does not exist.
  Attributes attributes(const Node& node, std::string_view kind, const std::string& around) const;
};

/// Name of the outermost class of defaults.
inline constexpr const char* kMainClass = "main";

/// The rotation that an element's quat, axisangle, euler, xyaxes or zaxis gives.
geo::Quat orientation_of(Attributes& attributes, const Compiler& compiler);
/// pos and the orientation.
geo::Pose pose_of(Attributes& attributes, const Compiler& compiler);
/// The rotation by angles about axes in the order of `sequence` (three of xyz: moving axes; of XYZ: fixed axes).
geo::Quat euler_rotation(const geo::Vec3& angles, std::string_view sequence);

/// `<geom>`. Nothing after an error, or for an unsupported one. @param around  class given by the enclosing bodies
std::optional<Geom> read_geom(const Node& node, const Scope& scope, const std::string& around, Sources& sources);
/// `<joint>` or `<freejoint>`.
std::optional<Joint> read_joint(const Node& node, const Scope& scope, const std::string& around, Sources& sources);
std::optional<Inertial> read_inertial(const Node& node, const Scope& scope, Sources& sources);
/// All models of a file, the first its own.
using Scopes = std::deque<Scope>;
/// `<compiler>`, `<option>`, `<default>`, `<asset>` of a model; meshes are added to `model`, the settings of the file only if `is_main`.
void read_head(Scope& scope, Model& model, bool is_main, Sources& sources);
/// `<worldbody>`, including attached models, which are added to the scopes. Returns what is wrong with the model as a whole.
Diagnostics read_bodies(Scopes& scopes, Model& model, Sources& sources);
/// `<actuator>`.
void read_actuators(const Scope& scope, Model& model, Sources& sources);

}  // namespace simbatch::mjcf::detail
