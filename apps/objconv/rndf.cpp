/// `objconv rndf ...` and `objconv mdf ...`.
#include "formats/rndf/rndf.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/objconv/batch.hpp"
#include "apps/objconv/commands.hpp"
#include "apps/objconv/files.hpp"
#include "apps/objconv/kinds.hpp"
#include "lib/traffic/export.hpp"

namespace simbatch::objconv {
namespace {

struct NetworkMapOptions {
  InputOptions inputs;
  OutputOptions outputs;
};

void add_map(CLI::App& group, Program& program, const char* name, const char* meaning, const char* suffix,
             std::string (*write)(const rndf::Rndf&)) {
  auto options = std::make_shared<NetworkMapOptions>();
  CLI::App* command = group.add_subcommand(name, meaning);
  add_input_options(*command, options->inputs);
  add_output_options(*command, options->outputs);
  command->final_callback([&program, command, options, suffix, write] {
    check_outputs(*command, options->inputs, options->outputs);
    program.action = [&program, options, suffix, write] {
      return convert_files(program.common, options->inputs, options->outputs, {}, suffix,
                           [&](const Input& input, const Sink& sink) {
                             Diagnostics problem(input.name());
                             if (!is_expected("rndf", input, problem)) return problem;
                             auto parsed = rndf::read_rndf(input.text(), input.name(), {.strict = program.common.strict});
                             if (parsed.value) rndf::check(*parsed.value, parsed.diagnostics);
                             if (parsed.ok()) sink(write(*parsed.value));
                             return std::move(parsed.diagnostics);
                           });
    };
  });
}

}  // namespace

void add_rndf(CLI::App& app, Program& program) {
  CLI::App* network = app.add_subcommand("rndf", "Road networks (RNDF)");
  network->require_subcommand(1);
  add_check(*network, program, "Report everything that is wrong", "rndf");
  add_info(*network, program, "Summarize a network", "rndf");
  add_fmt(*network, program, "Write the canonical form", "rndf");
  add_map(*network, program, "to-geojson", "The network as GeoJSON", ".geojson", traffic::to_geojson);
  add_map(*network, program, "to-osm", "The network as OpenStreetMap data", ".osm", traffic::to_osm);

  CLI::App* mission = app.add_subcommand("mdf", "Missions (MDF)");
  mission->require_subcommand(1);
  add_check(*mission, program, "Report everything that is wrong", "mdf");
}

}  // namespace simbatch::objconv
