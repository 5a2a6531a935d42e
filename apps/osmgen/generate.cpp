// Opens the files, calls lib/town and reports: no output changes unless everything succeeded. The pipeline is drawn in
// lib/town/generate.cpp.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "apps/common/outputs.hpp"
#include "apps/common/reporter.hpp"
#include "apps/osmgen/codes.hpp"
#include "apps/osmgen/measure.hpp"
#include "apps/osmgen/osmgen.hpp"
#include "apps/osmgen/summary.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/read_files.hpp"
#include "base/core/text.hpp"
#include "base/core/workers.hpp"
#include "formats/autosim/houses.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/pass_through.hpp"
#include "formats/osm/read.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/town/defaults.hpp"
#include "lib/town/generate.hpp"
#include "lib/town/houses_geojson.hpp"
#include "lib/town/preview.hpp"
#include "lib/town/town.hpp"

namespace simbatch::osmgen {
namespace {

constexpr unsigned kMaxJobs = 64;

struct GenerateOptions {
  std::string input, output = "-";
  std::string setup, houses;         ///< empty: town::default_setup(), town::default_houses()
  std::string style = "places";      ///< or "rows": the thesis' rules alone
  std::vector<std::string> without;  ///< names of rules that are not applied
  std::optional<double> sign_distance, street_distance, house_distance;
  std::string as = "nodes";  ///< or "buildings"
  town::GenerateOptions generate;
  bool remove = false;
  std::string preview, geojson, report;
  unsigned jobs = 0;  ///< placing threads; 0: one per processor, at most kMaxJobs
};

template <class T>
std::optional<T> load(const std::string& file, file_kind::Purpose purpose,
                      Parsed<T> (*read)(std::string_view, const std::string&), cli::Reporter& reporter) {
  const Input input = Input::open(file, std::size_t{1} << 28);
  Parsed<T> parsed = read(input.text(), input.name());
  const bool ok = parsed.ok();
  file_kind::explain_errors(input.text(), input.name(), purpose, parsed.diagnostics);
  reporter.show(std::move(parsed.diagnostics));
  if (!ok) return std::nullopt;
  return std::move(parsed.value);
}

bool measured(autosim::HouseList& houses, const GenerateOptions& options, cli::Reporter& reporter) {
  Diagnostics about(options.houses);
  measure_models(houses, options.houses, options.style != "rows", about);
  const bool ok = !about.has_errors();
  reporter.show(std::move(about));
  return ok;
}

cli::Outputs outputs_of(const GenerateOptions& options) {
  cli::Outputs files;
  files.reads("FILE", options.input);
  files.reads("--setup", options.setup);
  files.reads("--houses", options.houses);
  files.writes("--output", options.output, "FILE");
  files.writes("--preview", options.preview);
  files.writes("--geojson", options.geojson);
  files.writes("--report", options.report);
  return files;
}

/// False, after an error, if an output would replace the file of a house.
bool keeps_models(const GenerateOptions& options, const ReadFiles& read, cli::Reporter& reporter) {
  std::string conflict = outputs_of(options).conflict(read);
  if (conflict.empty()) return true;
  Diagnostics problem(options.houses);
  problem.report(code::kOverwrite, {}, std::move(conflict));
  reporter.show(std::move(problem));
  return false;
}

cli::ExitCode remove(const GenerateOptions& options, cli::Reporter& reporter) {
  const Input input = Input::open(options.input);
  osm::ReadOptions read;
  read.keep_keys = {std::string(town::kGeneratedKey)};
  read.locate_key = std::string(town::kGeneratedKey);
  Parsed<osm::Document> map = read_map(input, read);
  const bool ok = map.ok();
  reporter.show(std::move(map.diagnostics));
  if (!ok || reporter.failed()) return reporter.finish(cli::ExitCode::input);
  osm::PassThroughOptions pass;
  pass.drop_located = true;
  pass.set_upload_false = false;
  // A house made as a building is a way with four nodes of its own.
  const osm::Layout& layout = map.value->layout;
  const std::size_t count =
      layout.located_nodes.size() - 3 * std::min(layout.located_ways.size(), layout.located_nodes.size() / 4);
  reporter.show(osm::pass_through(input, *map.value, options.output, pass, [](osm::NodeSink&) {}));
  if (!reporter.failed()) reporter.status(fmt::format("{} generated houses and trees removed", count));
  return reporter.finish();
}

unsigned jobs_of(const GenerateOptions& options) {
  if (options.jobs != 0) return options.jobs;
  return std::clamp(std::thread::hardware_concurrency(), 1U, kMaxJobs);
}

/// Tables are large and short-lived. Only the very large ones get a mapping of their own, returned when freed, since every new
/// page costs a fault: others reuse what the ones before them left, in one heap instead of one per thread.
void keep_memory() {
  ::mallopt(M_MMAP_THRESHOLD, 1 << 25);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 28);
  ::mallopt(M_ARENA_MAX, 1);
}

void write_extras(const GenerateOptions& options, const osm::Document& document, town::Generated& generated,
                  std::vector<AtomicFile>& files) {
  auto next = files.begin();
  if (!options.preview.empty()) {
    town::PreviewOptions preview;
    preview.title = std::filesystem::path(options.input).filename().string();
    // Maps from the database must carry its attribution; hand-made ones number their nodes from 1.
    preview.credit_osm = document.facts.highest_id[0] > 1'000'000;
    (next++)->write(town::preview_svg(document.model, generated.town, generated.placed, preview));
  }
  if (!options.geojson.empty()) (next++)->write(town::houses_geojson(generated.town, generated.placed));
  if (!options.report.empty()) (next++)->write(summary_json(generated.town, generated.placed));
}

/// What the style and the distances given amount to.
town::GenerateOptions resolved(const GenerateOptions& options) {
  town::GenerateOptions how = options.generate;
  if (options.street_distance) how.place.street_distance = *options.street_distance;
  if (options.house_distance) how.place.house_distance = *options.house_distance;
  how.as_buildings = options.as == "buildings";
  how.town.rules = {};
  if (options.style == "rows") return how;
  how.town.rules = town::all_rules();
  if (options.sign_distance) how.town.rules.sign_distance = *options.sign_distance;
  for (const std::string& rule : options.without) town::switch_off(how.town.rules, rule);
  how.place.fronts_by_street = !options.street_distance && !how.place.front_distance;
  how.place.gaps_by_street = !options.house_distance;
  return how;
}

cli::ExitCode generate(const GenerateOptions& options, cli::Reporter& reporter) {
  if (options.remove) return remove(options, reporter);
  keep_memory();
  std::optional<autosim::MapSetup> setup;
  const ReadFiles read;
  if (!options.setup.empty()) setup = load(options.setup, file_kind::Purpose::setup, autosim::read_setup, reporter);
  std::optional<autosim::HouseList> houses;
  if (options.houses.empty())
    houses = town::default_houses(options.style == "rows" ? town::Style::rows : town::Style::places);
  else
    houses = load(options.houses, file_kind::Purpose::houses, autosim::read_houses, reporter);
  if (houses && !options.houses.empty() && !measured(*houses, options, reporter)) houses.reset();
  Workers workers(jobs_of(options));  // after models are read, in processes that are forked
  const Input input = Input::open(options.input);
  if (!keeps_models(options, read, reporter)) return reporter.finish();
  AtomicFile output(options.output);
  Parsed<osm::Document> map = town::read_map(input, workers);
  file_kind::explain_errors(input.text(), input.name(), file_kind::Purpose::map, map.diagnostics);
  if (options.setup.empty() && map.ok()) setup = town::default_setup(map.value->model, "town");
  const bool ok = map.ok() && setup && houses;
  reporter.show(std::move(map.diagnostics));
  if (!ok || reporter.failed()) return reporter.finish(cli::ExitCode::input);
  // All outputs are opened before the first is complete.
  std::vector<AtomicFile> files;
  files.reserve(4);
  for (const std::string* file : {&options.preview, &options.geojson, &options.report})
    if (!file->empty()) files.emplace_back(*file);

  town::GenerateOptions how = resolved(options);
  Diagnostics about_houses(options.houses), about_map(input.name());
  town::report_deep_models(*houses, how.place, about_houses);
  reporter.show(std::move(about_houses));
  if (reporter.failed()) return reporter.finish();
  how.keep_map = !options.preview.empty();
  how.keep_houses = how.keep_map || !options.geojson.empty();
  how.strict = reporter.options().strict;
  std::optional<town::Generated> generated =
      town::generate(input, *map.value, *setup, *houses, how, output, workers, about_map);
  reporter.show(std::move(about_map));
  if (!generated || reporter.failed()) return reporter.finish();
  write_extras(options, *map.value, *generated, files);
  files.push_back(std::move(output));
  AtomicFile::commit_all(files);
  reporter.status(summary_text(generated->town, generated->placed));
  return reporter.finish();
}

/// No map goes to a screen, and the name decides how it is packed.
std::string wrong_output(const std::string& file) {
  if (file == "-") {
    if (::isatty(STDOUT_FILENO) != 0) return "--output: the map would go to the terminal; name a file, or redirect it";
    return {};
  }
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!error && std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return {};  // a pipe or device
  const std::string name = lower_ascii(file);
  for (const char* suffix : {".osm", ".xml", ".osm.gz", ".osm.bz2", ".xml.gz", ".xml.bz2", ".pbf"})
    if (name.ends_with(suffix)) return {};
  return "--output: " + quoted(file) + " does not say its kind: expected .osm, .osm.gz, .osm.bz2 or .osm.pbf";
}

/// --remove reads and writes the map alone.
std::string wrong_removal(const GenerateOptions& o) {
  if (o.generate.town.keep_generated) return "--remove and --keep exclude each other";
  if (!o.preview.empty() || !o.geojson.empty()) return "--remove leaves no houses to draw";
  if (!o.report.empty()) return "--remove places no houses to report";
  const town::GenerateOptions& how = o.generate;
  const std::pair<bool, const char*> given[] = {{!o.setup.empty(), "--setup"},
                                                {!o.houses.empty(), "--houses"},
                                                {!o.without.empty(), "--without"},
                                                {o.sign_distance.has_value(), "--sign-distance"},
                                                {!how.town.along.empty(), "--along"},
                                                {o.street_distance.has_value(), "--street-distance"},
                                                {how.place.front_distance.has_value(), "--front-distance"},
                                                {o.house_distance.has_value(), "--house-distance"},
                                                {how.place.forest_inside.has_value(), "--forest-inside"},
                                                {!how.town.not_along.empty(), "--not-along"},
                                                {how.place.clip_to_bounds, "--clip-to-bounds"},
                                                {o.style != "places", "--style"},
                                                {o.as != "nodes", "--as"},
                                                {how.town.clearance != town::GenerateOptions().town.clearance, "--clearance"},
                                                {how.town.over_tunnels, "--over-tunnels"},
                                                {how.town.ignore_paths, "--ignore-paths"},
                                                {how.positive_ids_from.has_value(), "--positive-ids-from"}};
  for (const auto& [is_given, name] : given)
    if (is_given) return std::string(name) + " is about placing houses; --remove places none";
  return {};
}

std::string wrong_combination(const GenerateOptions& o) {
  if (o.remove)
    if (std::string problem = wrong_removal(o); !problem.empty()) return problem;
  if (o.street_distance && o.generate.place.front_distance) return "--street-distance and --front-distance exclude each other";
  if (o.style == "rows" && o.sign_distance)
    return "--sign-distance is about the rules of --style places; rows has none of them";
  if (o.sign_distance && std::find(o.without.begin(), o.without.end(), "settlement") != o.without.end())
    return "--sign-distance is about the rule that --without settlement leaves out";
  if (o.style == "rows" && !o.without.empty()) return "--without is about the rules of --style places; rows has none of them";
  if (o.style == "rows" && !o.generate.town.along.empty())
    return "--along is about the back ways of --style places; rows has houses along all kinds of the setup";
  if (std::string problem = outputs_of(o).conflict(); !problem.empty()) return problem;
  return wrong_output(o.output);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::optional<std::string> known_rule(std::string_view word) {
  town::Rules rules;
  if (!town::switch_off(rules, word)) return std::nullopt;
  return std::string(word);
}

void add_rule_options(cli::Command& command, GenerateOptions& options) {
  town::GenerateOptions& o = options.generate;
  command.group("Rules");
  command
      .option("--style", "STYLE", options.style,
              "places: houses where a settlement would have them; rows: along every street, as in the thesis")
      .choices({"places", "rows"})
      .show_default();
  command.option("--without", "RULE", {options.without, known_rule, "one of " + joined(town::rule_names())},
                 "Places: do not apply a rule (repeatable): " + joined(town::rule_names()));
  command
      .option("--sign-distance", "M", options.sign_distance,
              "Places: how far around a mapped building there may be houses (default: 100)")
      .range(1, 500);
  command.option("--along", "KIND", o.town.along,
                 "Places: houses also along this kind of back way, such as track (repeatable)");
}

void add_placing_options(cli::Command& command, GenerateOptions& options) {
  town::GenerateOptions& o = options.generate;
  // 10 km: larger values are implausible as a distance to a street.
  constexpr double kFar = 10'000;
  command.group("Placing (meters)");
  command
      .option(
          "--street-distance", "M", options.street_distance,
          "Distance from the pavement's edge to the middle of a house (default: by the kind of street; 12 with --style rows)")
      .range(0, kFar);
  command
      .option("--front-distance", "M", o.place.front_distance,
              "Instead, distance from the pavement's edge to the front of a house")
      .range(0, kFar);
  command
      .option("--house-distance", "M", options.house_distance,
              "Free space between neighbors in a row (default: by the kind of street; 6 with --style rows)")
      .range(0, kFar);
  command.option("--clearance", "M", o.town.clearance, "Minimum gap between a house and any obstacle")
      .range(0, 100)
      .show_default();
  command.option("--forest-inside", "M", o.place.forest_inside, "Fill wooded areas with trees at this mean distance")
      .range(0.5, kFar);
  command.option("--not-along", "KIND", o.town.not_along, "No houses along this kind of road (repeatable)");
  command.flag("--clip-to-bounds", o.place.clip_to_bounds, "Only place houses inside the map's bounds");
  command.flag("--over-tunnels", o.town.over_tunnels, "Allow houses over tunnels");
  command.flag("--ignore-paths", o.town.ignore_paths, "Allow houses on paths that the setup does not list");
}

}  // namespace

void add_generate(cli::Command& program) {
  auto& o = program.keep<GenerateOptions>();
  program.positional("FILE", o.input, "Map: .osm, .osm.gz, .osm.bz2, .osm.pbf; - is standard input (XML)").required();
  program.group("Output");
  program.option("-o,--output", "FILE", o.output, "Map with the houses; may be FILE itself; - is standard output");
  program.group("Input");
  program.option("--setup", "FILE", o.setup, "Map setup: kinds of road, their widths and pavements (default: usual ones)");
  program.option("--houses", "FILE", o.houses, "House list: models by land use (default: a small one)");
  add_rule_options(program, o);
  add_placing_options(program, o);
  program.group("Output");
  program.option("--as", "FORM", o.as, "nodes: points with models, for simulators; buildings: outlines with heights and roofs")
      .choices({"nodes", "buildings"})
      .show_default();
  program.flag("--keep", o.generate.town.keep_generated, "Keep the houses of earlier runs instead of replacing them");
  program.flag("--remove", o.remove, "Remove all generated houses and place none");
  program
      .option("--positive-ids-from", "N", o.generate.positive_ids_from,
              "Number new nodes N, N+1, ... instead of with negative ids")
      .at_least(1);
  program.option("--preview", "FILE", o.preview, "Draw the town to an SVG file");
  program.option("--geojson", "FILE", o.geojson, "Write the houses' footprints as GeoJSON");
  program.option("--report", "FILE", o.report, "Write the summary as JSON");
  program.group("Behavior");
  program.option("--jobs", "N", o.jobs, "Threads that place; the output does not depend on it (default: one per processor)")
      .range(0, kMaxJobs);
  program.check([&o] { return wrong_combination(o); });
  program.examples(
      {"osmgen town.osm -o town-houses.osm",
       "osmgen town.osm -o town-houses.osm --setup setup.xml --houses houses.xml --style rows --street-distance 12",
       "osmgen town.osm -o town.osm --setup setup.xml --houses houses.xml --preview town.svg",
       "osmgen --remove town.osm -o town.osm"});
  program.run([&o](cli::Reporter& reporter) { return generate(o, reporter); });
}

}  // namespace simbatch::osmgen
