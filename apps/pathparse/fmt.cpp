#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "apps/pathparse/pathparse.hpp"
#include "base/core/atomic_file.hpp"

namespace simbatch::pathparse {
namespace {

struct FmtOptions {
  Source source;
  std::string output = "-", zone;
  bool strip_gamma = false, renumber = false, crlf = false;
};

/// Vehicle ids become 1, 2, 3, ... in the order in which they first stand in the mission, FORMATION first.
void renumber(medusa::Mission& m) {
  std::map<std::int32_t, std::int32_t> ids;
  const auto number = [&ids](std::int32_t id) {
    return id == medusa::kAllVehicles ? id : ids.emplace(id, static_cast<std::int32_t>(ids.size()) + 1).first->second;
  };
  for (medusa::Offset& o : m.formation) o.vehicle = number(o.vehicle);
  for (medusa::Offset& o : m.bias) o.vehicle = number(o.vehicle);
  for (medusa::Section& s : m.sections) s.vehicle = number(s.vehicle);
}

cli::ExitCode format(const FmtOptions& o, const cli::Common& common) {
  cli::Reporter reporter(common);
  std::optional<medusa::Mission> mission = read(o.source, reporter);
  if (!mission || reporter.failed()) return reporter.finish();
  if (o.renumber) renumber(*mission);
  if (!o.zone.empty() && mission->reference) mission->reference->zone = o.zone;
  medusa::WriteOptions write;
  write.crlf = o.crlf;
  write.strip_gamma = o.strip_gamma;
  write_file(o.output, medusa::write_mission(*mission, write));
  return reporter.finish();
}

}  // namespace

void add_fmt(CLI::App& app, cli::Common& common, Run& run) {
  auto o = std::make_shared<FmtOptions>();
  CLI::App* sub = app.add_subcommand("fmt", "Write the mission in canonical form, repaired where its meaning is plain");
  add_source(*sub, o->source);
  sub->add_option("-o,--output", o->output, "Output file; - is standard output")->type_name("FILE")->capture_default_str();
  sub->add_flag("--strip-gamma", o->strip_gamma, "Leave out the gamma column, which makes the vehicle drop lines");
  sub->add_flag("--renumber", o->renumber, "Vehicle ids become 1, 2, 3, ... in order of appearance");
  sub->add_option("--set-zone", o->zone, "Write this UTM zone, like 29S")
      ->type_name("ZONE")
      ->check([](const std::string& zone) { return mission::parse_zone(zone) ? std::string() : "expected a zone like 29S"; });
  sub->add_flag("--crlf", o->crlf, "End lines with CR LF");
  sub->final_callback([&run, o, &common] { run = [o, &common] { return format(*o, common); }; });
}

}  // namespace simbatch::pathparse
