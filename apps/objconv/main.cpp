/// objconv: check and convert object, robot, body, world and road network files. Wiring only.
#include <CLI/CLI.hpp>

#include "apps/objconv/commands.hpp"

namespace {

using namespace simbatch;

constexpr void (*kCommands[])(CLI::App&, objconv::Program&) = {
    objconv::add_files,   objconv::add_versions, objconv::add_rndf, objconv::add_maps,
    objconv::add_convert, objconv::add_body,     objconv::add_pose, objconv::add_render,
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Check and convert object, robot, body, world and road network files.", "objconv"};
  // Asked for by hand: CLI11 would ask before it looks at unknown options.
  app.final_callback([&app] {
    if (app.get_subcommands().empty()) throw CLI::RequiredError("A subcommand");
  });
  app.fallthrough();
  objconv::Program program;
  cli::add_common(app, program.common);
  for (const auto add : kCommands) add(app, program);
  app.footer(
      "Examples:\n"
      "  objconv v1-to-v2 Sample.obj -o Objects.xml\n"
      "  objconv check --rndf site.rndf Objects.xml\n"
      "  objconv rndf to-geojson site.rndf -o site.geojson\n"
      "  objconv convert gripper.cfg -o gripper.urdf");
  cli::add_examples(app, {"objconv check --rndf site.rndf Objects.xml",
                          "objconv check --as loader gripper.cfg",
                          "objconv info --json site.rndf Objects.xml",
                          "objconv fmt Objects.xml -o Objects.xml",
                          "objconv v1-to-v2 Sample.obj -o Objects.xml --report losses.json",
                          "objconv v1-to-v2 --keep-extras --out-dir xml --jobs 4 old/*.obj",
                          "objconv v2-to-v1 Objects.xml --rndf site.rndf -o Sample.obj",
                          "objconv resolve Objects.xml --rndf site.rndf",
                          "objconv to-geojson Objects.xml --rndf site.rndf -o objects.geojson",
                          "objconv to-kml Objects.xml --rndf site.rndf -o objects.kml",
                          "objconv to-svg Objects.xml --rndf site.rndf -o objects.svg",
                          "objconv to-sdf Objects.xml --rndf site.rndf -o objects.sdf",
                          "objconv to-scenario Objects.xml --rndf site.rndf -o block.xml",
                          "objconv rndf check --strict site.rndf",
                          "objconv rndf info --json site.rndf",
                          "objconv rndf fmt site.rndf -o site.rndf",
                          "objconv rndf to-geojson site.rndf -o site.geojson",
                          "objconv rndf to-osm site.rndf -o site.osm",
                          "objconv mdf check --rndf site.rndf mission.mdf",
                          "objconv convert gripper.cfg -o gripper.urdf",
                          "objconv convert world.wld -o world.sdf",
                          "objconv convert world.wld -o world.xml",
                          "objconv convert can.iv -o can.glb",
                          "objconv body set can.iv --mass 300 --material wood",
                          "objconv pose gripper.cfg --dof 20,0.1,0.1,0.1",
                          "objconv render gripper.cfg --dof 20,0.1,0.1,0.1 -o gripper.png"});
  return cli::run_main(app, argc, argv, [&] { return program.action(); });
}
