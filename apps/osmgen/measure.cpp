#include "apps/osmgen/measure.hpp"

#include <cmath>
#include <filesystem>
#include <optional>

#include "apps/osmgen/codes.hpp"
#include "base/core/read_files.hpp"
#include "base/geo/bounds.hpp"
#include "lib/models/model_reader.hpp"

namespace simbatch::osmgen {
namespace {
namespace fs = std::filesystem;

/// `; for the file there, write path="models/hut.obj"`, if the path lacks only the suffix; else nothing.
std::string advice(const autosim::Model& model, const fs::path& folder) {
  std::error_code error;
  const std::string file = model.path + "." + model.type;
  if (!fs::is_regular_file(folder / file, error)) return {};
  return "; for the file there, write path=" + quoted(file);
}

/// Sizes of the boxes around models as simulators draw them, in tenths of a millimeter: models have single precision.
class Measure {
 public:
  /// @param path  of the file  @param why  gets the reason if there is no size
  std::optional<autosim::Vector3> operator()(const models::ModelFile& file, const std::string& path, std::string& why) {
    std::string reason;
    const auto model = reader_.read(file, path, models::ModelUse::picture, reason);
    if (!model) {
      why = quoted(path) + ": " + reason;
      return std::nullopt;
    }
    geo::Bounds3 bounds;
    for (const geo::Vec3& p : model->mesh.points) bounds.add(p);
    const auto rounded = [](double length) { return std::round(length * 1e4) / 1e4; };
    const autosim::Vector3 size{rounded(bounds.x.size()), rounded(bounds.y.size()), rounded(bounds.z.size())};
    if (size.x > 0 && size.y > 0 && size.z > 0) return size;
    why = quoted(path) + " has no extent in three directions";
    return std::nullopt;
  }

 private:
  models::ModelReader reader_;
};
}  // namespace

void measure_models(autosim::HouseList& houses, const std::string& list_file, bool tells_missing, Diagnostics& diagnostics) {
  const fs::path folder = fs::path(list_file).parent_path();
  std::size_t all = 0, missing = 0;
  Measure measured;
  const autosim::HouseModel* first = nullptr;
  for (autosim::LanduseSection& section : houses.sections)
    for (autosim::HouseModel& model : section.models) {
      ++all;
      const models::ModelFile named{(folder / model.file.path).string(), model.file.type, list_file, model.place.at};
      const std::string file = models::path_of(named);
      if (file.empty() && missing++ == 0) first = &model;
      note_named_file(file);
      if (model.has_size()) continue;
      std::string why = "no " + quoted((folder / model.file.path).string()) + " and no LOD0/model." + model.file.type +
                        " in it" + advice(model.file, folder);
      const auto size = file.empty() ? std::nullopt : measured(named, file, why);
      if (size)
        model.box_size = *size;
      else
        diagnostics.report(code::kModelSize, model.place.at,
                           quoted(model.name) + " has no BoxSize, and it cannot be measured: " + why);
    }
  if (tells_missing && missing > 0 && !diagnostics.has_errors())
    diagnostics.report(code::kModelMissing, first->place.at,
                       std::to_string(missing) + " of " + std::to_string(all) + " models have no file beside the list, first " +
                           quoted(first->name) + " (" + first->file.path + "): simulators draw plain ones of their size" +
                           advice(first->file, folder));
}

}  // namespace simbatch::osmgen
