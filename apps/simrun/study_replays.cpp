#include "apps/simrun/study_replays.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "apps/simrun/simrun.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/process/pool.hpp"
#include "formats/trace/read.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/study/point.hpp"
#include "lib/view/page.hpp"
#include "lib/view/rebuild.hpp"

namespace simbatch::simrun {
namespace {

namespace fs = std::filesystem;

/// "run 17 of braking: friction = 0.2, brake = 0.1": the page's title. The seed is shown beside it.
std::string title_of(const study::Study& study, std::int64_t run, const std::vector<double>& values) {
  std::string title = "run " + number_text(run) + " of " + study.name, sign = ": ";
  for (std::size_t i = 0; i < values.size(); ++i) {
    const study::Parameter& parameter = study.parameters[i];
    if (parameter.path == "seed") continue;
    const std::string value =
        parameter.choices.empty() ? fmt::format("{:.4g}", values[i]) : study::value_text(parameter, values[i]);
    title += std::exchange(sign, ", ") + parameter.name + " = " + value;
  }
  return title;
}

/// In the child. @param stem  path of the files without their extensions  @return an exit code
int write_replay(const study::Points& points, const std::vector<double>& values, const std::string& title,
                 const std::string& stem, std::string_view page) {
  (void)points.run(values, stem + ".json");
  const trace::ReadTrace read = trace::read_trace(stem + ".json");
  if (!read.trace.value) return 1;
  Diagnostics problems(points.scenario_path());
  const auto build = points.build_options(values, problems);
  if (!build) return 1;
  view::RebuildOptions how;
  how.run_programs = true;  // only if the trace lacks motion; they were allowed for the run
  how.build = [&](scenario::ProgramUse use) {
    scenario::BuildOptions options = *build;
    options.programs = use;
    return scenario::build_scenario(points.scenario_path(), options);
  };
  const auto world = view::rebuild(how, &*read.trace.value, problems);
  if (!world) return 1;
  const view::PageWorld shown{world->built.simulation.get(),
                              &world->scene,
                              &world->built.cameras->renderer().appearance(),
                              &world->motion,
                              world->cameras,
                              title};
  const std::string folder = fs::path(points.scenario_path()).parent_path().string();
  write_file(stem + ".html",
             view::make_page({&*read.trace.value, shown, &problems, folder, page, view::page_expectations(*read.trace.value)}));
  return 0;
}

}  // namespace

std::vector<std::int64_t> write_replays(const study::Study& study, const study::StudyOptions& options,
                                        const std::vector<std::int64_t>& runs) {
  std::vector<std::int64_t> without;
  if (runs.empty()) return without;
  Diagnostics problems(options.file);
  const auto points = study::Points::prepare(study, {options.file, options.build}, problems);
  if (!points) return runs;
  const Input page = Input::open(page_template_path());
  const fs::path folder = fs::path(options.folder) / "worst";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError(folder.string(), "cannot make the folder: " + error.message());
  PoolLimits limits;
  limits.parallel = options.jobs;
  limits.keep_going = options.keep_going;
  (void)run_pool(
      runs.size(), limits,
      [&](std::size_t job, const PoolOutput&) {
        try {
          const std::vector<double> values = study::values_of(study, runs[job]);
          return write_replay(*points, values, title_of(study, runs[job], values),
                              (folder / ("run" + number_text(runs[job]))).string(), page.text());
        } catch (const std::exception&) {
          return 1;
        }
      },
      [&](PoolResult&& ended) {
        if (ended.process.by_signal || ended.process.value != 0) without.push_back(runs[ended.job]);
        return true;
      });
  return without;
}

}  // namespace simbatch::simrun
