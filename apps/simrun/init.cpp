// simrun init: a starter folder with a scenario, a robot and a controller.

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <map>

#include "apps/common/installation.hpp"
#include "apps/common/new_folder.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/input.hpp"
#include "base/core/shell_word.hpp"
#include "base/xml/xml.hpp"
#include "lib/scenario/starter_map.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;
namespace fs = std::filesystem;

struct InitOptions {
  std::string folder, map;
  std::string robot = "car";
};

/// The parts of README.txt that depend on the robot.
struct Starter {
  std::string_view robot;
  std::string_view setting;  ///< an example of --set
  std::string_view view;     ///< options of `simrun snapshot`; empty: it has a camera
  bool drives = false;       ///< on roads
};
constexpr std::array kStarters = {Starter{"car", "car.chassis.Mass=2000", "", true},
                                  Starter{"diff", "diff.base.Mass=9", " --from 1,1.5,-2 --to 0,0,0.5", true},
                                  Starter{"boat", "boat.hull.Mass=300", " --from 4,2,-6 --to 0,0,2", false},
                                  Starter{"arm", "arm.pen.Mass=0.3", " --from 1,1,-1 --to 0,0.2,0.4", false}};

const Starter* starter_of(std::string_view robot) {
  for (const Starter& each : kStarters)
    if (each.robot == robot) return &each;
  return nullptr;
}

std::string filled(std::string text, const std::map<std::string, std::string>& values) {
  for (const auto& [name, value] : values)
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size()))
      text.replace(at, name.size(), value);
  return text;
}

void check_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !(fs::is_directory(folder, error) && fs::is_empty(folder, error)))
    throw IoError(folder.string(), "exists and is not an empty folder; nothing was written");
}

std::string map_name(const std::string& file) {
  for (const std::string_view packed : {".gz", ".bz2", ".pbf"})
    if (file.ends_with(packed)) return "map.osm" + std::string(packed);
  return "map.osm";
}

/// The files of a map, and the part of the scenario that refers to it. Empty after errors.
std::optional<scenario::StarterMap> use_map(const InitOptions& options, std::map<fs::path, std::string>& files,
                                            cli::Reporter& reporter) {
  const Input streets = Input::open(options.map);
  const fs::path beside = fs::path(options.map).parent_path() / "setup.xml";
  std::error_code error;
  auto made = fs::is_regular_file(beside, error) ? scenario::starter_map(streets, Input::open(beside.string()))
                                                 : scenario::starter_map(streets);
  reporter.show(std::move(made.diagnostics));
  if (!made.value) return std::nullopt;
  files[fs::path("map") / map_name(options.map)] = streets.text();
  files[fs::path("map") / "setup.xml"] = made.value->setup;
  return std::move(made.value);
}

std::string read_me(const Starter& starter, bool has_map) {
  const std::string robot(starter.robot);
  return filled(
      cli::starter_text("README.txt"),
      {{"@KIND@", robot},
       {"@PAD@", std::string(11 - robot.size(), ' ')},
       {"@GAP@", std::string(5 - robot.size(), ' ')},
       {"@SETTING@", fmt::format("{:<24}", starter.setting)},
       {"@VIEW@", starter.view.empty() ? "                 a picture" : std::string(starter.view)},
       {"@MAP@", has_map ? "\nmap/           the street map, and setup.xml: widths of its roads, the world's origin" : ""}});
}

ExitCode init(const InitOptions& options, cli::Reporter& reporter) {
  const Starter& starter = *starter_of(options.robot);
  const fs::path folder(options.folder), templates(options.robot);
  std::map<fs::path, std::string> files;
  std::optional<scenario::StarterMap> map;
  if (!options.map.empty()) {
    map = use_map(options, files, reporter);
    if (!map) return reporter.finish(ExitCode::input);
  }
  std::string road, scenario_text;
  if (map) xml::append_escaped(road, map->road, true);
  scenario_text = cli::starter_text(templates / (map ? "town.xml" : "scenario.xml"));
  if (map) scenario_text = filled(scenario_text, {{"@ROAD@", road}, {"@AT@", fmt::format("{}", map->at)}});
  files["scenario.xml"] = std::move(scenario_text);
  files[options.robot + ".xml"] = cli::starter_text(templates / (options.robot + ".xml"));
  files["drive.py"] = cli::starter_text(templates / "drive.py");
  files["README.txt"] = read_me(starter, map.has_value());

  check_folder(folder);
  cli::NewFolder made(folder);
  for (const auto& [name, text] : files) made.write(name, text);
  made.commit();
  reporter.status(fmt::format("{} files in {}. To go on:", files.size(), options.folder));
  for (const std::string& line : first_commands(options.folder, options.robot)) reporter.status("  " + line);
  reporter.status("  simrun replay run.json -o run.html");
  reporter.status(fmt::format("{} says more", (folder / "README.txt").string()));
  return reporter.finish();
}

}  // namespace

std::vector<std::string> first_commands(const std::string& folder, const std::string& robot) {
  const std::string scenario = shell_word((fs::path(folder) / "scenario.xml").string()),
                    program = (fs::path(folder) / "drive.py").string(), word = shell_word(program);
  const std::string controller =
      word == program ? robot + "=\"python3 " + program + "\"" : shell_word(robot + "=python3 " + word);
  return {"simrun " + scenario, "simrun " + scenario + " --controller " + controller + " --trace run.json"};
}

void add_init(cli::Command& program) {
  cli::Command& command = program.add("init", "Make a folder with a scenario, a robot and a controller to edit");
  auto& o = command.keep<InitOptions>();
  command.positional("FOLDER", o.folder, "New folder, or an empty one").required();
  command.option("--robot", "ROBOT", o.robot, "Robot to begin with").choices({"car", "diff", "boat", "arm"}).show_default();
  command.option("--map", "FILE", o.map,
                 "OpenStreetMap file to drive in, instead of an open field; a setup.xml beside it is used as well");
  command.check([&o] {
    const Starter* starter = starter_of(o.robot);
    if (o.map.empty() || starter == nullptr || starter->drives) return std::string();
    return fmt::format("--map needs a robot that drives: car or diff, not {}", o.robot);
  });
  command.examples({"simrun init my_car", "simrun init my_town --map town.osm --robot diff"});
  command.run([&o](cli::Reporter& reporter) { return init(o, reporter); });
}

}  // namespace simbatch::simrun
