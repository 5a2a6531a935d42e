#include <fmt/format.h>

#include "apps/common/outputs.hpp"
#include "apps/pathparse/pathparse.hpp"
#include "base/core/atomic_file.hpp"
#include "formats/medusa/codes.hpp"
#include "lib/mission/codes.hpp"
#include "lib/mission/export.hpp"

namespace simbatch::pathparse {
namespace {

struct ConvertOptions {
  Source source;
  std::string output = "-", from, to = "v3";
  mission::KmlOptions kml;
  bool flip_arcs = false, crlf = false;
};

cli::ExitCode convert(const ConvertOptions& o, cli::Reporter& reporter) {
  const Text text(o.source);
  auto parsed = o.from == "kml" ? mission::import_kml(text.text(), o.kml, text.name()) : read_text(text);
  if (o.from != "kml" && parsed.value) {
    const int expected = o.from == "v2" ? 2 : 5;
    if (parsed.value->version != expected)
      parsed.diagnostics.report(medusa::code::kVersion, {},
                                fmt::format("expected version {}, found {}", expected, parsed.value->version));
  }
  if (parsed.value && parsed.value->origin && !mission::to_reference(*parsed.value->origin))
    parsed.diagnostics.report(mission::code::kPlace, parsed.value->origin->at,
                              "the origin with its translation is not in any UTM zone");
  const bool usable = parsed.value && !parsed.diagnostics.has_errors();
  reporter.show(std::move(parsed.diagnostics));
  if (!usable || reporter.failed()) return reporter.finish();
  medusa::WriteOptions write;
  write.crlf = o.crlf;
  write.strip_gamma = true;
  write_file(o.output, medusa::write_mission(mission::to_version3(*parsed.value, o.flip_arcs), write));
  return reporter.finish();
}

}  // namespace

void add_convert(cli::Command& program) {
  cli::Command& command = program.add("convert", "Turn a mission of version 2 or 5, or a KML path, into version 3");
  auto& o = command.keep<ConvertOptions>();
  add_source(command, o.source);
  command.option("--from", "FORMAT", o.from, "Format of the input").required().choices({"v2", "v5", "kml"});
  command.option("--to", "TARGET", o.to, "Format of the output").choices({"v3"}).show_default();
  add_output(command, o.source, o.output, true);
  command.option("--speed", "M/S", o.kml.speed, "Speed of the sections made from KML (m/s)").positive().show_default();
  command.flag("--flip-arcs", o.flip_arcs, "Reverse the direction of all arcs");
  command.flag("--crlf", o.crlf, "End lines with CR LF");
  command.examples({"pathparse convert --from kml mission.kml -o mission.txt"});
  command.check([&o] {
    cli::Outputs outputs;
    outputs.reads("FILE", o.from == "kml" ? o.source.file : "");
    outputs.writes("--output", o.output);
    return outputs.conflict();
  });
  command.run([&o](cli::Reporter& reporter) { return convert(o, reporter); });
}

}  // namespace simbatch::pathparse
