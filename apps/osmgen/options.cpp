#include <CLI/CLI.hpp>

#include "apps/osmgen/generate.hpp"

namespace simbatch::osmgen {

void add_options(CLI::App& app, GenerateOptions& options) {
  app.add_option("FILE", options.input, "Map: .osm, .osm.gz, .osm.bz2, .osm.pbf; - is standard input (XML)")->type_name("");
  app.add_option("-o,--output", options.output, "Map with the houses; may be FILE itself; - is standard output")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--setup", options.setup, "Map setup: kinds of road, their widths and pavements")
      ->type_name("FILE")
      ->group("Input");
  app.add_option("--houses", options.houses, "House list: models by land use")->type_name("FILE")->group("Input");

  const std::string placing = "Placing (metres)";
  app.add_option("--street-distance", options.street_distance, "From the pavement's edge to the middle of a house")
      ->type_name("M")
      ->capture_default_str()
      ->group(placing);
  app.add_option("--front-distance", options.front_distance, "Instead: from the pavement's edge to the front of a house")
      ->type_name("M")
      ->group(placing);
  app.add_option("--house-distance", options.house_distance, "Free space between neighbours in a row")
      ->type_name("M")
      ->capture_default_str()
      ->group(placing);
  app.add_option("--clearance", options.clearance, "Kept between a house and everything else")
      ->type_name("M")
      ->capture_default_str()
      ->group(placing);
  app.add_option("--forest-inside", options.forest_inside, "Fill areas of trees, at this mean distance")
      ->type_name("M")
      ->group(placing);
  app.add_option("--not-along", options.not_along, "No houses along this kind of road (may be given again)")
      ->type_name("KIND")
      ->expected(1)
      ->take_all()
      ->group(placing);
  app.add_flag("--clip-to-bounds", options.clip_to_bounds, "Only houses inside the map's bounds")->group(placing);
  app.add_flag("--over-tunnels", options.over_tunnels, "Tunnels do not keep houses away")->group(placing);
  app.add_flag("--ignore-paths", options.ignore_paths, "Nor do paths that the setup does not list")->group(placing);

  app.add_flag("--keep", options.keep, "Add to the houses of an earlier run instead of replacing them")->group("Output");
  app.add_flag("--remove", options.remove, "Take all generated houses out, place none")->group("Output");
  app.add_option("--positive-ids-from", options.positive_ids_from, "Ids N, N+1, ... instead of negative ones")
      ->type_name("N")
      ->group("Output");
  app.add_option("--preview", options.preview, "Draw the town to an SVG file")->type_name("FILE")->group("Output");
  app.add_option("--geojson", options.geojson, "Write the houses' footprints as GeoJSON")->type_name("FILE")->group("Output");
  app.add_option("--report", options.report, "Write the summary as JSON")->type_name("FILE")->group("Output");
  app.add_option("--jobs", options.jobs, "Threads that place; the output does not depend on it (default: one a processor)")
      ->type_name("N")
      ->group("Behaviour");
  cli::add_common(app, options.common);
}

std::optional<std::string> wrong_usage(const GenerateOptions& options) {
  if (options.input.empty()) return "FILE is required";
  if (options.remove) {
    if (options.keep) return "--remove and --keep exclude each other";
    if (!options.preview.empty() || !options.geojson.empty()) return "--remove leaves no houses to draw";
    return std::nullopt;
  }
  if (options.setup.empty()) return "--setup is required";
  if (options.houses.empty()) return "--houses is required";
  // 10 km: beyond that it is no distance to a street.
  const auto within = [](double value, double least) { return value >= least && value <= 10'000; };
  if (!within(options.street_distance, 0)) return "--street-distance: expected 0 to 10000 m";
  if (options.front_distance && !within(*options.front_distance, 0)) return "--front-distance: expected 0 to 10000 m";
  if (!within(options.house_distance, 0)) return "--house-distance: expected 0 to 10000 m";
  if (!(options.clearance >= 0 && options.clearance <= 100)) return "--clearance: expected 0 to 100 m";
  if (options.forest_inside && !within(*options.forest_inside, 0.5)) return "--forest-inside: expected 0.5 to 10000 m";
  if (options.positive_ids_from && *options.positive_ids_from <= 0) return "--positive-ids-from: expected a positive number";
  if (options.jobs > kMostJobs) return "--jobs: expected 1 to 64, or 0 for one a processor";
  int stdouts = 0;
  for (const std::string* file : {&options.output, &options.preview, &options.geojson, &options.report})
    if (*file == "-") ++stdouts;
  if (stdouts > 1) return "only one output can be standard output";
  int stdins = 0;
  for (const std::string* file : {&options.input, &options.setup, &options.houses})
    if (*file == "-") ++stdins;
  if (stdins > 1) return "only one input can be standard input";
  return std::nullopt;
}

}  // namespace simbatch::osmgen
