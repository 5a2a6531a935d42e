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
#include "lib/file_kind/file_kind.hpp"

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

std::string_view format_name(std::optional<trace::Format> format) {
  if (!format) return "recording";
  switch (*format) {
    case trace::Format::json: return "JSON";
    case trace::Format::ndjson: return "NDJSON";
    case trace::Format::csv: return "folder of CSV tables";
    case trace::Format::wide: return "CSV table";
    case trace::Format::mcap: return "MCAP";
    case trace::Format::parquet: return "Parquet";
    case trace::Format::npz: return "NPZ";
    case trace::Format::mat: return "MAT";
  }
  return "?";
}

/// Other programs that open a file, and what the trace lost in its format.
std::string_view readers_of(std::optional<trace::Format> format) {
  if (!format) return "without texts; simrun and Python's simbatch read it";
  switch (*format) {
    case trace::Format::mcap: return "whole; Foxglove, Lichtblick, PlotJuggler and Rerun open it";
    case trace::Format::parquet: return "whole; pandas, polars, DuckDB, R and MATLAB open it";
    case trace::Format::csv: return "whole; spreadsheets open its tables";
    default: return "whole; anything that reads JSON opens it";
  }
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

std::string summary(const trace::Trace& trace, const std::string& path, std::optional<trace::Format> format) {
  const trace::Header& header = trace.header;
  const trace::RowShape shape = trace::row_shape(header);
  std::string text;
  const auto line = [&text](std::string_view name, const std::string& value) {
    text += fmt::format("{:<13} {}\n", name, value);
  };
  line("format",
       fmt::format("{}, {:.1f} kB: {}", format_name(format), static_cast<double>(bytes_of(path)) / 1e3, readers_of(format)));
  line("scenario", fmt::format("{}, seed {}, {} input file{}", header.scenario, header.seed, header.inputs.size(),
                               header.inputs.size() == 1 ? "" : "s"));
  line("made by", header.generator + ", " + header.engine);
  line("rows", trace.steps.empty() ? std::string("none")
                                   : fmt::format("{}, steps {} to {} ({} to {} s), one every {} steps of {} s",
                                                 trace.steps.size(), trace.steps.front(), trace.steps.back(),
                                                 number_text(static_cast<double>(trace.steps.front()) * header.dt),
                                                 number_text(static_cast<double>(trace.steps.back()) * header.dt), header.every,
                                                 number_text(header.dt)));
  line("devices", fmt::format("{} with {} numbers and {} texts a row: {}", header.devices.size(), shape.numbers, shape.texts,
                              kinds_of(header)));
  for (const trace::FileChange& change : header.settings) line("set", change.at + "=" + change.value);
  if (!header.script.empty()) line("script", fmt::format("{} settings from outside", header.script.size()));
  line("end", end_of(trace));
  if (trace.end)
    for (const trace::Collision& each : trace.end->collisions)
      line("collision", fmt::format("{} with {} at {:.4g} s, {:.3g} m/s", each.robot, each.with, each.time, each.speed));
  if (trace.end)
    for (const trace::ExpectationOutcome& outcome : trace.end->expectations)
      line("expectation", fmt::format("{} {}", outcome.name, outcome.verdict));
  return text;
}

std::string device_list(const trace::Header& header) {
  std::string text;
  for (const trace::Device& device : header.devices) {
    text += fmt::format("{} ({})", device.name, device.kind);
    for (std::size_t i = 0; i < device.fields.size(); ++i) {
      const trace::Field& field = device.fields[i];
      text += fmt::format("{}{}{}", i == 0 ? ": " : ", ", field.name,
                          field.unit.empty() || field.unit == "1" ? "" : " [" + field.unit + "]");
    }
    text += '\n';
  }
  return text;
}

/// A World file instead of a trace. Empty: it is none.
std::string scenario_summary(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  const Input input = Input::open(path);
  if (file_kind::kind_of(input.text()) != file_kind::Kind::autosim_world) return {};
  const auto world = autosim::read_world(input.text(), path);
  if (!world.ok()) return {};
  std::string text = fmt::format("{:<13} AutoSim scenario, {:.1f} kB\n", "format", static_cast<double>(bytes_of(path)) / 1e3);
  for (const autosim::RobotEntry& robot : world.value->robots) text += fmt::format("{:<13} {}\n", "robot", robot.name);
  for (const std::string& line : permissions_of(path, false)) text += fmt::format("{:<13} {}\n", "program", line);
  return text;
}

cli::ExitCode info(const InfoOptions& options, cli::Reporter& reporter) {
  if (const std::string text = scenario_summary(options.input); !text.empty()) {
    cli::print(cli::printable_lines(text));
    return reporter.finish();
  }
  const auto input = read_trace(reporter, options.input);
  if (!input) return reporter.finish(cli::ExitCode::input);
  const trace::Trace& trace = *input->trace.value;
  std::string text = summary(trace, options.input, input->format);
  if (options.devices) text += "\n" + device_list(trace.header);
  cli::print(cli::printable_lines(text));
  return reporter.finish();
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
