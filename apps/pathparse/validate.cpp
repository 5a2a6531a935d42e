#include <fmt/format.h>

#include "apps/common/console.hpp"
#include "apps/pathparse/pathparse.hpp"
#include "base/core/text.hpp"
#include "lib/file_kind/file_kind.hpp"
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

std::string length_text(const mission::Summary& s) {
  return s.is_far ? "not all of it on the earth"
                  : fmt::format("{} m, {} s", decimals_text(s.length, 2), decimals_text(s.duration, 0));
}

cli::ExitCode validate(const ValidateOptions& o, cli::Reporter& reporter) {
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
  const bool other_kind = file_kind::explain_errors(text.text(), text.name(), file_kind::Purpose::mission, result.diagnostics);
  reporter.show(std::move(result.diagnostics));
  if (!other_kind && !reporter.options().quiet) {
    const std::size_t all = s.sections() + s.lost;
    std::string out = fmt::format("{}: version {}, {} section{}, {}{}\n", printable(text.name()), s.version, s.sections(),
                                  s.sections() == 1 ? "" : "s", length_text(s), s.endless ? ", then holds" : "");
    out += verdict("spec", s.sections(), all) + verdict("console", s.kept_by_console, all) +
           verdict("vehicle", s.kept_by_vehicle, all, s.misread_by_vehicle);
    if (s.georeference) {
      // A reference of 0 0 is the grid's own origin, which tells nothing of the place.
      const geo::Utm& reference = s.georeference->reference();
      const bool grid = reference.easting == 0 && reference.northing == 0;
      const mission::Point from = grid ? s.first : mission::Point{};
      if (const auto at = s.georeference->at(from))
        out += fmt::format("  {} {:.7f} {:.7f} (WGS84), grid north {:+.3f} degrees from true north\n",
                           grid ? "start" : "reference", at->lat, at->lon, geo::degrees(s.georeference->convergence(from)));
    }
    cli::print(out);
  }
  return reporter.finish();
}

}  // namespace

void add_validate(cli::Command& program) {
  cli::Command& command =
      program.add("validate", "Check whether each reader of a mission will do what its author meant, and why not");
  auto& o = command.keep<ValidateOptions>();
  add_source(command, o.source);
  command.option("--as", "READER", o.as, "Reader whose losses are errors")
      .choices({"vehicle", "console", "spec"})
      .show_default();
  add_zone(command, o.zone);
  command.option("--join-gap", "M", o.max_gap, "Maximum gap between consecutive sections (m)").at_least(0).show_default();
  command.option("--join-turn", "DEGREES", o.max_turn_deg, "Maximum change of heading between consecutive sections (degrees)")
      .at_least(0)
      .show_default();
  command.examples({"pathparse validate mission.txt",
                    "pathparse validate --as console --string '3\\n491890.163 4290832.905 29S\\nLINE 0 0 50 0 0.3 -1'"});
  command.run([&o](cli::Reporter& reporter) { return validate(o, reporter); });
}

}  // namespace simbatch::pathparse
