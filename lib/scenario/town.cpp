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

/// The files of a folder beside its street map.
std::optional<detail::TownFiles> files_of_folder(const std::string& path, const BuildOptions& options, Diagnostics& problems) {
  detail::Files files((fs::path(path) / "map").string(), options, problems);
  return open_town(files, detail::world_of_map(), detail::Setup::may_lack);
}

/// Problems of the streets are an obstacle if they are errors, and otherwise left out unless they concern heights.
void sort_out(Diagnostics found, const std::string& streets, std::string& obstacle, Diagnostics& problems) {
  for (const Diagnostic& problem : found.items()) {
    Diagnostics one(problem.file);
    if (problem.file == streets && problem.severity == Severity::error) {
      if (obstacle.empty()) obstacle = problem.message;
    } else if (problem.file != streets || problem.code == code::kMapLevels.name) {
      one.report_as(problem.severity, {problem.code, problem.severity, {}}, problem.at, problem.message, problem.path);
    }
    problems.append(std::move(one));
  }
}

}  // namespace

struct RoadMap::Source {
  detail::TownFiles files;
};

RoadMap::RoadMap(std::unique_ptr<Source> source) : source_(std::move(source)) {}
RoadMap::RoadMap(RoadMap&& other) noexcept = default;
RoadMap::~RoadMap() = default;

std::optional<RoadMap> RoadMap::open(const std::string& path, Input input, const BuildOptions& options, Diagnostics& problems) {
  std::optional<detail::TownFiles> files(std::in_place);
  std::error_code error;
  if (fs::is_directory(path, error)) {
    files = files_of_folder(path, options, problems);
  } else if (file_kind::kind_of(input.name(), input.text()) == file_kind::Kind::autosim_world) {
    files = files_of_scenario(path, input, options, problems);
    if (!files) return std::nullopt;
    if (!files->streets) {
      Diagnostics about(path);
      about.report(code::kNoMap, {}, "the scenario's map has no street map, and with it no roads");
      problems.append(std::move(about));
      return std::nullopt;
    }
    return RoadMap(std::make_unique<Source>(Source{std::move(*files)}));
  }
  if (!files) return std::nullopt;
  files->streets = std::move(input);
  return RoadMap(std::make_unique<Source>(Source{std::move(*files)}));
}

const Input& RoadMap::streets() const { return *source_->files.streets; }
bool RoadMap::is_level() const { return !source_->files.heights && source_->files.tiles.empty(); }
bool RoadMap::is_above_geoid() const { return !source_->files.heights && !source_->files.tiles.empty(); }

std::optional<roads::RoadHeights> RoadMap::heights(std::string& obstacle, Diagnostics& problems) const {
  detail::TownPlan plan = detail::plan_town(source_->files);
  sort_out(std::move(plan.town.problems), streets().name(), obstacle, problems);
  if (!plan.town.is_good || !obstacle.empty()) return std::nullopt;
  const roads::Budget budget(plan.town.roads);
  roads::RoadHeights heights(plan.town.roads, std::move(plan.town.grid), {plan.town.setup.osm.lat, plan.town.setup.osm.lon},
                             budget);
  if (budget.crowded()) {
    obstacle = "too many roads lie over one another";
    return std::nullopt;
  }
  return heights;
}

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
