// pathparse: Medusa mission strings. Wiring only; each subcommand is in the file of its name.
#include "apps/pathparse/pathparse.hpp"

int main(int argc, char** argv) {
  using namespace simbatch;
  cli::Command program("pathparse", "Check, show, repair and export Medusa mission strings.");
  pathparse::add_validate(program);
  pathparse::add_show(program);
  pathparse::add_fmt(program);
  pathparse::add_formation(program);
  pathparse::add_export(program);
  pathparse::add_convert(program);
  pathparse::add_walk(program);
  program.examples({"pathparse validate mission.txt", "pathparse fmt --strip-gamma mission.txt -o repaired.txt",
                    "pathparse export --to kml mission.txt -o mission.kml",
                    "printf '31\\n70\\n' | pathparse walk mission.txt"});
  return cli::run_main(program, argc, argv);
}
