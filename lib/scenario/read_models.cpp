#include "lib/scenario/read_models.hpp"

#include "formats/sdf/read.hpp"
#include "formats/urdf/urdf.hpp"
#include "lib/robots/from_mjcf.hpp"
#include "lib/robots/from_sdf.hpp"
#include "lib/robots/from_urdf.hpp"
#include "lib/scenario/find_file.hpp"
#include "lib/scenario/import.hpp"
#include "lib/scenario/read_mjcf.hpp"

namespace simbatch::scenario {
namespace detail {
namespace {

Parsed<mjcf::Model> read_model_files(std::string_view text, const std::string& path, const ScenarioRoot& root,
                                     std::vector<std::string>& included) {
  Diagnostics found;
  auto parsed = mjcf::read_mjcf(text, path, mjcf_loader(root, path, found, included));
  parsed.diagnostics.append(std::move(found));
  parsed.diagnostics.sort();
  return parsed;
}

}  // namespace

std::optional<RobotModels> read_models(std::string_view text, const std::string& path, file_kind::Kind kind,
                                       const ScenarioRoot& root, Diagnostics& problems) {
  const std::size_t before = problems.errors();
  RobotModels models;
  Diagnostics own(path);
  const auto take = [&](auto parsed) {
    const bool is_good = parsed.ok();
    problems.append(std::move(parsed.diagnostics));
    return is_good ? std::move(parsed.value) : std::nullopt;
  };
  if (kind == file_kind::Kind::urdf) {
    const auto robot = take(urdf::read_urdf(text, path));
    if (!robot) return std::nullopt;
    models.world.models.push_back(robots::from_urdf(*robot));
    models.world.name = robot->name;
  } else if (kind == file_kind::Kind::mjcf) {
    const auto model = take(read_model_files(text, path, root, models.included));
    if (!model) return std::nullopt;
    models.world = robots::from_mjcf(*model, mesh_measure(root, path), own);
    models.is_world = true;
  } else {
    const auto file = take(sdf::file::read_sdf(text, path));
    if (!file) return std::nullopt;
    Diagnostics included;
    models.world = robots::from_sdf(*file, path, include_loader(root, included, models.included), own);
    models.is_world = file->world.has_value();
    problems.append(std::move(included));
  }
  problems.append(std::move(own));
  return problems.errors() == before ? std::optional(std::move(models)) : std::nullopt;
}

}  // namespace detail

std::optional<RobotModels> read_models(const Input& input, file_kind::Kind kind, const std::string& root,
                                       Diagnostics& problems) {
  const detail::ScenarioRoot folder(input.name(), root);
  auto models = detail::read_models(input.text(), input.name(), kind, folder, problems);
  if (!models) return std::nullopt;
  Diagnostics own(input.name());
  robots::weigh(models->world, detail::mesh_measure(folder, input.name()), own);
  problems.append(std::move(own));
  return models;
}

std::string find_mesh(const std::string& path, file_kind::Kind kind, const std::string& root, const std::string& name,
                      const std::string& from, std::string& why_not) {
  const detail::ScenarioRoot folder(path, root);
  const bool at_the_first = from.empty() || kind == file_kind::Kind::mjcf;
  return detail::find_named(folder, name, at_the_first ? path : from, why_not);
}

Parsed<mjcf::Model> read_mjcf_files(std::string_view text, const std::string& path, const std::string& root) {
  std::vector<std::string> included;
  return detail::read_model_files(text, path, detail::ScenarioRoot(path, root), included);
}

}  // namespace simbatch::scenario
