#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "apps/common/console.hpp"
#include "apps/common/outputs.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/codes.hpp"
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
#include "formats/trace/parts.hpp"
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

/// The steps that are wanted of a trace; nothing if they are in the wrong order, which was reported.
std::optional<trace::StepRange> wanted_steps(const ConvertOptions& options, double dt) {
  const trace::StepRange range{options.from.step_at(dt), options.to.step_at(dt)};
  if (!range.empty()) return range;
  cli::print_error("simrun: --from must not be later than --to");
  return std::nullopt;
}

/// Reports that a part of a trace has no rows. @return whether it has none
bool reports_no_rows(const ConvertOptions& options, const trace::StepRange& range, const trace::Header& header,
                     const trace::Extent& extent, std::size_t written, cli::Reporter& reporter) {
  if (written > 0 || extent.rows == 0) return false;
  Diagnostics problems(options.input);
  const std::string to = range.last >= static_cast<std::int64_t>(kMaxSteps) ? "on" : "to " + number_text(range.last);
  problems.report(
      code::kNoRows, {},
      fmt::format("no row is of the steps from {} {}; the trace has rows of the steps {} to {} ({} s), one every {}",
                  range.first, to, extent.first, extent.last, number_text(static_cast<double>(extent.last) * header.dt),
                  header.every));
  reporter.show(std::move(problems));
  return true;
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

/// A writer for the chosen devices. @param header  already of these devices and rows
std::unique_ptr<trace::Writer> make_output(const ConvertOptions& options, const trace::Header& header, trace::McapSights sights,
                                           std::optional<std::vector<trace::CameraModel>> cameras, cli::Reporter& reporter) {
  if (!options.frames.empty()) {
    add_pictures(options.frames, header, sights);
    sights.calibrations = cameras ? std::move(*cameras) : find_cameras(options, header, reporter);
  }
  const trace::Format format = trace_format(options.format, options.output);
  return format == trace::Format::mcap ? trace::make_mcap_writer(options.output, header, trace::Lines::at_the_end,
                                                                 std::move(sights), trace_compression(options.compression))
                                       : trace::make_writer(format, options.output, header, trace::Lines::at_the_end,
                                                            trace_compression(options.compression));
}

/// What needs the world of a trace, or its GPS tracks: the trace is in memory.
cli::ExitCode convert_whole(const ConvertOptions& options, cli::Reporter& reporter) {
  auto input = read_trace(reporter, options.input);
  if (!input) return reporter.finish(cli::ExitCode::input);
  trace::Trace& whole = *input->trace.value;
  check_patterns(options.input, options.devices, whole.header, reporter);
  if (reporter.failed()) return reporter.finish();
  trace::Extent extent;
  for (const std::int64_t step : whole.steps) extent.add(step);
  const auto range = wanted_steps(options, whole.header.dt);
  if (!range) return reporter.finish(cli::ExitCode::usage);
  trace::Trace rows = trace::every_nth_row(trace::only_steps(std::move(whole), range->first, range->last), options.every);
  if (reports_no_rows(options, *range, rows.header, extent, rows.steps.size(), reporter)) return reporter.finish();
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
  const trace::Trace selected =
      trace::only_devices(std::move(rows), [&](std::string_view name) { return sim::is_chosen(options.devices, name); });
  if (is_gps_file(options.output)) return write_gps_tracks(options, selected, reporter);
  trace::write_trace(selected, *make_output(options, selected.header, std::move(sights), std::move(cameras), reporter));
  reporter.status(fmt::format("{} rows of {} devices", selected.steps.size(), selected.header.devices.size()));
  return reporter.finish();
}

/// Writes the parts of a trace as they are read.
class Conversion final : public trace::PartReceiver {
 public:
  Conversion(const ConvertOptions& options, cli::Reporter& reporter) : options_(options), reporter_(reporter) {}

  std::optional<trace::StepRange> begin(const trace::Trace& head) override {
    check_patterns(options_.input, options_.devices, head.header, reporter_);
    if (reporter_.failed()) return std::nullopt;
    const auto range = wanted_steps(options_, head.header.dt);
    if (!range) {
      stopped_ = cli::ExitCode::usage;
      return std::nullopt;
    }
    range_ = *range;
    trace::Header header = head.header;
    header.devices.clear();
    header.every *= options_.every;
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < head.header.devices.size(); ++i) {
      if (!sim::is_chosen(options_.devices, head.header.devices[i].name)) continue;
      chosen.push_back(i);
      header.devices.push_back(head.header.devices[i]);
    }
    devices_ = chosen.size();
    writer_ = make_output(options_, header, {}, {}, reporter_);
    parts_.emplace(*writer_, head.header, std::move(chosen), options_.every);
    return range;
  }
  void rows(const trace::Trace& part) override { parts_->rows(part); }

  cli::ExitCode finish(const trace::PartsRead& read) {
    const auto written = static_cast<std::size_t>(parts_->written());
    if (reports_no_rows(options_, range_, read.trace.value->header, read.extent, written, reporter_)) return reporter_.finish();
    parts_->finish(*read.trace.value);
    reporter_.status(fmt::format("{} rows of {} devices", written, devices_));
    return reporter_.finish();
  }
  /// After begin() wanted no more.
  cli::ExitCode stopped() { return stopped_ ? reporter_.finish(*stopped_) : reporter_.finish(); }

 private:
  const ConvertOptions& options_;
  cli::Reporter& reporter_;
  trace::StepRange range_;
  std::size_t devices_ = 0;
  std::optional<cli::ExitCode> stopped_;
  std::unique_ptr<trace::Writer> writer_;
  std::optional<trace::PartWriter> parts_;
};

cli::ExitCode convert(const ConvertOptions& options, cli::Reporter& reporter) {
  if (is_scene(options.output) || is_gps_file(options.output) || !options.world.scenario.empty())
    return convert_whole(options, reporter);
  Conversion conversion(options, reporter);
  const auto read = read_trace_parts(reporter, options.input, conversion);
  if (!read) return reporter.finish(cli::ExitCode::input);
  return read->trace.value ? conversion.finish(*read) : conversion.stopped();
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
