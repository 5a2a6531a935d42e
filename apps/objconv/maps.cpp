/// resolve, to-geojson, to-kml, to-gpx, to-svg, to-sdf: CajunBot objects on their road network.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>

#include "apps/objconv/batch.hpp"
#include "apps/objconv/commands.hpp"
#include "apps/objconv/network.hpp"
#include "formats/autosim/world.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/traffic/export.hpp"
#include "lib/traffic/traffic.hpp"

namespace simbatch::objconv {
namespace {

using traffic::ObjectMap;
using Write = std::string (*)(const ObjectMap&, Diagnostics&);

/// An object file of either version, checked. Empty if it could not be read; problems found by the checks do not discard it.
Parsed<cajunbot::ObjectFile> read_objects(const cli::CommonOptions& common, const Input& input) {
  const auto version = cajunbot::guess_version(input.text());
  auto parsed = version == cajunbot::Version::v1 ? cajunbot::read_v1(input.text(), input.name(), {.strict = common.strict})
                                                 : cajunbot::read_v2(input.text(), input.name());
  if (parsed.ok())
    cajunbot::check(*parsed.value, version, parsed.diagnostics);
  else
    parsed.value.reset();
  if (!parsed.value) file_kind::explain_errors(input.text(), input.name(), file_kind::Purpose::objects, parsed.diagnostics);
  return parsed;
}

struct MapOptions {
  InputOptions inputs;
  OutputOptions outputs;
  std::string rndf;
  bool planar = false;  ///< --planar
};

cli::ExitCode write_maps(const MapOptions& options, const char* suffix, Write write, cli::Reporter& reporter) {
  Diagnostics shared;
  const std::shared_ptr<const traffic::Network> network =
      load_network(options.rndf, {reporter.options().strict, options.planar}, shared);
  return convert_files(
      reporter, options.inputs, options.outputs, std::move(shared), suffix, [&](const Input& input, const Sink& sink) {
        auto parsed = read_objects(reporter.options(), input);
        if (!parsed.value) return std::move(parsed.diagnostics);
        const auto resolved = traffic::resolve_objects(*parsed.value, network->index, network->origin, parsed.diagnostics);
        if (!resolved) return std::move(parsed.diagnostics);
        const std::string text = write({*parsed.value, *resolved, network->rndf}, parsed.diagnostics);
        if (!parsed.diagnostics.has_errors()) sink(text);
        return std::move(parsed.diagnostics);
      });
}

/// `file` relative to the folder of the output.
std::string relative_to_output(const OutputOptions& outputs, const std::string& file) {
  namespace fs = std::filesystem;
  const fs::path folder = !outputs.folder.empty() ? fs::path(outputs.folder)
                          : outputs.file == "-"   ? fs::path(".")
                                                  : fs::path(outputs.file).parent_path();
  const fs::path relative = fs::absolute(file).lexically_normal().lexically_relative(
      fs::absolute(folder.empty() ? fs::path(".") : folder).lexically_normal());
  return (relative.empty() ? fs::path(file) : relative).generic_string();
}

/// An AutoSim World file that refers to the object file and network, which simrun reads itself.
cli::ExitCode write_scenarios(const MapOptions& options, cli::Reporter& reporter) {
  Diagnostics shared;
  const std::shared_ptr<const traffic::Network> network =
      load_network(options.rndf, {reporter.options().strict, options.planar}, shared);
  return convert_files(reporter, options.inputs, options.outputs, std::move(shared), ".scenario.xml",
                       [&](const Input& input, const Sink& sink) {
                         auto parsed = read_objects(reporter.options(), input);
                         if (!parsed.value) return std::move(parsed.diagnostics);
                         const geo::LatLon origin = network->origin;
                         if (!traffic::resolve_objects(*parsed.value, network->index, network->origin, parsed.diagnostics))
                           return std::move(parsed.diagnostics);
                         autosim::World world;
                         world.name = parsed.value->name.value_or(stem_of(input.name()));
                         for (char& c : world.name)
                           if (c == '.' || static_cast<unsigned char>(c) <= ' ') c = '_';
                         if (world.name.empty()) world.name = "objects";
                         world.physics.origin = autosim::Geographic{origin.lat, origin.lon};
                         world.terrain.kind = autosim::Terrain::Kind::plane;
                         world.terrain.name = "ground";
                         world.traffic.push_back({"traffic",
                                                  {},
                                                  relative_to_output(options.outputs, input.name()),
                                                  relative_to_output(options.outputs, options.rndf),
                                                  {},
                                                  options.planar});
                         std::string text = autosim::write_world(world);
                         sink(text);
                         return std::move(parsed.diagnostics);
                       });
}

using Run = std::function<cli::ExitCode(const MapOptions& options, cli::Reporter& reporter)>;

void add_map(cli::Command& program, const char* name, const char* help, const char* suffix, const char* example, Run run) {
  cli::Command& command = program.add(name, help);
  auto& o = command.keep<MapOptions>();
  add_input_options(command, o.inputs);
  add_output_options(command, o.outputs);
  add_rndf_option(command, o.rndf, true);
  add_planar_option(command, o.planar);
  // simrun reads the files of a scenario itself.
  if (suffix == std::string_view(".scenario.xml"))
    command.check([&o]() -> std::string {
      if (o.rndf == "-") return "--rndf: must be a file, not standard input: the scenario names it";
      const bool is_good = std::find(o.inputs.files.begin(), o.inputs.files.end(), "-") == o.inputs.files.end();
      return is_good ? "" : "INPUT: must be a file, not standard input: the scenario names it";
    });
  check_outputs(command, o.inputs, o.outputs, suffix, false, &o.rndf);
  command.examples({example});
  command.run([&o, run = std::move(run)](cli::Reporter& reporter) { return run(o, reporter); });
}

}  // namespace

void add_maps(cli::Command& program) {
  add_map(program, "to-scenario", "A scenario that simrun runs with CajunBot objects", ".scenario.xml",
          "objconv to-scenario Objects.xml --rndf site.rndf -o block.xml", write_scenarios);
  const auto add = [&](const char* name, const char* help, const char* suffix, const char* example, Write write) {
    add_map(program, name, help, suffix, example, [suffix, write](const MapOptions& options, cli::Reporter& reporter) {
      return write_maps(options, suffix, write, reporter);
    });
  };
  add("resolve", "Places of CajunBot objects and goals as a table", ".tsv", "objconv resolve Objects.xml --rndf site.rndf",
      [](const ObjectMap& map, Diagnostics&) { return traffic::to_table(map); });
  add("to-geojson", "CajunBot objects and goals as GeoJSON", ".geojson",
      "objconv to-geojson Objects.xml --rndf site.rndf -o objects.geojson",
      [](const ObjectMap& map, Diagnostics&) { return traffic::to_geojson(map); });
  add("to-kml", "CajunBot objects and their network as KML", ".kml",
      "objconv to-kml Objects.xml --rndf site.rndf -o objects.kml",
      [](const ObjectMap& map, Diagnostics&) { return traffic::to_kml(map); });
  add("to-gpx", "CajunBot objects, goals and their network as GPX", ".gpx",
      "objconv to-gpx Objects.xml --rndf site.rndf -o objects.gpx",
      [](const ObjectMap& map, Diagnostics&) { return traffic::to_gpx(map); });
  add("to-svg", "CajunBot objects and their network as a picture", ".svg",
      "objconv to-svg Objects.xml --rndf site.rndf -o objects.svg",
      [](const ObjectMap& map, Diagnostics&) { return traffic::to_svg(map); });
  add("to-sdf", "CajunBot objects as an SDFormat world", ".sdf", "objconv to-sdf Objects.xml --rndf site.rndf -o objects.sdf",
      [](const ObjectMap& map, Diagnostics& d) { return sdf::write_world(traffic::to_sdf(map, d)); });
}

}  // namespace simbatch::objconv
