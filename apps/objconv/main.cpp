/// objconv: check and convert object, robot, body, world and road network files. Wiring only.
#include <CLI/CLI.hpp>

#include "apps/objconv/codes.hpp"
#include "apps/objconv/objconv.hpp"
#include "formats/autosim/codes.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/graspit/graspit.hpp"
#include "formats/inventor/inventor.hpp"
#include "formats/rndf/rndf.hpp"
#include "lib/convert/cajunbot_versions.hpp"
#include "lib/convert/grasp_export.hpp"
#include "lib/xml/xml.hpp"

namespace {

using namespace simbatch;

// One line for each group of subcommands.
constexpr void (*kCommands[])(CLI::App&, objconv::Session&) = {
    objconv::add_files, objconv::add_cajunbot,      objconv::add_rndf,
    objconv::add_maps,  objconv::add_grasp_convert, objconv::add_grasp_tools,
};

// One line for each family of files that check, info and fmt know; the first that claims a file has it.
constexpr std::span<const objconv::FileKind> (*kKinds[])() = {
    objconv::autosim_kinds,
    objconv::cajunbot_kinds,
    objconv::rndf_kinds,
    objconv::grasp_kinds,
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Check and convert object, robot, body, world and road network files.", "objconv"};
  // Asked for by hand: CLI11 would ask before it looks at unknown options.
  app.final_callback([&app] {
    if (app.get_subcommands().empty()) throw CLI::RequiredError("A subcommand");
  });
  app.fallthrough();
  objconv::Session session;
  cli::add_common(app, session.common);
  std::vector<const objconv::FileKind*> kinds;
  for (const auto family : kKinds)
    for (const objconv::FileKind& kind : family()) kinds.push_back(&kind);
  session.kinds = kinds;
  for (const auto add : kCommands) add(app, session);
  app.footer(
      "Examples:\n"
      "  objconv v1-to-v2 Sample.obj -o Objects.xml\n"
      "  objconv check --rndf site.rndf Objects.xml\n"
      "  objconv rndf to-geojson site.rndf -o site.geojson");
  const cli::CodeTable codes[] = {objconv::code::kAll, xml::codes(),      autosim::codes(),
                                  cajunbot::codes(),   rndf::codes(),     convert::codes(),
                                  graspit::codes(),    inventor::codes(), convert::grasp_codes()};
  return cli::run_main(app, argc, argv, codes, [&] { return session.action(); });
}
