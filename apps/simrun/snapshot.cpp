// simrun snapshot: the view of a camera, or from any point, at a step.

#include <fmt/format.h>

#include <algorithm>

#include "apps/common/console.hpp"
#include "apps/common/environment.hpp"
#include "apps/common/installation.hpp"
#include "apps/common/outputs.hpp"
#include "apps/common/progress.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/codes.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/pictures.hpp"
#include "base/core/atomic_file.hpp"
#include "lib/sim/record/run.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;
using sim::vision::View;

struct SnapshotOptions {
  std::string scenario, output;
  ScenarioFiles files;
  Moment at;
  std::optional<double> dt;
  std::optional<std::uint64_t> seed;
  std::string camera;                   ///< pattern; empty: the first one
  std::optional<geo::Vec3> from, to;    ///< both or neither: replaces the camera
  std::optional<double> field_of_view;  ///< vertical, degrees
  std::optional<PixelSize> size;        ///< empty: the camera's, or 640x480
  int samples = 3;
  double daylight = 1;
  ProgramOptions programs;
};

constexpr double kManyRays = 1e8;  // some ten seconds and more

// The camera to look through, or null after simrun-camera was reported.
const sim::TreeNode* find_camera(const SnapshotOptions& options, const sim::vision::Cameras& cameras, cli::Reporter& reporter) {
  for (const auto& camera : cameras.cameras())
    if (options.camera.empty() || sim::glob_matches(options.camera, camera.node->name())) return camera.node;
  Diagnostics problems(options.scenario);
  const std::string what = options.camera.empty() ? "there is no camera; use --from and --to"
                                                  : "no camera matches " + simbatch::quoted(options.camera);
  problems.report(code::kCamera, {}, what + "; cameras: " + known_cameras(cameras));
  reporter.show(std::move(problems));
  return nullptr;
}

// Simulates up to the step; false if that was interrupted.
bool advance(sim::Simulation& simulation, std::int64_t steps, const cli::CommonOptions& common) {
  cli::handle_interrupts_by_polling();
  cli::Progress progress(common, "simulating", static_cast<std::uint64_t>(steps));
  const trace::End end =
      sim::run_simulation(simulation, {steps, std::max<std::int64_t>(steps, 1), 0}, {}, [&](std::int64_t done) {
        progress.update(static_cast<std::uint64_t>(done));
        return !cli::interrupted();
      });
  return end.outcome != "interrupted";
}

View view_of(const SnapshotOptions& options, const sim::TreeNode* camera, sim::vision::Cameras& cameras) {
  View view;
  view.field_of_view = geo::radians(60);
  view.width = 640;
  view.height = 480;
  if (camera != nullptr)
    view = *cameras.view_of(*camera);
  else
    view.pose = sim::vision::looking_at(*options.from, *options.to);
  if (options.field_of_view) view.field_of_view = geo::radians(*options.field_of_view);
  if (options.size) {
    view.width = options.size->width;
    view.height = options.size->height;
  }
  view.samples = options.samples;
  view.daylight = options.daylight;
  return view;
}

cli::Outputs outputs_of(const SnapshotOptions& options) {
  cli::Outputs outputs;
  outputs.reads("SCENARIO", options.scenario);
  outputs.reads("--rndf", options.files.rndf);
  outputs.writes("--output", options.output);
  return outputs;
}

ExitCode snapshot(const SnapshotOptions& options, cli::Reporter& reporter) {
  const ReadFiles files_read;
  ExitCode exit = ExitCode::ok;
  scenario::BuildOptions how{.dt = options.dt,
                             .seed = options.seed,
                             .root = options.files.root,
                             .library = cli::robot_library(),
                             .graspit_root = cli::graspit_root(options.files.graspit_root),
                             .rndf = options.files.rndf};
  if (options.at.step == 0 && options.at.seconds.value_or(0) == 0)
    how.programs = scenario::ProgramUse::check;  // their first turn is in step 1
  apply(reporter.options(), options.programs, how);
  const auto built = build(reporter, options.scenario, how, exit, options.files.settings);
  if (!built) return reporter.finish(exit);
  if (const std::string problem = outputs_of(options).conflict(files_read); !problem.empty()) {
    cli::print_error("simrun: " + problem);
    return reporter.finish(ExitCode::usage);
  }
  if (how.programs == scenario::ProgramUse::run) (void)report_isolation(options.programs, options.scenario, reporter);
  if (reporter.failed()) return reporter.finish();
  sim::Simulation& simulation = *built->simulation;
  const sim::TreeNode* camera = options.from ? nullptr : find_camera(options, *built->cameras, reporter);
  if (reporter.failed()) return reporter.finish();
  const std::int64_t step = options.at.step_at(simulation.settings().physics.dt);
  const bool completed = advance(simulation, step, reporter.options());
  if (built->programs != nullptr) reporter.show(built->programs->warnings());
  if (simulation.failure()) reporter.show(failure_diagnostics(simulation, options.scenario));
  if (!completed) return reporter.finish(ExitCode::interrupted);
  if (reporter.failed()) return reporter.finish();
  const View view = view_of(options, camera, *built->cameras);
  if (const double rays = 1.0 * view.width * view.height * view.samples * view.samples; rays > kManyRays)
    reporter.status(fmt::format("drawing {} x {} pixels of {} rays each: {:.0f} million rays", view.width, view.height,
                                view.samples * view.samples, rays / 1e6));
  cli::Progress progress(reporter.options(), "drawing",
                         static_cast<std::uint64_t>(view.height) * static_cast<unsigned>(view.samples));
  const std::string png =
      png_of(built->cameras->renderer(), view, [&](int done, int) { progress.update(static_cast<std::uint64_t>(done)); });
  progress.finish();
  if (png.empty()) return reporter.finish(ExitCode::interrupted);
  reporter.show(built->cameras->renderer().problems());
  if (!reporter.failed()) write_file(options.output, png);
  return reporter.finish();
}

std::string conflict(const SnapshotOptions& o) {
  if (o.from.has_value() != o.to.has_value()) return "--from and --to go together";
  if (o.from && !o.camera.empty()) return "--camera excludes --from and --to";
  return outputs_of(o).conflict();
}

}  // namespace

void add_snapshot(cli::Command& program) {
  cli::Command& command = program.add("snapshot", "Draw what a camera sees at a step (PNG)");
  auto& o = command.keep<SnapshotOptions>();
  command.positional("SCENARIO", o.scenario, "Scenario").required();
  command.option("-o,--output", "FILE", o.output, "PNG file; - is standard output").required();
  command.option("--at", "STEP", {o.at, read_moment, kMomentForm}, "Step, or time like 3s (default: 0)");
  command.option("--camera", "NAME", o.camera, "Camera by its full name; * and ? (default: the first one)");
  command.option("--from", "X,Y,Z", {o.from, read_point, kPointForm}, "Look from this point instead (meters, world)");
  command.option("--to", "X,Y,Z", {o.to, read_point, kPointForm}, "Look at this point");
  command.option("--fov", "DEG", o.field_of_view, "Vertical field of view in degrees (default: the camera's, or 60)")
      .range(1, 170);
  command.option("--size", "WxH", {o.size, read_pixel_size, kPixelSizeForm},
                 "Size in pixels (default: the camera's, or 640x480)");
  command.option("--samples", "N", o.samples, "N x N rays per pixel").range(1, 8).show_default();
  command.option("--daylight", "X", o.daylight, "Daylight from 0 (night) to 1 (day)").range(0, 1).show_default();
  add_clock_options(command, o.dt, o.seed);
  add_file_options(command, o.files);
  add_program_options(command, o.programs);
  command.check([&o] { return conflict(o); });
  command.examples({"simrun snapshot my_car/scenario.xml -o front.png --at 2s --camera '*front_view' --size 640x360",
                    "simrun snapshot my_car/scenario.xml -o above.png --from=-20,15,-20 --to 0,0,30"});
  command.run([&o](cli::Reporter& reporter) { return snapshot(o, reporter); });
}

}  // namespace simbatch::simrun
