// Model folders: thesis C.7.
#include "apps/osmgen/measure.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "apps/osmgen/codes.hpp"
#include "base/core/input.hpp"
#include "base/core/read_files.hpp"
#include "base/core/text.hpp"
#include "base/geo/bounds.hpp"
#include "formats/obj/obj.hpp"
#include "formats/stl/stl.hpp"

namespace simbatch::osmgen {
namespace {
namespace fs = std::filesystem;

constexpr std::size_t kMaxModelBytes = std::size_t{64} << 20;  // as in simulators

/// The model's file; empty if there is none.
std::string file_of(const autosim::Model& model, const fs::path& folder) {
  std::error_code error;
  const fs::path named = folder / model.path;
  if (fs::is_regular_file(named, error)) return named.string();
  const fs::path file = named / "LOD0" / ("model." + model.type);
  return fs::is_regular_file(file, error) ? file.string() : std::string();
}

/// `; for the file there, write path="models/hut.obj"`, if the path lacks only the suffix; else nothing.
std::string advice(const autosim::Model& model, const fs::path& folder) {
  std::error_code error;
  const std::string file = model.path + "." + model.type;
  if (!fs::is_regular_file(folder / file, error)) return {};
  return "; for the file there, write path=" + quoted(file);
}

std::optional<autosim::Vector3> size_of(const std::vector<std::array<double, 3>>& points) {
  geo::Bounds3 bounds;
  for (const std::array<double, 3>& p : points) bounds.add({p[0], p[1], p[2]});
  const autosim::Vector3 size{bounds.x.size(), bounds.y.size(), bounds.z.size()};
  if (!(size.x > 0 && size.y > 0 && size.z > 0)) return std::nullopt;
  return size;
}

/// @param why  gets the reason if there is no size
std::optional<autosim::Vector3> measured(const std::string& file, std::string& why) {
  const std::string type = lower_ascii(fs::path(file).extension().string());
  if (type != ".obj" && type != ".stl") {
    why = "sizes can be read only from .obj and .stl files";
    return std::nullopt;
  }
  const Input input = Input::open(file, kMaxModelBytes);
  std::optional<autosim::Vector3> size;
  if (type == ".obj") {
    const auto mesh = obj::read_obj(input.text(), input.name());
    if (mesh.value) size = size_of(mesh.value->points);
  } else {
    const auto mesh = stl::read_stl(input.text(), input.name());
    if (mesh.value) size = size_of(mesh.value->points);
  }
  if (!size) why = quoted(file) + " has no extent in three directions, or is broken (objconv check tells)";
  return size;
}
}  // namespace

void measure_models(autosim::HouseList& houses, const std::string& list_file, bool tells_missing, Diagnostics& diagnostics) {
  const fs::path folder = fs::path(list_file).parent_path();
  std::size_t all = 0, missing = 0;
  const autosim::HouseModel* first = nullptr;
  for (autosim::LanduseSection& section : houses.sections)
    for (autosim::HouseModel& model : section.models) {
      ++all;
      const std::string file = file_of(model.file, folder);
      if (file.empty() && missing++ == 0) first = &model;
      note_named_file(file);
      if (model.has_size()) continue;
      std::string why = "no " + quoted((folder / model.file.path).string()) + " and no LOD0/model." + model.file.type +
                        " in it" + advice(model.file, folder);
      const auto size = file.empty() ? std::nullopt : measured(file, why);
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
