#include "lib/sim/scene/model_store.hpp"

#include <utility>

#include "base/core/number.hpp"
#include "lib/sim/scene/codes.hpp"

namespace simbatch::scene {

const std::optional<Model>& ModelStore::model_of(const models::ModelFile& file, std::string_view instead) {
  const std::pair key(file.folder, file.type);
  if (const auto known = models_.find(key); known != models_.end()) return known->second;
  // The houses of a map have no position in a text: their missing models are reported in one line.
  if (file.at == Position{} && models::path_of(file).empty()) {
    missing_[file.named_in].push_back(file.name);
    return models_[key];
  }
  with_models_.insert(file.named_in);
  return models_.emplace(key, read_model(reader_, file, instead, problems_)).first->second;
}

void ModelStore::report_missing() {
  for (const auto& [file, names] : missing_) {
    Diagnostics own(file);
    const std::string all =
        names.size() == 1 ? "a model that houses name is" : number_text(names.size()) + " models that houses name are";
    const Severity severity = with_models_.contains(file) ? scene_code::kMissing.severity : Severity::note;
    own.report_as(severity, scene_code::kMissing, {},
                  all + " missing" + (names.size() == 1 ? ": " : ", the first one: ") + quoted(names.front()) +
                      "; plain houses and trees of their size are drawn instead");
    problems_.append(std::move(own));
  }
  missing_.clear();
}

const Model* ModelStore::place(const models::ModelFile& file, std::string_view instead) {
  if (file.folder.empty()) return nullptr;
  const std::optional<Model>& known = model_of(file, instead);
  if (!known) return nullptr;
  if (triangles_ + known->paint.size() > max_triangles_) {
    if (!reported_too_many_) {
      problems_.report_in(file.named_in, scene_code::kTooMany, file.at,
                          "with the model " + quoted(file.name) + " all models together exceed " + number_text(max_triangles_) +
                              " triangles; this one and further ones are drawn as their shapes");
    }
    reported_too_many_ = true;
    return nullptr;
  }
  triangles_ += known->paint.size();
  return &*known;
}

Figure ModelStore::figure_of(const Model& original, const geo::Vec3* fit, std::vector<Paint>& paints) {
  Model model = original;
  // The origin of a static model is the center of its base, that of a robot's part its middle (thesis, C.3). No model format
  // specifies its unit reliably, so a model that must fill a box is stretched to it.
  if (fit != nullptr) fit_into_box(model, *fit);
  Figure figure{std::move(model.mesh), std::move(model.paint)};
  for (const geo::Vec3& c : model.colors) {
    Paint paint;
    paint.color = {static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)};
    paints.push_back(paint);
  }
  return figure;
}

bool ModelStore::load(const models::ModelFile& file, std::string_view instead, Figure& figure, std::vector<Paint>& paints) {
  const Model* model = place(file, instead);
  if (model != nullptr) figure = figure_of(*model, nullptr, paints);
  return model != nullptr;
}

}  // namespace simbatch::scene
