// pathparse: Medusa mission strings. Wiring only; each subcommand is in the file of its name.
#include <CLI/CLI.hpp>

#include "apps/pathparse/pathparse.hpp"

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
  cli::add_examples(
      app,
      {"pathparse validate mission.txt",
       "pathparse validate --as console --string '3\\n491890.163 4290832.905 29S\\nLINE 0 0 50 0 0.3 -1'",
       "pathparse show --as vehicle --id 2 mission.txt", "pathparse show --json mission.txt",
       "pathparse fmt --strip-gamma mission.txt -o repaired.txt", "pathparse formation --vehicle 1 mission.txt -o vehicle1.txt",
       "pathparse export --to kml mission.txt -o mission.kml",
       "pathparse export --to csv --step 0.5 mission.txt -o mission.csv",
       "pathparse convert --from kml mission.kml -o mission.txt", "printf '31\\n70\\n' | pathparse walk mission.txt"});
  return cli::run_main(app, argc, argv, [&] {
    if (run) return run();
    cli::info({}, "pathparse: a subcommand is required\nSee pathparse --help.");
    return cli::ExitCode::usage;
  });
}
