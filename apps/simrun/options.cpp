#include "apps/simrun/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/core/number.hpp"
#include "base/core/shell_word.hpp"
#include "base/process/socket.hpp"
#include "lib/serve/control_endpoints.hpp"

namespace simbatch::simrun {

std::optional<PixelSize> read_pixel_size(std::string_view text) {
  constexpr int kMax = 8192;
  const std::size_t x = text.find('x');
  if (x == std::string_view::npos) return std::nullopt;
  const auto width = parse_integer<int>(text.substr(0, x)), height = parse_integer<int>(text.substr(x + 1));
  const auto allowed = [](const Number<int>& n) { return n && n.value >= 1 && n.value <= kMax; };
  if (!allowed(width) || !allowed(height)) return std::nullopt;
  return PixelSize{width.value, height.value};
}

std::optional<geo::Vec3> read_point(std::string_view text) {
  constexpr double kFarthest = 1e7;  // m
  double values[3];
  for (int i = 0; i < 3; ++i) {
    const std::size_t comma = text.find(',');
    if ((comma == std::string_view::npos) != (i == 2)) return std::nullopt;
    const auto number = parse_double(text.substr(0, comma));
    if (!number || !(std::abs(number.value) < kFarthest)) return std::nullopt;
    values[i] = number.value;
    if (i < 2) text.remove_prefix(comma + 1);
  }
  return geo::Vec3{values[0], values[1], values[2]};
}

std::optional<std::pair<std::string, std::string>> read_pair(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos || equals + 1 == text.size()) return std::nullopt;
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

void add_root_option(cli::Command& command, std::string& root) {
  command.option("--root", "DIR", root, "Folder that the scenario may read files from (default: its own)");
}

void add_rndf_option(cli::Command& command, std::string& rndf, std::string help) {
  command.option("--rndf", "FILE", rndf, std::move(help));
}

void add_file_options(cli::Command& command, ScenarioFiles& files) {
  add_root_option(command, files.root);
  command.option("--graspit-root", "DIR", files.graspit_root,
                 "Base folder of a GraspIt! world (default: $GRASPIT, or detected)");
  add_rndf_option(command, files.rndf, "Road network of a CajunBot object file");
  const auto setting = [](std::string_view word) -> std::optional<scenario::FileChange> {
    bool in_brackets = false;  // of a study's path: [@name='car']
    std::size_t equals = 0;
    for (; equals < word.size() && (in_brackets || word[equals] != '='); ++equals)
      if (word[equals] == '[' || word[equals] == ']') in_brackets = word[equals] == '[';
    if (equals == 0 || equals == word.size()) return std::nullopt;
    return scenario::FileChange{std::string(word.substr(0, equals)), std::string(word.substr(equals + 1))};
  };
  command.option(
      "--set", "NAME=VALUE", {files.settings, setting, "NAME=VALUE, like car.chassis.Mass=2000"},
      "Replace a value of the scenario or of a robot's file: car.chassis.Mass=2000, Engine.Friction=0.4; may be repeated");
}

std::string file_words(const ScenarioFiles& files) {
  std::string words;
  for (const auto& [option, value] :
       {std::pair("--root", &files.root), std::pair("--graspit-root", &files.graspit_root), std::pair("--rndf", &files.rndf)})
    if (!value->empty()) words += std::string(" ") + option + " " + shell_word(*value);
  for (const scenario::FileChange& change : files.settings) words += " --set " + shell_word(change.at + "=" + change.value);
  return words;
}

std::string program_words(const ProgramOptions& programs) {
  std::string words;
  for (const std::string& word : words_of(programs)) words += " " + shell_word(word);
  return words;
}

std::optional<Moment> read_moment(std::string_view text) {
  if (const auto step = parse_integer<std::int64_t>(text)) {
    if (step.value < 0 || static_cast<double>(step.value) > kMaxSteps) return std::nullopt;
    return Moment{step.value, {}};
  }
  if (!text.ends_with('s')) return std::nullopt;
  text.remove_suffix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const auto seconds = parse_double(text);
  if (!seconds || !(seconds.value >= 0) || !(seconds.value <= kMaxSeconds)) return std::nullopt;
  return Moment{0, seconds.value};
}

std::int64_t steps_in(double seconds, double dt) {
  return static_cast<std::int64_t>(std::min(std::round(seconds / dt), kMaxSteps));
}

std::int64_t Moment::step_at(double dt) const { return seconds ? steps_in(*seconds, dt) : step; }

bool is_controller(std::string_view text) {
  if (is_socket_address(text)) return parse_socket_address(text).has_value();
  return !sim::is_web_address(text) || serve::parse_web_address(text);
}

namespace {

bool is_there(std::string_view path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

}  // namespace

void add_program_options(cli::Command& command, ProgramOptions& programs) {
  command.group("Programs");
  const auto library = [](std::string_view word) -> std::optional<scenario::ProgramChoice> {
    auto pair = read_pair(word);
    if (!pair) return std::nullopt;
    return scenario::ProgramChoice{std::move(pair->first), std::move(pair->second)};
  };
  const auto controller = [](std::string_view word) -> std::optional<scenario::ControllerChoice> {
    auto pair = read_pair(word);
    if (!pair || !is_controller(pair->second)) return std::nullopt;
    return scenario::ControllerChoice{std::move(pair->first), std::move(pair->second)};
  };
  command.flag("--allow-programs", programs.allow,
               "Run the programs (native code) that the scenario itself names; only for scenarios that you trust");
  command.option("--program", "ROBOT=LIBRARY", {programs.choices, library, "ROBOT=LIBRARY"},
                 "Run this program for robots of that name (* and ?), instead of the scenario's; may be repeated");
  command.option(
      "--controller", "ROBOT=COMMAND",
      {programs.controllers, controller, "ROBOT=COMMAND, ROBOT=tcp:[ADDRESS:]PORT, ROBOT=ws:[ADDRESS:]PORT or ROBOT=unix:PATH"},
      "Start this command, which controls robots of that name through lines of JSON, instead of the scenario's "
      "programs; Python finds simbatch_client; or wait at tcp:PORT, ws:PORT (WebSocket) or unix:PATH until one connects; "
      "may be repeated");
  command.flag("--isolate", programs.isolate,
               "Run each program and controller in a sandbox: no files of yours, no network, no other processes");
  command
      .option("--isolate-read", "PATH", programs.readable,
              "Let isolated controllers also read this file or folder; may be repeated")
      .accepts([](std::string_view path) { return is_there(path); }, "a file or folder that exists");
  command.flag("--ignore-programs", programs.ignore, "Run none of the programs that the scenario names");
  command.check([&programs] {
    const bool chosen = !programs.choices.empty() || !programs.controllers.empty();
    if (programs.ignore && chosen) return std::string("--ignore-programs leaves nothing to --program and --controller");
    return programs.readable.empty() || programs.isolate ? std::string() : std::string("--isolate-read needs --isolate");
  });
  command.option("--program-timeout", "S", programs.timeout, "Wall-clock limit per turn in seconds (0: no limit)")
      .range(0, 1e6)
      .show_default();
}

void add_clock_options(cli::Command& command, std::optional<double>& dt, std::optional<std::uint64_t>& seed) {
  command.option("--dt", "S", dt, "Seconds per step, instead of the scenario's").range(1e-9, 1);
  command.option("--seed", "K", seed, "Seed of all noise, instead of the scenario's");
}

void add_devices_option(cli::Command& command, std::vector<std::string>& patterns) {
  command.option("--devices", "GLOB", patterns, "Only nodes whose full name matches; * and ?; may be repeated");
}

void add_format_options(cli::Command& command, std::string& format, std::string& compression) {
  command.option("--format", "FORMAT", format, "Format of the trace (default: by the suffix of FILE)")
      .choices({"json", "ndjson", "csv", "wide", "mcap", "parquet", "npz", "mat"});
  command.option("--compression", "WORD", compression, "Inside of an MCAP or Parquet file: zstd, or none (default: zstd)")
      .choices({"zstd", "none"});
}

bool is_scene(std::string_view path) { return path.ends_with(".glb"); }
bool is_gps_file(std::string_view path) { return path.ends_with(".gpx"); }

std::string trace_problem(const std::string& format, const std::string& path, const std::string& option) {
  if (path.empty()) return {};
  if (path == "-")
    return format == "csv" ? fmt::format("{}: CSV tables need a folder, not standard output", option) : std::string();
  if (is_scene(path) || is_gps_file(path))
    return fmt::format("{}: {} is not a trace; write one, and then `simrun convert run.json -o run{}`", option,
                       simbatch::quoted(path), path.substr(path.rfind('.')));
  if (format.empty() && !trace::format_of(path))
    return fmt::format("{}: the suffix of {} names no format of traces; use --format", option, simbatch::quoted(path));
  return {};
}

std::string compression_problem(const std::string& compression, const std::string& format, const std::string& path) {
  if (compression.empty()) return {};
  if (path.empty()) return "--compression needs --trace";
  if (!is_scene(path) && !is_gps_file(path)) {
    const trace::Format written = trace_format(format, path);
    if (written == trace::Format::mcap || written == trace::Format::parquet) return {};
  }
  return "--compression: only MCAP and Parquet have a choice; for JSON, NDJSON and wide tables, call the file .zst or .gz";
}

trace::Compression trace_compression(const std::string& compression) {
  return compression == "none" ? trace::Compression::none : trace::Compression::zstd;
}

trace::Format trace_format(const std::string& format, const std::string& path) {
  if (!format.empty()) return *trace::format_named(format);
  return path == "-" ? trace::Format::json : *trace::format_of(path);
}

}  // namespace simbatch::simrun
