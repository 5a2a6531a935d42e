#include <map>

#include "apps/pathparse/pathparse.hpp"
#include "base/core/atomic_file.hpp"

namespace simbatch::pathparse {
namespace {

struct FormatOptions {
  Source source;
  std::string output = "-", zone;
  bool strip_gamma = false, renumber = false, crlf = false;
};

/// Vehicle ids become 1, 2, 3, ... in the order of their first appearance in the mission, FORMATION first.
void renumber(medusa::Mission& m) {
  std::map<std::int32_t, std::int32_t> ids;
  const auto number = [&ids](std::int32_t id) {
    return id == medusa::kAllVehicles ? id : ids.emplace(id, static_cast<std::int32_t>(ids.size()) + 1).first->second;
  };
  for (medusa::Offset& o : m.formation) o.vehicle = number(o.vehicle);
  for (medusa::Offset& o : m.bias) o.vehicle = number(o.vehicle);
  for (medusa::Section& s : m.sections) s.vehicle = number(s.vehicle);
}

cli::ExitCode format(const FormatOptions& o, cli::Reporter& reporter) {
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

void add_fmt(cli::Command& program) {
  cli::Command& command = program.add("fmt", "Write the mission in canonical form, repaired where its meaning is unambiguous");
  auto& o = command.keep<FormatOptions>();
  add_source(command, o.source);
  add_output(command, o.source, o.output, true);
  command.flag("--strip-gamma", o.strip_gamma, "Omit the gamma column, which makes the vehicle drop lines");
  command.flag("--renumber", o.renumber, "Number the vehicles 1, 2, 3, ... in order of appearance");
  command.option("--set-zone", "ZONE", o.zone, "Write this UTM zone, like 29S")
      .accepts([](std::string_view zone) { return mission::parse_zone(zone).has_value(); }, "a zone like 29S");
  command.flag("--crlf", o.crlf, "End lines with CR LF");
  command.examples({"pathparse fmt --strip-gamma mission.txt -o repaired.txt"});
  command.run([&o](cli::Reporter& reporter) { return format(o, reporter); });
}

}  // namespace simbatch::pathparse
