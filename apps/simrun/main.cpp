// simrun: runs a scenario for an exact number of steps and writes device traces. Wiring only; each subcommand is in the file of
// its name.
#include "apps/simrun/simrun.hpp"

int main(int argc, char** argv) {
  using namespace simbatch;
  cli::Command program(
      "simrun", "Run a scenario for an exact number of steps, the same way every time, and write what its devices measure.");
  simrun::add_run(program);
  simrun::add_init(program);
  simrun::add_dump(program);
  simrun::add_diff(program);
  simrun::add_compare(program);
  simrun::add_verify(program);
  simrun::add_info(program);
  simrun::add_convert(program);
  simrun::add_plot(program);
  simrun::add_check(program);
  simrun::add_test(program);
  simrun::add_study(program);
  simrun::add_search(program);
  simrun::add_snapshot(program);
  simrun::add_replay(program);
  simrun::add_serve(program);
  simrun::add_session(program);
  simrun::add_compile(program);
  simrun::add_drive(program);
  return cli::run_main(program, argc, argv);
}
