#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

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

cli::ExitCode convert(const ConvertOptions& o, const cli::Common& common) {
  cli::Reporter reporter(common);
  const Text text(o.source);
  auto parsed =
      o.from == "kml" ? mission::import_kml(text.text(), o.kml, text.name()) : medusa::read_mission(text.text(), text.name());
  if (o.from != "kml" && parsed.value) {
    const int expected = o.from == "v2" ? 2 : 5;
    if (parsed.value->version != expected)
      parsed.diagnostics.report(medusa::code::kVersion, {},
                                fmt::format("expected version {}, found {}", expected, parsed.value->version));
  }
  if (parsed.value && parsed.value->origin && !mission::to_reference(*parsed.value->origin))
    parsed.diagnostics.report(mission::code::kPlace, parsed.value->origin->at,
                              "the origin and its translation are no place in UTM");
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

void add_convert(CLI::App& app, cli::Common& common, Run& run) {
  auto o = std::make_shared<ConvertOptions>();
  CLI::App* sub = app.add_subcommand("convert", "Turn a mission of version 2 or 5, or a KML path, into version 3");
  add_source(*sub, o->source);
  sub->add_option("--from", o->from, "What the input is")
      ->type_name("FORMAT")
      ->required()
      ->check(CLI::IsMember({"v2", "v5", "kml"}));
  sub->add_option("--to", o->to, "What to write")->type_name("TARGET")->check(CLI::IsMember({"v3"}))->capture_default_str();
  sub->add_option("-o,--output", o->output, "Output file; - is standard output")->type_name("FILE")->capture_default_str();
  sub->add_option("--speed", o->kml.speed, "Speed of the sections made from KML (m/s)")
      ->type_name("M/S")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  sub->add_flag("--flip-arcs", o->flip_arcs, "Turn the direction of all arcs round");
  sub->add_flag("--crlf", o->crlf, "End lines with CR LF");
  sub->final_callback([&run, o, &common] { run = [o, &common] { return convert(*o, common); }; });
}

}  // namespace simbatch::pathparse
