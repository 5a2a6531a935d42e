#include "lib/scenario/town.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "lib/file_kind/file_kind.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/map_files.hpp"
#include "lib/scenario/site.hpp"

namespace simbatch::scenario {
namespace {
namespace fs = std::filesystem;

/// The files of the map of a scenario; nothing after an error.
std::optional<detail::TownFiles> files_of_scenario(const std::string& path, const Input& input, const BuildOptions& options,
                                                   Diagnostics& problems) {
  auto parsed = autosim::read_world(input.text(), input.name());
  const bool is_good = parsed.ok();
  problems.append(std::move(parsed.diagnostics));
  if (!is_good) return std::nullopt;
  const autosim::World& world = *parsed.value;
  detail::Files files(path, options, problems);
  if (world.terrain.kind != autosim::Terrain::Kind::map) {
    files.report(code::kNoMap, world.terrain.place.at, "the scenario has no <Map>: there is no town");
    return std::nullopt;
  }
  const std::size_t others = world.statics.size() + world.traffic.size() + world.grasps.size();
  if (others + world.robots.size() > 0)
    files.report(code::kLossScenario, {},
                 fmt::format("robots ({}) and other things beside the map ({}) are left out", world.robots.size(), others));
  return open_town(files, world);
}

std::optional<detail::TownFiles> files_of(const std::string& path, const BuildOptions& options, Diagnostics& problems) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    detail::Files files((fs::path(path) / "map").string(), options, problems);
    return open_town(files, detail::world_of_map());
  }
  Input input = Input::open(path);
  if (file_kind::kind_of(input.name(), input.text()) == file_kind::Kind::autosim_world)
    return files_of_scenario(path, input, options, problems);
  detail::TownFiles files;
  files.streets = std::move(input);
  return files;
}

}  // namespace

std::optional<roads::TownMap> read_town(const std::string& path, const BuildOptions& options, Diagnostics& problems) {
  const auto files = files_of(path, options, problems);
  if (!files) return std::nullopt;
  detail::TownPlan plan = detail::plan_town(*files);
  problems.append(std::move(plan.town.problems));
  if (!plan.town.is_good) return std::nullopt;
  return roads::TownMap{std::move(plan.streets),
                        {plan.town.setup.osm.lat, plan.town.setup.osm.lon},
                        std::move(plan.town.grid),
                        plan.town.is_level,
                        std::move(plan.town.roads),
                        std::move(plan.town.marks),
                        std::move(plan.town.furniture),
                        std::move(plan.areas),
                        std::move(plan.town.buildings),
                        std::move(plan.town.houses),
                        plan.other_ways,
                        plan.open_areas};
}

}  // namespace simbatch::scenario
