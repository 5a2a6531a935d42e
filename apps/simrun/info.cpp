// simrun info: what is in a trace.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "apps/common/console.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/simrun.hpp"
#include "apps/simrun/trust.hpp"
#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "formats/autosim/world.hpp"
#include "formats/trace/outline.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/sim/record/recording.hpp"

namespace simbatch::simrun {
namespace {

namespace fs = std::filesystem;

struct InfoOptions {
  std::string input;
  bool devices = false;
};

/// Bytes of a file, or of the files in a folder of tables.
std::uintmax_t bytes_of(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    const std::uintmax_t size = fs::file_size(path, ignored);
    return ignored ? 0 : size;
  }
  std::uintmax_t sum = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored))
    if (const std::uintmax_t size = entry.file_size(ignored); !ignored) sum += size;
  return sum;
}

/// A format that runs are written in. The man page says the same, and a test compares them.
struct Form {
  std::string_view name, loses, opens;
};
constexpr std::string_view kNothing = "nothing";
constexpr Form kRecording = {"recording (SBREC003)", "--fields; texts are reconstructed from the numbers",
                             "simrun; Python's simbatch"};
constexpr Form kOldRecording = {"recording (SBREC001 or SBREC002)",
                                "names, units, texts, inputs, outcome: they need the scenario", "simrun dump --scenario"};
constexpr Form kScene = {"glTF 2.0 scene", "all but poses, which are 32-bit numbers, and what there is to see",
                         "glTF validator 2.0; not tried: Blender, three.js"};

constexpr Form kTracks = {"GPX 1.1 tracks", "all but the places that GPS devices measured, and their times",
                          "xmllint (schema); not tried: navigation devices, QGIS, JOSM"};

Form form_of(trace::Format format) {
  switch (format) {
    case trace::Format::json: return {"JSON (simbatch-trace-1)", kNothing, "anything that reads JSON"};
    case trace::Format::ndjson: return {"NDJSON (simbatch-trace-1)", kNothing, "anything that reads lines of JSON"};
    case trace::Format::csv: return {"folder of CSV tables (RFC 4180)", kNothing, "pandas 1.5; spreadsheets"};
    case trace::Format::wide:
      return {"CSV table (RFC 4180)", "kinds of devices, inputs, hashes, outcome; simrun does not read its values",
              "pandas 1.5, Python's simbatch; not tried: MATLAB, spreadsheets"};
    case trace::Format::mcap:
      return {"MCAP 0 (messages of protobuf)", kNothing,
              "@mcap/core 2.2, Rerun 0.33; not tried: Foxglove, Lichtblick, PlotJuggler"};
    case trace::Format::parquet:
      return {"Parquet 2 (one table)", kNothing, "DuckDB 1.5, hyparquet 1.31; not tried: pandas, polars, R, MATLAB"};
    case trace::Format::npz:
      return {"NPZ (NumPy 1.0 arrays)", "NULs at the end of texts; simrun does not read its values",
              "NumPy 1.24, Python's simbatch"};
    case trace::Format::mat:
      return {"MAT (level 5, compressed)",
              "blanks at the end of texts, names that MATLAB does not allow; simrun does not read its values",
              "SciPy 1.10, Octave 7.3, Python's simbatch; not tried: MATLAB"};
  }
  return {};
}

/// "2 GPSSensor, 1 LaserScanner", by name.
std::string kinds_of(const trace::Header& header) {
  std::map<std::string_view, std::size_t> kinds;
  for (const trace::Device& device : header.devices) ++kinds[device.kind];
  std::string text;
  for (const auto& [kind, count] : kinds) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  return text;
}

std::string end_of(const trace::Trace& trace) {
  if (!trace.end) return "none: the run was killed, or is still running";
  const trace::End& end = *trace.end;
  return fmt::format("{} after {} steps, {} s{}; state hash {:016x}", end.outcome, end.steps, number_text(end.time),
                     end.message.empty() ? "" : ": " + end.message, end.state_hash);
}

/// Lines of a name and a value.
class Lines {
 public:
  void add(std::string_view name, const std::string& value) { text_ += fmt::format("{:<13} {}\n", name, value); }
  void add_form(const Form& form, const std::string& path, const std::string& cut = {}) {
    const std::string size = path == "-" ? "" : fmt::format(", {:.1f} kB", static_cast<double>(bytes_of(path)) / 1e3);
    add("format", std::string(form.name) + size);
    if (!cut.empty()) add("ends early", cut);
    add("loses", std::string(form.loses));
    add("opens in", std::string(form.opens));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string rows_of(const trace::Extent& extent, double first_time, double last_time, const std::string& spacing) {
  if (extent.rows == 0) return "none";
  return fmt::format("{}, steps {} to {} ({} to {} s){}", extent.rows, extent.first, extent.last, number_text(first_time),
                     number_text(last_time), spacing);
}

void add_end(const trace::Trace& trace, Lines& lines) {
  lines.add("end", end_of(trace));
  if (!trace.end) return;
  for (const trace::Collision& each : trace.end->collisions)
    lines.add("collision", fmt::format("{} with {} at {:.4g} s, {:.3g} m/s", each.robot, each.with, each.time, each.speed));
  for (const trace::ExpectationOutcome& outcome : trace.end->expectations)
    lines.add("expectation", fmt::format("{} {}", outcome.name, outcome.verdict));
}

/// Of a trace that says what it is.
void describe(const trace::Trace& trace, const trace::Extent& extent, Lines& lines) {
  const trace::Header& header = trace.header;
  const trace::RowShape shape = trace::row_shape(header);
  lines.add("scenario", fmt::format("{}, seed {}, {} input file{}", header.scenario, header.seed, header.inputs.size(),
                                    header.inputs.size() == 1 ? "" : "s"));
  lines.add("made by", header.generator + ", " + header.engine);
  const std::string spacing = header.every == 1
                                  ? fmt::format(", one every step of {} s", number_text(header.dt))
                                  : fmt::format(", one every {} steps of {} s", header.every, number_text(header.dt));
  lines.add("rows", rows_of(extent, static_cast<double>(extent.first) * header.dt, static_cast<double>(extent.last) * header.dt,
                            spacing));
  lines.add("devices", fmt::format("{} with {} numbers and {} texts a row: {}", header.devices.size(), shape.numbers,
                                   shape.texts, kinds_of(header)));
  for (const trace::FileChange& change : header.settings) lines.add("set", change.at + "=" + change.value);
  if (!header.script.empty()) lines.add("script", fmt::format("{} settings from outside", header.script.size()));
  add_end(trace, lines);
}

std::string device_list(const trace::Header& header) {
  std::string text;
  for (const trace::Device& device : header.devices) {
    text += device.kind.empty() ? device.name : fmt::format("{} ({})", device.name, device.kind);
    for (std::size_t i = 0; i < device.fields.size(); ++i) {
      const trace::Field& field = device.fields[i];
      text += fmt::format("{}{}{}", i == 0 ? ": " : ", ", field.name,
                          field.unit.empty() || field.unit == "1" ? "" : " [" + field.unit + "]");
    }
    text += '\n';
  }
  return text;
}

/// Of a World file, which is given instead of a trace. Empty: it has errors.
std::string scenario_summary(const Input& input) {
  const auto world = autosim::read_world(input.text(), input.name());
  if (!world.ok()) return {};
  Lines lines;
  lines.add("format", fmt::format("AutoSim scenario, {:.1f} kB", static_cast<double>(input.text().size()) / 1e3));
  for (const autosim::RobotEntry& robot : world.value->robots) lines.add("robot", robot.name);
  for (const std::string& line : permissions_of(*world.value, input.name(), false)) lines.add("program", line);
  return lines.text();
}

/// Wants no rows.
class NoRows final : public trace::PartReceiver {
 public:
  std::optional<trace::StepRange> begin(const trace::Trace&) override { return trace::kNoSteps; }
  void rows(const trace::Trace&) override {}
};

cli::ExitCode print(const InfoOptions& options, const Lines& lines, const trace::Header& header, cli::Reporter& reporter) {
  std::string text = lines.text();
  if (options.devices) text += "\n" + device_list(header);
  cli::print(cli::printable_lines(text));
  return reporter.finish();
}

/// Of a file that is not read back.
cli::ExitCode outline_info(const InfoOptions& options, const trace::Outline& outline, cli::Reporter& reporter) {
  reporter.show(outline.trace.diagnostics);
  if (!outline.trace.value) return reporter.finish(cli::ExitCode::input);
  const trace::Header& header = outline.trace.value->header;
  Lines lines;
  lines.add_form(form_of(outline.format), options.input);
  if (outline.format == trace::Format::wide) {
    const trace::RowShape shape = trace::row_shape(header);
    lines.add("rows", rows_of(outline.extent, outline.first_time, outline.last_time, ""));
    lines.add("devices",
              fmt::format("{} with {} numbers and {} texts a row", header.devices.size(), shape.numbers, shape.texts));
  } else {
    describe(*outline.trace.value, outline.extent, lines);
  }
  return print(options, lines, header, reporter);
}

cli::ExitCode scene_info(const InfoOptions& options, std::string_view bytes, cli::Reporter& reporter) {
  const Parsed<trace::SceneOutline> scene = trace::glb_outline(bytes, options.input);
  reporter.show(scene.diagnostics);
  if (!scene.value) return reporter.finish(cli::ExitCode::input);
  Lines lines;
  lines.add_form(kScene, options.input);
  lines.add("scene", fmt::format("{} nodes, {} of them move during {} s", scene.value->nodes, scene.value->moving,
                                 fmt::format("{:.6g}", scene.value->seconds)));
  return print(options, lines, {}, reporter);
}

cli::ExitCode tracks_info(const InfoOptions& options, std::string_view text, cli::Reporter& reporter) {
  const auto count = [text](std::string_view word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  Lines lines;
  lines.add_form(kTracks, options.input);
  lines.add("tracks", fmt::format("{} with {} places", count("<trk>"), count("<trkpt ")));
  return print(options, lines, {}, reporter);
}

/// A recording without a description of itself.
cli::ExitCode old_recording_info(const InfoOptions& options, const sim::RecordingView& view, cli::Reporter& reporter) {
  Lines lines;
  lines.add_form(kOldRecording, options.input);
  lines.add("scenario", fmt::format("{}, seed {}", view.header.scenario, view.header.seed));
  trace::Extent extent;
  if (view.frames > 0)
    extent = {static_cast<std::int64_t>(view.frames), 0, static_cast<std::int64_t>(view.frames - 1) * view.header.every};
  lines.add("rows", rows_of(extent, 0, static_cast<double>(extent.last) * view.header.dt,
                            fmt::format(", one every {} steps of {} s", view.header.every, number_text(view.header.dt))));
  lines.add("devices", fmt::format("{} numbers a row", view.header.frame_bytes / sizeof(double)));
  return print(options, lines, {}, reporter);
}

cli::ExitCode info(const InfoOptions& options, cli::Reporter& reporter) {
  if (std::error_code error; fs::is_regular_file(options.input, error)) {
    const Input input = Input::open(options.input);
    const file_kind::Kind kind = file_kind::kind_of(input.text());
    if (const std::string text = kind == file_kind::Kind::autosim_world ? scenario_summary(input) : ""; !text.empty()) {
      cli::print(cli::printable_lines(text));
      return reporter.finish();
    }
    if (kind == file_kind::Kind::gltf) return scene_info(options, input.text(), reporter);
    if (kind == file_kind::Kind::gpx) return tracks_info(options, input.text(), reporter);
    if (sim::is_recording(input.text()))
      if (const auto view = sim::read_recording(input.text(), input.name()); view.value && !view.value->description)
        return old_recording_info(options, *view.value, reporter);
    if (const auto outline = trace::read_outline(options.input)) return outline_info(options, *outline, reporter);
  }
  NoRows no_rows;
  const auto read = read_trace_parts(reporter, options.input, no_rows);
  if (!read) return reporter.finish(cli::ExitCode::input);
  Lines lines;
  lines.add_form(read->recording ? kRecording : form_of(read->format), options.input, read->cut);
  describe(*read->trace.value, read->extent, lines);
  return print(options, lines, read->trace.value->header, reporter);
}

}  // namespace

void add_info(cli::Command& program) {
  cli::Command& command =
      program.add("info", "Show what is in a trace of any format, or which programs a scenario names and may run");
  auto& o = command.keep<InfoOptions>();
  command.positional("TRACE", o.input, "Trace, or scenario (World XML)").required();
  command.flag("--devices", o.devices, "Also list the devices with their fields and units");
  command.examples({"simrun info run.json --devices"});
  command.run([&o](cli::Reporter& reporter) { return info(o, reporter); });
}

}  // namespace simbatch::simrun
