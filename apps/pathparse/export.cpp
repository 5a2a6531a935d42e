#include <CLI/CLI.hpp>
#include <memory>

#include "apps/pathparse/pathparse.hpp"
#include "base/core/atomic_file.hpp"
#include "lib/mission/export.hpp"

namespace simbatch::pathparse {
namespace {

struct ExportOptions {
  Source source;
  std::string output = "-", zone, to;
  std::optional<int> vehicle;
  mission::ExportOptions how;
};

cli::ExitCode export_to(const ExportOptions& o, const cli::Common& common) {
  cli::Reporter reporter(common);
  const std::optional<medusa::Mission> mission = read(o.source, reporter);
  if (!mission || reporter.failed()) return reporter.finish();
  const std::string name = o.source.has_string ? "<string>" : o.source.file == "-" ? "<stdin>" : o.source.file;
  const auto placement = place(*mission, o.zone, name, reporter, true);
  mission::ExportOptions how = o.how;
  how.vehicle = o.vehicle;
  auto exported = mission::export_mission(*mission, placement, *mission::parse_target(o.to), how, name);
  reporter.show(std::move(exported.diagnostics));
  if (exported.value && !reporter.failed()) write_file(o.output, *exported.value);
  return reporter.finish();
}

}  // namespace

void add_export(CLI::App& app, cli::Common& common, Run& run) {
  auto o = std::make_shared<ExportOptions>();
  CLI::App* sub = app.add_subcommand("export", "Write the mission for maps, planners and ground stations");
  add_source(*sub, o->source);
  sub->add_option("--to", o->to, "What to write")
      ->type_name("TARGET")
      ->required()
      ->check(CLI::IsMember({"geojson", "kml", "qgc-plan", "wpl", "csv", "svg", "dxf"}));
  sub->add_option("-o,--output", o->output, "Output file; - is standard output")->type_name("FILE")->capture_default_str();
  sub->add_option("--vehicle", o->vehicle, "Only what this vehicle sails")->type_name("ID");
  sub->add_option("--zone", o->zone, "UTM zone of a reference that names none, like 29S")->type_name("ZONE");
  sub->add_option("--max-gap", o->how.max_gap, "Largest distance between an arc and its chords (m)")
      ->type_name("M")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  sub->add_option("--step", o->how.step, "Distance of the samples of csv (m)")
      ->type_name("M")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  sub->final_callback([&run, o, &common] { run = [o, &common] { return export_to(*o, common); }; });
}

}  // namespace simbatch::pathparse
