// pathparse: Medusa mission strings. Wiring only; each subcommand is in the file of its name.
#include <CLI/CLI.hpp>
#include <array>

#include "apps/pathparse/pathparse.hpp"
#include "formats/medusa/codes.hpp"
#include "lib/missions/codes.hpp"
#include "lib/path/codes.hpp"
#include "lib/xml/xml.hpp"

int main(int argc, char** argv) {
  using namespace simbatch;
  CLI::App app{"Check, show, repair and export Medusa mission strings.", "pathparse"};
  cli::Common common;
  pathparse::Run run;
  app.fallthrough();
  cli::add_common(app, common);
  for (const auto add : {pathparse::add_validate, pathparse::add_show, pathparse::add_fmt, pathparse::add_formation,
                         pathparse::add_export, pathparse::add_convert, pathparse::add_walk})
    add(app, common, run);
  app.footer(
      "Examples:\n"
      "  pathparse validate mission.txt\n"
      "  pathparse fmt --strip-gamma mission.txt -o repaired.txt\n"
      "  pathparse export --to kml mission.txt -o mission.kml\n"
      "  printf '31\\n70\\n' | pathparse walk mission.txt");
  const std::array<cli::CodeTable, 4> codes = {cli::CodeTable(medusa::code::kAll), cli::CodeTable(path::code::kAll),
                                               cli::CodeTable(missions::code::kAll), xml::codes()};
  return cli::run_main(app, argc, argv, codes, [&] {
    if (run) return run();
    cli::info({}, "pathparse: a subcommand is required\nSee pathparse --help.");
    return cli::ExitCode::usage;
  });
}
