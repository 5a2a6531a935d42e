/// objconv: check and convert object, robot, body, world and road network files. Wiring only.
#include "apps/objconv/commands.hpp"

int main(int argc, char** argv) {
  using namespace simbatch;
  cli::Command program("objconv", "Check and convert object, robot, body, world and road network files.");
  objconv::add_files(program);
  objconv::add_versions(program);
  objconv::add_rndf(program);
  objconv::add_maps(program);
  objconv::add_convert(program);
  objconv::add_body(program);
  objconv::add_pose(program);
  objconv::add_render(program);
  program.examples({"objconv v1-to-v2 Sample.obj -o Objects.xml", "objconv check --rndf site.rndf Objects.xml",
                    "objconv rndf to-geojson site.rndf -o site.geojson", "objconv convert gripper.cfg -o gripper.urdf"});
  return cli::run_main(program, argc, argv);
}
