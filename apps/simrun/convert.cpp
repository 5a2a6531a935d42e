#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "apps/common/console.hpp"
#include "apps/common/outputs.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/origin.hpp"
#include "apps/simrun/pictures.hpp"
#include "apps/simrun/rebuilt_world.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "formats/gpx/gpx.hpp"
#include "formats/trace/collect.hpp"
#include "formats/trace/select.hpp"
#include "lib/sim/tree/tree.hpp"
#include "lib/view/gltf_world.hpp"
#include "lib/view/gps_tracks.hpp"
#include "lib/view/scene_models.hpp"

namespace simbatch::simrun {
namespace {

struct ConvertOptions {
  std::string input, output, format, compression;
  std::vector<std::string> devices;  ///< patterns; empty: all
  std::string frames;                ///< folder
  WorldOptions world;
  Moment from, to = {static_cast<std::int64_t>(kMaxSteps), {}};
  std::int64_t every = 1;
};

/// The steps to read; all of them if a time is given, since its step is known only from the trace.
StepRange range_of(const ConvertOptions& options) {
  return {options.from.seconds ? 0 : options.from.step, options.to.seconds ? INT64_MAX : options.to.step};
}

/// The run as an animated scene.
cli::ExitCode write_scene(const ConvertOptions& options, const trace::Trace& rows, const view::BuiltView& world,
                          Diagnostics problems, cli::Reporter& reporter) {
  const std::string glb =
      view::world_glb(view::world_asset(world.scene, *world.built.simulation, world.cameras, &world.motion), problems);
  reporter.show(std::move(problems));
  if (reporter.failed()) return reporter.finish();
  write_file(options.output, glb);
  reporter.status(fmt::format("{} rows of {} moving parts", rows.steps.size(), world.scene.movers.size()));
  return reporter.finish();
}

/// The measurements of its GPS devices.
cli::ExitCode write_gps_tracks(const ConvertOptions& options, const trace::Trace& rows, cli::Reporter& reporter) {
  Diagnostics problems(options.input);
  const gpx::Document document = view::gps_tracks(rows, problems);
  reporter.show(std::move(problems));
  if (reporter.failed()) return reporter.finish(cli::ExitCode::input);
  write_file(options.output, gpx::write_gpx(document));
  std::size_t points = 0;
  for (const gpx::Path& track : document.tracks) points += track.points.size();
  reporter.status(fmt::format("{} places of {} GPS devices", points, document.tracks.size()));
  return reporter.finish();
}

/// The pictures that a run with --frames left in a folder. @throws IoError if it cannot be read
void add_pictures(const std::string& folder, const trace::Header& header, trace::McapSights& sights) {
  std::map<std::string, std::string> cameras;  // by the beginning of their files' names
  for (const trace::Device& device : header.devices) cameras.emplace(file_name_of(device.name), device.name);
  std::map<std::int64_t, std::map<std::string, std::string>> files;  // by step and camera
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const std::size_t dash = name.rfind('-');
    if (!name.ends_with(".png") || dash == std::string::npos) continue;
    const auto camera = cameras.find(name.substr(0, dash));
    const auto step = parse_integer<std::int64_t>(std::string_view(name).substr(dash + 1, name.size() - dash - 5));
    if (camera != cameras.end() && step) files[step.value][camera->second] = entry->path().string();
  }
  if (error) throw IoError(folder, "cannot be read: " + error.message());
  std::set<std::string> seen;
  for (const auto& [step, pictures] : files)
    for (const auto& [camera, path] : pictures) seen.insert(camera);
  sights.cameras.assign(seen.begin(), seen.end());
  sights.pictures = [files](std::int64_t step) {
    std::vector<trace::Picture> pictures;
    const auto found = files.find(step);
    if (found == files.end()) return pictures;
    for (const auto& [camera, path] : found->second) pictures.push_back({camera, std::string(Input::open(path).text())});
    return pictures;
  };
}

/// What is known of the cameras, from the scenario: it is only looked for, and is not needed.
std::vector<trace::CameraModel> find_cameras(const ConvertOptions& options, const trace::Header& header,
                                             cli::Reporter& reporter) {
  Diagnostics problems(options.input), differences(options.input);
  const trace::Trace no_rows = trace::Collector(without_programs(header)).trace();
  std::string scenario;
  const auto world = rebuild_world(options.world, options.input, no_rows, reporter, problems, scenario);
  if (world) compare_inputs(no_rows.header, world->built.inputs, differences);
  if (world && differences.items().empty()) return view::camera_models(world->built);
  const auto& why = (world ? differences : problems).items();
  reporter.status("the pictures have no calibration" + (why.empty() ? std::string() : ": " + why.front().message));
  return {};
}

cli::ExitCode convert(const ConvertOptions& options, cli::Reporter& reporter) {
  auto input = read_trace(reporter, options.input, range_of(options));
  if (!input) return reporter.finish(cli::ExitCode::input);
  check_patterns(options.input, options.devices, input->trace.value->header, reporter);
  if (reporter.failed()) return reporter.finish();
  const double dt = input->trace.value->header.dt;
  const std::int64_t from = options.from.step_at(dt), to = options.to.step_at(dt);
  if (from > to) {
    cli::print_error("simrun: --from must not be later than --to");
    return reporter.finish(cli::ExitCode::usage);
  }
  const auto wanted = [&](std::string_view name) { return sim::is_chosen(options.devices, name); };
  trace::Trace rows = trace::every_nth_row(trace::only_steps(std::move(*input->trace.value), from, to), options.every);
  trace::McapSights sights;
  std::optional<std::vector<trace::CameraModel>> cameras;
  if (is_scene(options.output) || !options.world.scenario.empty()) {
    Diagnostics problems(options.input);
    std::string scenario;
    const auto world = rebuild_world(options.world, options.input, rows, reporter, problems, scenario);
    if (cli::interrupted()) return reporter.finish(cli::ExitCode::interrupted);
    if (world) compare_inputs(without_programs(rows.header), world->built.inputs, problems);
    if (world && is_scene(options.output)) return write_scene(options, rows, *world, std::move(problems), reporter);
    reporter.show(std::move(problems));
    if (!world || reporter.failed()) return reporter.finish(cli::ExitCode::input);
    sights.frames = view::frame_motions(*world);
    sights.scene = view::scene_models(*world);
    sights.paths = view::path_models(*world);
    sights.geojson = view::paths_geojson(world->built);
    sights.scans = view::scan_models(*world);
    cameras = view::camera_models(world->built);
  }
  const trace::Trace selected = trace::only_devices(std::move(rows), wanted);
  if (is_gps_file(options.output)) return write_gps_tracks(options, selected, reporter);
  if (!options.frames.empty()) {
    add_pictures(options.frames, selected.header, sights);
    sights.calibrations = cameras ? std::move(*cameras) : find_cameras(options, selected.header, reporter);
  }
  const trace::Format format = trace_format(options.format, options.output);
  const auto writer = format == trace::Format::mcap
                          ? trace::make_mcap_writer(options.output, selected.header, trace::Lines::at_the_end,
                                                    std::move(sights), trace_compression(options.compression))
                          : trace::make_writer(format, options.output, selected.header, trace::Lines::at_the_end,
                                               trace_compression(options.compression));
  trace::write_trace(selected, *writer);
  reporter.status(fmt::format("{} rows of {} devices", selected.steps.size(), selected.header.devices.size()));
  return reporter.finish();
}

std::string convert_problem(const ConvertOptions& o) {
  if (is_scene(o.output))
    return !o.format.empty()    ? "--format: a .glb file is a scene, not a trace"
           : !o.devices.empty() ? "--devices: a scene (.glb) has all parts"
           : !o.frames.empty()  ? "--frames: only MCAP shows pictures"
                                : "";
  if (is_gps_file(o.output))
    return !o.format.empty()           ? "--format: a .gpx file holds tracks, not a trace"
           : !o.world.scenario.empty() ? "--scenario: only a scene (.glb) and MCAP show the world"
           : !o.frames.empty()         ? "--frames: only MCAP shows pictures"
                                       : "";
  if (std::string problem = trace_problem(o.format, o.output, "--output"); !problem.empty()) return problem;
  const bool mcap = trace_format(o.format, o.output) == trace::Format::mcap;
  if (!o.world.scenario.empty() && !mcap) return "--scenario: only a scene (.glb) and MCAP show the world";
  if (!o.frames.empty() && !mcap) return "--frames: only MCAP shows pictures";
  return {};
}

}  // namespace

void add_convert(cli::Command& program) {
  cli::Command& command =
      program.add("convert", "Write a trace in another format, as an animated scene (.glb) or as GPS tracks (.gpx)");
  auto& o = command.keep<ConvertOptions>();
  command.positional("TRACE", o.input, "Trace").required();
  command.option("-o,--output", "FILE", o.output, "Output; - is standard output").required();
  add_format_options(command, o.format, o.compression);
  add_devices_option(command, o.devices);
  command.option("--from", "STEP", {o.from, read_moment, kMomentForm}, "First step, or time like 3s");
  command.option("--to", "STEP", {o.to, read_moment, kMomentForm}, "Last step, or time (default: the trace's)");
  command.option("--every", "M", o.every, "Take every M-th row of the trace").range(1, kMaxSteps).show_default();
  command.option("--scenario", "SCENARIO", o.world.scenario,
                 "Its scenario, to show the world in an MCAP file; for .glb by default found by name and digest");
  command.option("--frames", "DIR", o.frames, "Pictures that the run's --frames left there, shown in an MCAP file");
  add_root_option(command, o.world.root);
  add_rndf_option(command, o.world.rndf, "Road network of a CajunBot object file (default: found by name and digest)");
  command.check([&o] { return convert_problem(o); });
  command.check([&o] { return compression_problem(o.compression, o.format, o.output); });
  command.check([&o] {
    const bool same = o.output != "-" && !is_scene(o.output) && !is_gps_file(o.output) &&
                      trace_format(o.format, o.output) == trace::format_of(o.input);
    cli::Outputs outputs;
    outputs.reads("TRACE", o.input);
    outputs.reads("--scenario", o.world.scenario);
    outputs.reads("--rndf", o.world.rndf);
    outputs.writes("--output", o.output, same ? "TRACE" : "");
    return outputs.conflict();
  });
  command.examples({"simrun convert run.json -o run.parquet",
                    "simrun convert run.json -o turn.csv --devices '*.gyro0' --from 2000 --to 3000",
                    "simrun convert run.json -o run.mcap --scenario my_car/scenario.xml",
                    "simrun convert run.json -o run.glb --every 4", "simrun convert run.json -o run.gpx"});
  command.run([&o](cli::Reporter& reporter) { return convert(o, reporter); });
}

}  // namespace simbatch::simrun
