#include "apps/osmgen/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>

#include "apps/osmgen/codes.hpp"
#include "base/core/input.hpp"
#include "base/core/read_files.hpp"
#include "base/core/text.hpp"
#include "base/geo/bounds.hpp"
#include "formats/obj/obj.hpp"
#include "formats/stl/stl.hpp"
#include "lib/models/model_reader.hpp"

namespace simbatch::osmgen {
namespace {
namespace fs = std::filesystem;

/// Nothing if it is flat.
std::optional<autosim::Vector3> checked(autosim::Vector3 size) {
  if (!(size.x > 0 && size.y > 0 && size.z > 0)) return std::nullopt;
  return size;
}

template <class Mesh>
std::optional<autosim::Vector3> size_of_mesh(const Parsed<Mesh>& mesh) {
  if (!mesh.value) return std::nullopt;
  geo::Bounds3 bounds;
  for (const std::array<double, 3>& p : mesh.value->points) bounds.add({p[0], p[1], p[2]});
  return checked({bounds.x.size(), bounds.y.size(), bounds.z.size()});
}

/// Sizes of the boxes around models, as simulators draw them. OBJ and STL are read exactly and in little memory, all others as
/// they are drawn, in single precision.
class Measure {
 public:
  /// @param path  of the file  @param why  gets the reason if there is no size
  std::optional<autosim::Vector3> operator()(const models::ModelFile& file, const std::string& path, std::string& why) {
    const std::string type = lower_ascii(fs::path(path).extension().string());
    std::optional<autosim::Vector3> size;
    if (type == ".obj" || type == ".stl") {
      const Input input = Input::open(path, models::kMaxModelBytes);
      size = type == ".obj" ? size_of_mesh(obj::read_obj(input.text(), path)) : size_of_mesh(stl::read_stl(input.text(), path));
      why = quoted(path) + " has no extent in three directions, or is broken (objconv check tells)";
      return size;
    }
    const auto model = reader_.read(file, path, models::ModelUse::picture, why);
    why = quoted(path) + (model ? " has no extent in three directions" : ": " + why);
    if (!model) return std::nullopt;
    geo::Bounds3 bounds;
    for (const geo::Vec3& p : model->mesh.points) bounds.add(p);
    return checked({rounded(bounds.x.size()), rounded(bounds.y.size()), rounded(bounds.z.size())});
  }

 private:
  static double rounded(double meters) { return std::round(meters * 1e4) / 1e4; }
  models::ModelReader reader_;
};
}  // namespace

void measure_models(autosim::HouseList& houses, const std::string& list_file, bool tells_missing, Diagnostics& diagnostics) {
  const fs::path folder = fs::path(list_file).parent_path();
  std::size_t all = 0, missing = 0;
  Measure measured;
  const auto file_of = [&](const autosim::HouseModel& model) {
    return models::ModelFile{(folder / model.file.path).string(), model.file.type, list_file, model.place.at, model.file.path};
  };
  const autosim::HouseModel* first = nullptr;
  for (autosim::LanduseSection& section : houses.sections)
    for (autosim::HouseModel& model : section.models) {
      ++all;
      const models::ModelFile named = file_of(model);
      const std::string file = models::path_of(named);
      if (file.empty() && missing++ == 0) first = &model;
      note_named_file(file);
      if (model.has_size()) continue;
      std::string why = "no " + quoted((folder / model.file.path).string()) + " and no LOD0/model." + model.file.type +
                        " in it" + models::suffix_advice(named);
      const auto size = file.empty() ? std::nullopt : measured(named, file, why);
      if (!size)
        diagnostics.report(code::kModelSize, model.place.at,
                           quoted(model.name) + " has no BoxSize, and it cannot be measured: " + why);
      else if (std::max({size->x, size->y, size->z}) > autosim::kMaxHouseSize)
        diagnostics.report(code::kModelSize, model.place.at,
                           fmt::format("{} has no BoxSize, and its file is {:g} x {:g} x {:g} m; at most {:g} m (other units?)",
                                       quoted(model.name), size->x, size->y, size->z, autosim::kMaxHouseSize));
      else
        model.box_size = *size;
    }
  if (tells_missing && missing > 0 && !diagnostics.has_errors())
    diagnostics.report(code::kModelMissing, first->place.at,
                       std::to_string(missing) + " of " + std::to_string(all) + " models have no file beside the list, first " +
                           quoted(first->name) + " (" + first->file.path + "): simulators draw plain ones of their size" +
                           models::suffix_advice(file_of(*first)));
}

}  // namespace simbatch::osmgen
