#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "apps/pathparse/pathparse.hpp"
#include "base/core/atomic_file.hpp"
#include "lib/mission/geometry.hpp"

namespace simbatch::pathparse {
namespace {

struct FormationOptions {
  Source source;
  std::string output = "-";
  int vehicle = 0;
  bool as_vehicle = false;
};

cli::ExitCode formation(const FormationOptions& o, const cli::Common& common) {
  cli::Reporter reporter(common);
  std::optional<medusa::Mission> mission = read(o.source, reporter);
  if (!mission || reporter.failed()) return reporter.finish();
  mission::FormationOptions shift;
  shift.scale_speed = !o.as_vehicle;
  auto sections = mission::sections_for(*mission, o.vehicle, shift);
  if (!sections) {
    cli::info(common, fmt::format("vehicle {} is not in FORMATION: the mission is not for it", o.vehicle));
    return reporter.finish(cli::ExitCode::input);
  }
  for (medusa::Section& s : *sections) {
    s.vehicle = o.vehicle;
    if (std::isfinite(s.xi) && std::isfinite(s.yi) && std::isfinite(s.xe) && std::isfinite(s.ye) && std::isfinite(s.velocity) &&
        std::isfinite(s.radius))
      continue;
    cli::info(common, fmt::format("line {}: shifted beyond all numbers", s.line));
    return reporter.finish(cli::ExitCode::input);
  }
  mission->sections = std::move(*sections);
  mission->formation.clear();
  mission->bias.clear();
  std::erase_if(mission->comments, [](const medusa::Comment& c) { return c.before >= 0 || c.before == -4; });
  medusa::WriteOptions write;
  write.strip_gamma = true;
  write_file(o.output, medusa::write_mission(*mission, write));
  return reporter.finish();
}

}  // namespace

void add_formation(CLI::App& app, cli::Common& common, Run& run) {
  auto o = std::make_shared<FormationOptions>();
  CLI::App* sub =
      app.add_subcommand("formation", "Write the sections that one vehicle sails, shifted by its place in the formation");
  add_source(*sub, o->source);
  sub->add_option("--vehicle", o->vehicle, "The vehicle's id")->required()->type_name("ID");
  sub->add_flag("--as-vehicle", o->as_vehicle, "Keep speed and radius field of arcs, as the vehicle does");
  sub->add_option("-o,--output", o->output, "Output file; - is standard output")->type_name("FILE")->capture_default_str();
  sub->final_callback([&run, o, &common] { run = [o, &common] { return formation(*o, common); }; });
}

}  // namespace simbatch::pathparse
