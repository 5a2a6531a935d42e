#pragma once
/// Copies of meshes beside an output, with the files that they name: materials, textures, buffers.

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/grasp/export.hpp"

namespace simbatch::objconv {

class CopiedMeshes {
 public:
  /// The path of a file that another one names; empty, with the reason in `why_not`, if there is none or it may not be read.
  using Find = std::function<std::string(const std::string& name, const std::string& from, std::string& why_not)>;

  /// @param output  its name; copies go to mesh_folder_of(output) beside it
  /// @param input, root  what is converted, and the folder that it may read; empty: its own
  /// @param files  gets the copies; lives longer
  CopiedMeshes(const std::string& output, const std::string& input, const std::string& root, grasp::MeshFiles& files);

  /// Copies a mesh, once: with its own name, or a free one. The `mtllib` files of a Wavefront OBJ come with it, and the textures that
  /// they name, all into one folder; where that changes a name, it is changed in the file that has it. Collada and glTF bring the files
  /// that they name and keep the names: at the same place relative to the mesh, which is in a folder of its own where these would be
  /// other files, and below folders with the names of those above it where names go up ("../textures/x.png").
  /// @param lost  gets a message for each file that is named and not copied: it is not there, may not be read, or cannot be
  /// @return its name, relative to the output. @throws IoError
  std::string copy(const std::string& path, std::vector<std::string>& lost);

 private:
  std::string free_name(const std::string& path) const;
  std::string copy_obj(const std::string& path, std::vector<std::string>& lost);
  std::string copy_scene(const std::string& path, std::vector<std::string>& lost);
  /// Paths of the files that a scene names, by their names relative to it.
  std::map<std::string, std::string> named_in_scene(const std::string& path, std::string_view text,
                                                    std::vector<std::string>& lost) const;
  /// The name of a scene's copy, where those of the files that it names are free. @param named  named_in_scene()
  std::string scene_name(const std::string& path, const std::map<std::string, std::string>& named) const;
  std::string copy_material(const std::string& path, std::vector<std::string>& lost);
  std::string copy_texture(const std::string& path);

  std::string folder_;  // with a slash at its end
  Find find_;
  grasp::MeshFiles& files_;
  std::size_t left_ = 0;                        // lines of the present mesh whose names may be searched for
  std::map<std::string, std::string> sources_;  // of files that scenes name, by their copies
  std::map<std::string, std::string> names_;    // of copies, relative to the output, by path
};

}  // namespace simbatch::objconv
