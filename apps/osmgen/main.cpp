// osmgen: wiring. Without a subcommand it generates (generate.cpp).
#include <CLI/CLI.hpp>

#include "apps/common/cli.hpp"
#include "apps/osmgen/check.hpp"
#include "apps/osmgen/generate.hpp"
#include "apps/osmgen/info.hpp"

int main(int argc, char** argv) {
  using namespace simbatch;
  CLI::App app{"Put houses and trees along the roads of an OpenStreetMap file.", "osmgen"};
  osmgen::GenerateOptions generate;
  osmgen::add_options(app, generate);
  osmgen::CheckOptions check;
  CLI::App* const check_command = app.add_subcommand("check", "Report everything that is wrong or unusual in a map");
  osmgen::add_check_options(*check_command, check);
  osmgen::InfoOptions info;
  CLI::App* const info_command = app.add_subcommand("info", "Summarize the contents of a map");
  osmgen::add_info_options(*info_command, info);
  app.footer(
      "Examples:\n"
      "  osmgen town.osm -o town-houses.osm --setup setup.xml --houses houses.xml --street-distance 12\n"
      "  osmgen town.osm -o town.osm --setup setup.xml --houses houses.xml --preview town.svg\n"
      "  osmgen --remove town.osm -o town.osm\n"
      "  osmgen check town.osm --setup setup.xml\n"
      "  osmgen info town.osm --json");
  return cli::run_main(app, argc, argv, [&] {
    if (check_command->parsed()) return osmgen::check(check);
    if (info_command->parsed()) return osmgen::info(info);
    if (const auto wrong = osmgen::wrong_usage(generate)) {
      cli::info({}, "osmgen: " + *wrong + "\nSee osmgen --help.");
      return cli::ExitCode::usage;
    }
    return osmgen::generate(generate);
  });
}
