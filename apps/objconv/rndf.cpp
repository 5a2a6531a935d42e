/// `objconv rndf ...` and `objconv mdf ...`.
#include "formats/rndf/rndf.hpp"

#include "apps/objconv/batch.hpp"
#include "apps/objconv/commands.hpp"
#include "apps/objconv/files.hpp"
#include "apps/objconv/kinds.hpp"
#include "apps/objconv/network.hpp"
#include "lib/traffic/export.hpp"

namespace simbatch::objconv {
namespace {

struct NetworkMapOptions {
  InputOptions inputs;
  OutputOptions outputs;
  bool planar = false;  ///< --planar
};

struct NetworkTarget {
  traffic::NetworkMap map;
  const char* suffix;
  std::string (*write)(const rndf::Rndf&);
};

cli::ExitCode write_maps(const NetworkMapOptions& options, const NetworkTarget& target, cli::Reporter& reporter) {
  return convert_files(reporter, options.inputs, options.outputs, {}, target.suffix, [&](const Input& input, const Sink& sink) {
    Diagnostics problem(input.name());
    if (!is_expected("rndf", input, problem)) return problem;
    auto parsed = rndf::read_rndf(input.text(), input.name(), {reporter.options().strict, options.planar});
    if (parsed.value) rndf::check(*parsed.value, parsed.diagnostics);
    if (parsed.ok()) {
      traffic::report_network_losses(*parsed.value, target.map, parsed.diagnostics);
      sink(target.write(*parsed.value));
    }
    return std::move(parsed.diagnostics);
  });
}

void add_map(cli::Command& group, const char* name, const char* help, const NetworkTarget& target, const char* example) {
  cli::Command& command = group.add(name, help);
  auto& o = command.keep<NetworkMapOptions>();
  add_input_options(command, o.inputs);
  add_planar_option(command, o.planar);
  add_output_options(command, o.outputs);
  check_outputs(command, o.inputs, o.outputs, target.suffix, false);
  command.examples({example});
  command.run([&o, target](cli::Reporter& reporter) { return write_maps(o, target, reporter); });
}

}  // namespace

void add_rndf(cli::Command& program) {
  cli::Command& network = program.add("rndf", "Road networks (RNDF)");
  add_check(network, "Report everything that is wrong", "rndf", {"objconv rndf check --strict site.rndf"});
  add_info(network, "Summarize a network", "rndf", {"objconv rndf info --json site.rndf"});
  add_fmt(network, "Write the canonical form", "rndf",
          {"objconv rndf fmt site.rndf -o site.rndf", "objconv rndf fmt --planar campus.rndf -o degrees.rndf"});
  add_map(network, "to-geojson", "The network as GeoJSON", {traffic::NetworkMap::geojson, ".geojson", traffic::to_geojson},
          "objconv rndf to-geojson site.rndf -o site.geojson");
  add_map(network, "to-osm", "The network as OpenStreetMap data", {traffic::NetworkMap::osm, ".osm", traffic::to_osm},
          "objconv rndf to-osm site.rndf -o site.osm");

  cli::Command& mission = program.add("mdf", "Missions (MDF)");
  add_check(mission, "Report everything that is wrong", "mdf", {"objconv mdf check --rndf site.rndf mission.mdf"});
}

}  // namespace simbatch::objconv
