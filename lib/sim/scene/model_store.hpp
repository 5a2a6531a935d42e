#pragma once
/// The models of a scene: each is read once, and their triangles are counted together. Internal to this room; needs no Embree.

#include <map>
#include <optional>
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
  /// @param max_triangles  of all models that are placed, each counted as often as it is placed
  explicit ModelStore(std::size_t max_triangles) : max_triangles_(max_triangles) {}

  /// Adds a model to `figure`, and its paints to `paints`.
  /// @param instead  what is drawn if this fails, for the warning
  /// @param fit      size of the box about the origin that the model is stretched to; nullptr: it stays as it is
  /// @return false if there is no such model, it cannot be read, or there would be too many triangles
  bool load(const ModelFile& file, std::string_view instead, const geo::Vec3* fit, Figure& figure, std::vector<Paint>& paints);
  /// Starts a scene: no triangles are placed.
  void begin_scene() { triangles_ = 0; }
  /// Reports the models of maps that are missing, in one line per map.
  void report_missing();
  Diagnostics& problems() { return problems_; }

 private:
  const std::optional<Model>& model_of(const ModelFile& file, std::string_view instead);

  std::size_t max_triangles_, triangles_ = 0;
  bool reported_too_many_ = false;
  ModelReader reader_;
  std::map<std::pair<std::string, std::string>, std::optional<Model>> models_;  // by folder and type
  std::map<std::string, std::vector<std::string>> missing_;                     // models of a map, by its file
  Diagnostics problems_;
};

}  // namespace simbatch::scene
