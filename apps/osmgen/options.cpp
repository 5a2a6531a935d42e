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

  const std::string placing = "Placing (meters)";
  app.add_option("--street-distance", options.generate.place.street_distance,
                 "Distance from the pavement's edge to the middle of a house")
      ->type_name("M")
      ->capture_default_str()
      ->group(placing);
  app.add_option("--front-distance", options.generate.place.front_distance,
                 "Instead, distance from the pavement's edge to the front of a house")
      ->type_name("M")
      ->group(placing);
  app.add_option("--house-distance", options.generate.place.house_distance, "Free space between neighbors in a row")
      ->type_name("M")
      ->capture_default_str()
      ->group(placing);
  app.add_option("--clearance", options.generate.town.clearance, "Minimum gap between a house and any obstacle")
      ->type_name("M")
      ->capture_default_str()
      ->group(placing);
  app.add_option("--forest-inside", options.generate.place.forest_inside, "Fill wooded areas with trees at this mean distance")
      ->type_name("M")
      ->group(placing);
  app.add_option("--not-along", options.generate.town.not_along, "No houses along this kind of road (repeatable)")
      ->type_name("KIND")
      ->expected(1)
      ->take_all()
      ->group(placing);
  app.add_flag("--clip-to-bounds", options.generate.place.clip_to_bounds, "Only place houses inside the map's bounds")
      ->group(placing);
  app.add_flag("--over-tunnels", options.generate.town.over_tunnels, "Allow houses over tunnels")->group(placing);
  app.add_flag("--ignore-paths", options.generate.town.ignore_paths, "Allow houses on paths that the setup does not list")
      ->group(placing);

  app.add_flag("--keep", options.generate.town.keep_generated, "Keep the houses of earlier runs instead of replacing them")
      ->group("Output");
  app.add_flag("--remove", options.remove, "Remove all generated houses and place none")->group("Output");
  app.add_option("--positive-ids-from", options.generate.positive_ids_from,
                 "Number new nodes N, N+1, ... instead of with negative ids")
      ->type_name("N")
      ->group("Output");
  app.add_option("--preview", options.preview, "Draw the town to an SVG file")->type_name("FILE")->group("Output");
  app.add_option("--geojson", options.geojson, "Write the houses' footprints as GeoJSON")->type_name("FILE")->group("Output");
  app.add_option("--report", options.report, "Write the summary as JSON")->type_name("FILE")->group("Output");
  app.add_option("--jobs", options.jobs, "Threads that place; the output does not depend on it (default: one per processor)")
      ->type_name("N")
      ->group("Behavior");
  cli::add_common(app, options.common);
}

std::optional<std::string> wrong_usage(const GenerateOptions& options) {
  if (options.input.empty()) return "FILE is required";
  if (options.remove) {
    if (options.generate.town.keep_generated) return "--remove and --keep exclude each other";
    if (!options.preview.empty() || !options.geojson.empty()) return "--remove leaves no houses to draw";
    return std::nullopt;
  }
  if (options.setup.empty()) return "--setup is required";
  if (options.houses.empty()) return "--houses is required";
  // 10 km: beyond that it is not a distance to a street.
  const auto within = [](double value, double least) { return value >= least && value <= 10'000; };
  if (!within(options.generate.place.street_distance, 0)) return "--street-distance: expected 0 to 10000 m";
  if (options.generate.place.front_distance && !within(*options.generate.place.front_distance, 0))
    return "--front-distance: expected 0 to 10000 m";
  if (!within(options.generate.place.house_distance, 0)) return "--house-distance: expected 0 to 10000 m";
  if (!(options.generate.town.clearance >= 0 && options.generate.town.clearance <= 100))
    return "--clearance: expected 0 to 100 m";
  if (options.generate.place.forest_inside && !within(*options.generate.place.forest_inside, 0.5))
    return "--forest-inside: expected 0.5 to 10000 m";
  if (options.generate.positive_ids_from && *options.generate.positive_ids_from <= 0)
    return "--positive-ids-from: expected a positive number";
  if (options.jobs > kMostJobs) return "--jobs: expected 1 to 64, or 0 for one per processor";
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
