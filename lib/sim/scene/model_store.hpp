#pragma once
/// The models of a scene: each is read once, and their triangles share one limit. Internal to this room.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/sim/scene/figures.hpp"
#include "lib/sim/scene/models.hpp"
#include "lib/sim/scene/paint.hpp"

namespace simbatch::scene {

class ModelStore {
 public:
  /// @param max_triangles  limit for all placed instances together
  explicit ModelStore(std::size_t max_triangles) : max_triangles_(max_triangles) {}

  /// The model of a file; adds its triangles to the count. @param instead  substitute drawn on failure, for the warning @return
  /// nullptr if the file is empty or missing, cannot be read, or there would be too many triangles
  const Model* place(const models::ModelFile& file, std::string_view instead);
  /// A model as a figure; its paints are added to `paints`.
  /// @param fit  size of the box about the origin to which the model is stretched; nullptr: unchanged
  static Figure figure_of(const Model& original, const geo::Vec3* fit, std::vector<Paint>& paints);
  /// place() and figure_of() without stretching. @return false as place()
  bool load(const models::ModelFile& file, std::string_view instead, Figure& figure, std::vector<Paint>& paints);
  /// Starts a scene: resets the triangle count.
  void begin_scene() { triangles_ = 0; }
  /// Reports missing models, one line per map: a warning, or a note if the map came without any of its models.
  void report_missing();
  Diagnostics& problems() { return problems_; }

 private:
  const std::optional<Model>& model_of(const models::ModelFile& file, std::string_view instead);

  std::size_t max_triangles_, triangles_ = 0;
  bool reported_too_many_ = false;
  models::ModelReader reader_;
  std::map<std::pair<std::string, std::string>, std::optional<Model>> models_;  // by folder and type
  std::map<std::string, std::vector<std::string>> missing_;                     // models of a map, by its file
  std::set<std::string> with_models_;                                           // maps that some model of theirs is there for
  Diagnostics problems_;
};

}  // namespace simbatch::scene
