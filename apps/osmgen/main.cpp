// osmgen: wiring. Without a subcommand it generates (generate.cpp).
#include <CLI/CLI.hpp>
#include <array>

#include "apps/osmgen/codes.hpp"
#include "apps/osmgen/generate.hpp"
#include "formats/autosim/codes.hpp"
#include "formats/osm/codes.hpp"
#include "lib/cli/cli.hpp"
#include "lib/mapgen/codes.hpp"
#include "lib/xml/xml.hpp"

int main(int argc, char** argv) {
  using namespace simbatch;
  CLI::App app{"Put houses and trees along the roads of an OpenStreetMap file.", "osmgen"};
  osmgen::GenerateOptions generate;
  osmgen::add_options(app, generate);
  app.footer(
      "Examples:\n"
      "  osmgen town.osm -o town-houses.osm --setup setup.xml --houses houses.xml --street-distance 12\n"
      "  osmgen town.osm -o town.osm --setup setup.xml --houses houses.xml --preview town.svg\n"
      "  osmgen --remove town.osm -o town.osm");
  const std::array<cli::CodeTable, 5> codes{osmgen::code::kAll, mapgen::codes(), osm::code::kAll, autosim::codes(), xml::codes()};
  return cli::run_main(app, argc, argv, codes, [&] {
    if (const auto wrong = osmgen::wrong_usage(generate)) {
      cli::info({}, "osmgen: " + *wrong + "\nSee osmgen --help.");
      return cli::ExitCode::usage;
    }
    return osmgen::generate(generate);
  });
}
