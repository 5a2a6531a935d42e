#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/pathparse/pathparse.hpp"
#include "lib/mission/check.hpp"

namespace simbatch::pathparse {
namespace {

struct ValidateOptions {
  Source source;
  std::string as = "vehicle";
  std::string zone;
  double max_gap = 0.02, max_turn_deg = 2;
};

std::string verdict(std::string_view reader, std::size_t kept, std::size_t all, std::size_t misread = 0) {
  return fmt::format("  {:<8} {} of {} sections{}{}\n", reader, kept, all,
                     kept == all ? "" : fmt::format(", {} lost", all - kept),
                     misread == 0 ? "" : fmt::format(", {} with wrong values", misread));
}

cli::ExitCode validate(const ValidateOptions& o, const cli::Common& common) {
  mission::CheckOptions check;
  check.audience = o.as == "spec"      ? medusa::Reader::spec
                   : o.as == "console" ? medusa::Reader::console
                                       : medusa::Reader::vehicle;
  check.default_zone = o.zone;
  check.max_gap = o.max_gap;
  check.max_turn = geo::radians(o.max_turn_deg);
  const Text text(o.source);
  mission::CheckResult result = mission::check_mission(text.text(), text.name(), check);
  const mission::Summary& s = result.summary;
  cli::Reporter reporter(common);
  reporter.show(std::move(result.diagnostics));
  if (!common.quiet) {
    const std::size_t all = s.sections() + s.lost;
    std::string out = fmt::format("{}: version {}, {} section{}, {:.2f} m, {:.0f} s{}\n", text.name(), s.version, s.sections(),
                                  s.sections() == 1 ? "" : "s", s.length, s.duration, s.endless ? ", then holds" : "");
    out += verdict("spec", s.sections(), all) + verdict("console", s.kept_by_console, all) +
           verdict("vehicle", s.kept_by_vehicle, all, s.misread_by_vehicle);
    if (s.georeference) {
      if (const auto at = s.georeference->at({0, 0}))
        out += fmt::format("  reference {:.7f} {:.7f} (WGS84), grid north {:+.3f} degrees from true north\n", at->lat, at->lon,
                           geo::degrees(s.georeference->convergence()));
    }
    cli::print(out);
  }
  return reporter.finish();
}

}  // namespace

void add_validate(CLI::App& app, cli::Common& common, Run& run) {
  auto o = std::make_shared<ValidateOptions>();
  CLI::App* sub =
      app.add_subcommand("validate", "Say whether a mission will do what its author meant, on which reader, and why not");
  add_source(*sub, o->source);
  sub->add_option("--as", o->as, "Whose losses are errors")
      ->type_name("READER")
      ->check(CLI::IsMember({"vehicle", "console", "spec"}))
      ->capture_default_str();
  sub->add_option("--zone", o->zone, "UTM zone of a reference that names none, like 29S")->type_name("ZONE");
  sub->add_option("--join-gap", o->max_gap, "Largest gap at a join (m)")
      ->type_name("M")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  sub->add_option("--join-turn", o->max_turn_deg, "Largest corner at a join (degrees)")
      ->type_name("DEGREES")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  sub->final_callback([&run, o, &common] { run = [o, &common] { return validate(*o, common); }; });
}

}  // namespace simbatch::pathparse
