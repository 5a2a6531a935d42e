// osmgen: houses and trees along the roads of an OpenStreetMap file. Wiring only; each subcommand is in the file of its name.
#include "apps/osmgen/osmgen.hpp"

int main(int argc, char** argv) {
  using namespace simbatch;
  cli::Command program("osmgen", "Put houses and trees along the roads of an OpenStreetMap file.");
  osmgen::add_generate(program);
  osmgen::add_init(program);
  osmgen::add_check(program);
  osmgen::add_info(program);
  // Memory in large pages, where the system has them: a third of the calls into the kernel's memory management, 6 % of a run.
  return cli::run_main(program, argc, argv, "glibc.malloc.hugetlb=1");
}
