#include "lib/mission/export.hpp"
#include "apps/pathparse/pathparse.hpp"
#include "base/core/atomic_file.hpp"

namespace simbatch::pathparse {
namespace {

struct ExportCommandOptions {
  Source source;
  std::string output = "-", zone, to;
  std::optional<int> vehicle;
  mission::ExportOptions how;
};

cli::ExitCode export_to(const ExportCommandOptions& o, cli::Reporter& reporter) {
  const std::optional<medusa::Mission> mission = read(o.source, reporter);
  if (!mission || reporter.failed()) return reporter.finish();
  const std::string name = name_of(o.source);
  if (o.vehicle && !is_for(*mission, *o.vehicle, name, reporter)) return reporter.finish();
  const auto placement = place(*mission, o.zone, name, reporter, true);
  mission::ExportOptions how = o.how;
  how.vehicle = o.vehicle;
  auto exported = mission::export_mission(*mission, placement, *mission::parse_target(o.to), how, name);
  reporter.show(std::move(exported.diagnostics));
  if (exported.value && !reporter.failed()) write_file(o.output, *exported.value);
  return reporter.finish();
}

}  // namespace

void add_export(cli::Command& program) {
  cli::Command& command = program.add("export", "Write the mission for maps, planners and ground stations");
  auto& o = command.keep<ExportCommandOptions>();
  add_source(command, o.source);
  command.option("--to", "TARGET", o.to, "Format of the output")
      .required()
      .choices({"geojson", "kml", "gpx", "qgc-plan", "wpl", "csv", "svg", "dxf"});
  add_output(command, o.source, o.output, false);
  command.option("--vehicle", "ID", o.vehicle, "Only the sections of this vehicle");
  add_zone(command, o.zone);
  command.option("--max-gap", "M", o.how.max_gap, "Maximum distance between an arc and its chords (m)")
      .positive()
      .show_default();
  command.option("--step", "M", o.how.step, "Distance between the samples of csv (m)").positive().show_default();
  command.examples({"pathparse export --to kml mission.txt -o mission.kml",
                    "pathparse export --to csv --step 0.5 mission.txt -o mission.csv"});
  command.run([&o](cli::Reporter& reporter) { return export_to(o, reporter); });
}

}  // namespace simbatch::pathparse
