/// resolve, to-geojson, to-kml, to-svg, to-sdf: CajunBot objects on their road network.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>

#include "apps/objconv/batch.hpp"
#include "apps/objconv/commands.hpp"
#include "apps/objconv/network.hpp"
#include "formats/autosim/world.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "lib/traffic/export.hpp"
#include "lib/traffic/traffic.hpp"

namespace simbatch::objconv {
namespace {

using traffic::ObjectMap;
using Write = std::string (*)(const ObjectMap&, Diagnostics&);

/// An object file of either version, checked. Empty if it could not be read; what the checks find leaves it there.
Parsed<cajunbot::ObjectFile> read_objects(const cli::Common& common, const Input& input) {
  const auto version = cajunbot::guess_version(input.text());
  auto parsed = version == cajunbot::Version::v1 ? cajunbot::read_v1(input.text(), input.name(), {.strict = common.strict})
                                                 : cajunbot::read_v2(input.text(), input.name());
  if (parsed.ok())
    cajunbot::check(*parsed.value, version, parsed.diagnostics);
  else
    parsed.value.reset();
  return parsed;
}

struct MapOptions {
  InputOptions inputs;
  OutputOptions outputs;
  std::string rndf;
};

cli::ExitCode write_maps(const cli::Common& common, const MapOptions& options, const char* suffix, Write write) {
  Diagnostics shared;
  const std::shared_ptr<const traffic::Network> network = load_network(options.rndf, common.strict, shared);
  return convert_files(
      common, options.inputs, options.outputs, std::move(shared), suffix, [&](const Input& input, const Sink& sink) {
        auto parsed = read_objects(common, input);
        if (!parsed.value) return std::move(parsed.diagnostics);
        const auto resolved = traffic::resolve_objects(*parsed.value, network->index, network->origin, parsed.diagnostics);
        if (!resolved) return std::move(parsed.diagnostics);
        const std::string text = write({*parsed.value, *resolved, network->rndf}, parsed.diagnostics);
        if (!parsed.diagnostics.has_errors()) sink(text);
        return std::move(parsed.diagnostics);
      });
}

/// `file` as seen from the folder of the output.
std::string relative_to_output(const OutputOptions& outputs, const std::string& file) {
  namespace fs = std::filesystem;
  const fs::path folder = !outputs.folder.empty() ? fs::path(outputs.folder)
                          : outputs.file == "-"   ? fs::path(".")
                                                  : fs::path(outputs.file).parent_path();
  const fs::path relative = fs::absolute(file).lexically_normal().lexically_relative(
      fs::absolute(folder.empty() ? fs::path(".") : folder).lexically_normal());
  return (relative.empty() ? fs::path(file) : relative).generic_string();
}

/// An AutoSim World file that runs the objects where they are: simrun reads object file and network itself.
cli::ExitCode write_scenarios(const cli::Common& common, const MapOptions& options) {
  Diagnostics shared;
  const std::shared_ptr<const traffic::Network> network = load_network(options.rndf, common.strict, shared);
  return convert_files(common, options.inputs, options.outputs, std::move(shared), ".scenario.xml",
                       [&](const Input& input, const Sink& sink) {
                         auto parsed = read_objects(common, input);
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
                                                  relative_to_output(options.outputs, options.rndf)});
                         std::string text = autosim::write_world(world);
                         sink(text);
                         return std::move(parsed.diagnostics);
                       });
}

using Run = std::function<cli::ExitCode(const cli::Common& common, const MapOptions& options)>;

void add_map(CLI::App& app, Program& program, const char* name, const char* meaning, Run run) {
  auto options = std::make_shared<MapOptions>();
  CLI::App* command = app.add_subcommand(name, meaning);
  add_input_options(*command, options->inputs);
  add_output_options(*command, options->outputs);
  add_rndf_option(*command, options->rndf, true);
  command->final_callback([&program, command, options, run = std::move(run)] {
    check_outputs(*command, options->inputs, options->outputs);
    program.action = [&program, options, run] { return run(program.common, *options); };
  });
}

}  // namespace

void add_maps(CLI::App& app, Program& program) {
  add_map(app, program, "to-scenario", "A scenario that simrun runs with CajunBot objects", write_scenarios);
  const auto add = [&](const char* name, const char* meaning, const char* suffix, Write write) {
    add_map(app, program, name, meaning, [suffix, write](const cli::Common& common, const MapOptions& options) {
      return write_maps(common, options, suffix, write);
    });
  };
  add("resolve", "Places of CajunBot objects and goals as a table", ".tsv",
      [](const ObjectMap& map, Diagnostics&) { return traffic::to_table(map); });
  add("to-geojson", "CajunBot objects and goals as GeoJSON", ".geojson",
      [](const ObjectMap& map, Diagnostics&) { return traffic::to_geojson(map); });
  add("to-kml", "CajunBot objects and their network as KML", ".kml",
      [](const ObjectMap& map, Diagnostics&) { return traffic::to_kml(map); });
  add("to-svg", "CajunBot objects and their network as a picture", ".svg",
      [](const ObjectMap& map, Diagnostics&) { return traffic::to_svg(map); });
  add("to-sdf", "CajunBot objects as an SDFormat world", ".sdf",
      [](const ObjectMap& map, Diagnostics& d) { return sdf::write_world(traffic::to_sdf(map, d)); });
}

}  // namespace simbatch::objconv
