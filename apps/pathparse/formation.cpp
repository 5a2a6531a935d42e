#include <cmath>

#include "apps/pathparse/pathparse.hpp"
#include "base/core/atomic_file.hpp"
#include "lib/mission/codes.hpp"
#include "lib/mission/geometry.hpp"

namespace simbatch::pathparse {
namespace {

struct FormationCommandOptions {
  Source source;
  std::string output = "-";
  int vehicle = 0;
  bool as_vehicle = false;
};

cli::ExitCode formation(const FormationCommandOptions& o, cli::Reporter& reporter) {
  std::optional<medusa::Mission> mission = read(o.source, reporter);
  const std::string name = name_of(o.source);
  if (!mission || reporter.failed() || !is_for(*mission, o.vehicle, name, reporter)) return reporter.finish();
  mission::FormationOptions shift;
  shift.scale_speed = !o.as_vehicle;
  auto sections = mission::sections_for(*mission, o.vehicle, shift).value_or(std::vector<medusa::Section>{});
  Diagnostics problems(name);
  for (medusa::Section& s : sections) {
    s.vehicle = o.vehicle;
    if (std::isfinite(s.xi) && std::isfinite(s.yi) && std::isfinite(s.xe) && std::isfinite(s.ye) && std::isfinite(s.velocity) &&
        std::isfinite(s.radius))
      continue;
    problems.report(mission::code::kFar, {s.line, 1}, "the place of the vehicle in the formation is beyond all numbers");
  }
  reporter.show(std::move(problems));
  if (reporter.failed()) return reporter.finish();
  mission->sections = std::move(sections);
  mission->formation.clear();
  mission->bias.clear();
  std::erase_if(mission->comments, [](const medusa::Comment& c) { return c.before >= 0 || c.before == -4; });
  medusa::WriteOptions write;
  write.strip_gamma = true;
  write_file(o.output, medusa::write_mission(*mission, write));
  return reporter.finish();
}

}  // namespace

void add_formation(cli::Command& program) {
  cli::Command& command =
      program.add("formation", "Write the sections that one vehicle follows, shifted by its position in the formation");
  auto& o = command.keep<FormationCommandOptions>();
  add_source(command, o.source);
  command.option("--vehicle", "ID", o.vehicle, "The vehicle's id").required();
  command.flag("--as-vehicle", o.as_vehicle, "Keep speed and radius field of arcs, as the vehicle does");
  add_output(command, o.source, o.output, true);
  command.examples({"pathparse formation --vehicle 1 mission.txt -o vehicle1.txt"});
  command.run([&o](cli::Reporter& reporter) { return formation(o, reporter); });
}

}  // namespace simbatch::pathparse
