// simrun: runs a scenario for an exact number of steps and writes device traces. Wiring only.

#include <CLI/CLI.hpp>

#include "apps/simrun/pictures.hpp"
#include "apps/simrun/simrun.hpp"
#include "formats/trace/write.hpp"

using namespace simbatch;

namespace {

void require_format(const std::string& format, const std::string& path, const char* option) {
  if (format.empty() && path != "-" && !trace::format_of(path))
    throw CLI::ValidationError(option, "cannot tell the format of \"" + path + "\" by its suffix; say --format");
}

// An option whose values are ROBOT=SOMETHING.
template <class Choice>
void add_choices(CLI::App& app, const std::string& option, const char* form, const char* help, std::vector<Choice>& choices) {
  app.add_option_function<std::vector<std::string>>(
         option,
         [option, form, &choices](const std::vector<std::string>& words) {
           for (const std::string& word : words) {
             const std::size_t equals = word.find('=');
             if (equals == 0 || equals == std::string::npos || equals + 1 == word.size())
               throw CLI::ValidationError(option, std::string("expected ") + form + ", got \"" + word + "\"");
             choices.push_back({word.substr(0, equals), word.substr(equals + 1)});
           }
         },
         help)
      ->type_name(form)
      ->take_all()
      ->allow_extra_args(false)
      ->group("Programs");
}

void add_program_options(CLI::App& app, simrun::ProgramOptions& programs) {
  add_choices(app, "--program", "ROBOT=LIBRARY",
              "Run this program for robots of that name (* and ?), instead of the scenario's; may be repeated",
              programs.choices);
  add_choices(
      app, "--controller", "ROBOT=COMMAND",
      "Start this command, which controls robots of that name by lines of JSON, instead of the scenario's programs; Python finds simbatch_client; may be repeated",
      programs.controllers);
  app.add_flag("--isolate", programs.isolate, "Run each program in a process of its own")->group("Programs");
  app.add_option("--program-timeout", programs.timeout, "Real seconds that a program may take from sleep to sleep (0: any)")
      ->type_name("S")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str()
      ->group("Programs");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Run a scenario for an exact number of steps, the same way every time, and write what its devices measure.",
               "simrun"};
  simrun::RunOptions run;
  cli::add_common(app, run.common);
  app.add_option("scenario", run.scenario,
                 "Scenario file (AutoSim World XML), a GraspIt! world (.wld, XML), or a CajunBot object file")
      ->type_name("SCENARIO");
  app.add_option("-n,--steps", run.steps, "Number of steps, 0 or more")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 52))
      ->group("Run");
  app.add_option("--dt", run.dt, "Seconds a step, instead of the scenario's")
      ->type_name("S")
      ->check(CLI::Range(1e-9, 1.0))
      ->group("Run");
  app.add_option("--seed", run.seed, "Seed of all noise, instead of the scenario's")->type_name("K")->group("Run");
  app.add_option("--root", run.root, "Folder that the scenario may read files from (its own)")->type_name("DIR")->group("Run");
  app.add_option("--graspit-root", run.graspit_root, "Folder that a GraspIt! world's files are relative to (found)")
      ->type_name("DIR")
      ->group("Run");
  app.add_option("--rndf", run.rndf, "Road network of a CajunBot object file")->type_name("FILE")->group("Run");
  add_program_options(app, run.programs);
  app.add_flag("--check", run.check, "Check everything that the scenario refers to, run nothing")->group("Run");
  app.add_option("-o,--trace", run.trace, "Write a trace; - is standard output")->type_name("FILE")->group("Output");
  app.add_option("--format", run.format, "json, ndjson or csv (by the suffix of FILE)")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"json", "ndjson", "csv"}))
      ->group("Output");
  app.add_option("--every", run.every, "A row each M steps")
      ->type_name("M")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 52))
      ->capture_default_str()
      ->group("Output");
  app.add_option("--hash-every", run.hash_every, "A state hash each M steps (0: none)")
      ->type_name("M")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 52))
      ->capture_default_str()
      ->group("Output");
  app.add_option("--devices", run.devices, "Only nodes whose full name matches; * and ?; may be repeated")
      ->type_name("GLOB")
      ->take_all()
      ->allow_extra_args(false)
      ->group("Output");
  app.add_option("--record", run.record, "Write the tree's bit stream, step by step")->type_name("FILE")->group("Output");
  app.add_option("--frames", run.frames.folder, "Write cameras' pictures as PNG files to this folder")
      ->type_name("DIR")
      ->group("Output");
  app.add_option("--cameras", run.frames.cameras, "Only cameras whose full name matches; * and ?; may be repeated")
      ->type_name("GLOB")
      ->take_all()
      ->allow_extra_args(false)
      ->group("Output");
  app.add_option("--frames-every", run.frames.every, "A picture each M steps")
      ->type_name("M")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 52))
      ->capture_default_str()
      ->group("Output");
  app.add_flag("--print-tree", run.print_tree, "Print the simulation tree at time 0")->group("Output");
  app.add_flag("--state-hash", run.state_hash, "Print the state hash of the run on standard output")->group("Output");

  simrun::DumpOptions dump;
  CLI::App* dump_app = app.add_subcommand("dump", "Print a step of a recording as JSON");
  dump_app->add_option("recording", dump.recording, "Recording made with --record")->required()->type_name("FILE");
  dump_app->add_option("--scenario", dump.scenario, "Scenario that it was made with")->required()->type_name("SCENARIO");
  dump_app->add_option("--step", dump.step, "Which step (the last)")->type_name("N")->check(CLI::NonNegativeNumber);
  dump_app->add_option("--root", dump.root, "Folder that the scenario may read files from")->type_name("DIR");

  dump_app->add_option("--rndf", dump.rndf, "Road network of a CajunBot object file")->type_name("FILE");

  simrun::DiffOptions diff;
  CLI::App* diff_app = app.add_subcommand("diff", "Name the first difference of two traces");
  diff_app->add_option("first", diff.a, "Trace")->required()->type_name("A");
  diff_app->add_option("second", diff.b, "Trace")->required()->type_name("B");
  diff_app->add_option("--tolerance", diff.tolerance, "Numbers this near to each other count as equal")
      ->type_name("X")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();

  simrun::VerifyOptions verify;
  CLI::App* verify_app = app.add_subcommand("verify", "Run again what a trace says, and compare");
  verify_app->add_option("trace", verify.trace, "Trace")->required()->type_name("TRACE");
  verify_app->add_option("--scenario", verify.scenario, "Its scenario (found by name and digest)")->type_name("SCENARIO");
  verify_app->add_option("--root", verify.root, "Folder that the scenario may read files from")->type_name("DIR");
  add_program_options(*verify_app, verify.programs);

  verify_app->add_option("--rndf", verify.rndf, "Road network of a CajunBot object file (found by name and digest)")
      ->type_name("FILE");

  simrun::ConvertOptions convert;
  CLI::App* convert_app = app.add_subcommand("convert", "Write a trace in another format");
  convert_app->add_option("input", convert.input, "Trace")->required()->type_name("INPUT");
  convert_app->add_option("-o,--output", convert.output, "Output; - is standard output")->required()->type_name("FILE");
  convert_app->add_option("--format", convert.format, "json, ndjson or csv (by the suffix of FILE)")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"json", "ndjson", "csv"}));

  simrun::PlotOptions plot;
  CLI::App* plot_app = app.add_subcommand("plot", "Draw a trace: paths on a map, sensors over time (SVG)");
  plot_app->add_option("input", plot.input, "Trace")->required()->type_name("TRACE");
  plot_app->add_option("-o,--output", plot.output, "SVG file; - is standard output")->required()->type_name("FILE");
  plot_app->add_option("--devices", plot.devices, "Only nodes whose full name matches; * and ?; may be repeated")
      ->type_name("GLOB")
      ->take_all()
      ->allow_extra_args(false);
  plot_app->add_option("--columns", plot.columns, "Charts side by side")->check(CLI::Range(1, 12))->capture_default_str();

  simrun::SnapshotOptions snapshot;
  CLI::App* snapshot_app = app.add_subcommand("snapshot", "Draw what a camera sees at a step (PNG)");
  snapshot_app->add_option("scenario", snapshot.scenario, "Scenario")->required()->type_name("SCENARIO");
  snapshot_app->add_option("-o,--output", snapshot.output, "PNG file; - is standard output")->required()->type_name("FILE");
  snapshot_app->add_option("--at", snapshot.at, "Step")
      ->type_name("STEP")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 52))
      ->capture_default_str();
  snapshot_app->add_option("--camera", snapshot.camera, "Camera by its full name; * and ? (the first one)")->type_name("NAME");
  snapshot_app->add_option("--from", snapshot.from, "Look from here instead (metres, world)")->type_name("X,Y,Z");
  snapshot_app->add_option("--to", snapshot.to, "and to here")->type_name("X,Y,Z");
  snapshot_app->add_option("--fov", snapshot.field_of_view, "Vertical field of view in degrees (the camera's, or 60)")
      ->type_name("DEG")
      ->check(CLI::Range(1.0, 170.0));
  snapshot_app->add_option("--size", snapshot.size, "Pixels (the camera's, or 640x480)")->type_name("WxH");
  snapshot_app->add_option("--samples", snapshot.samples, "N x N rays a pixel")
      ->type_name("N")
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  snapshot_app->add_option("--daylight", snapshot.daylight, "From 0, night, to 1")
      ->type_name("X")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  snapshot_app->add_option("--dt", snapshot.dt, "Seconds a step, instead of the scenario's")
      ->type_name("S")
      ->check(CLI::Range(1e-9, 1.0));
  snapshot_app->add_option("--seed", snapshot.seed, "Seed of all noise, instead of the scenario's")->type_name("K");
  snapshot_app->add_option("--root", snapshot.root, "Folder that the scenario may read files from")->type_name("DIR");
  snapshot_app->add_option("--graspit-root", snapshot.graspit_root, "Folder that a GraspIt! world's files are relative to")
      ->type_name("DIR");
  snapshot_app->add_option("--rndf", snapshot.rndf, "Road network of a CajunBot object file")->type_name("FILE");
  add_program_options(*snapshot_app, snapshot.programs);

  simrun::CompileOptions compile;
  CLI::App* compile_app = app.add_subcommand("compile", "Make a user program's library from its sources");
  compile_app->add_option("sources", compile.sources, "C++ files, or C files")->required()->type_name("SOURCE");
  compile_app->add_option("-o,--output", compile.output, "Library (SOURCE's name, .so)")->type_name("FILE");
  compile_app->add_option("--compiler", compile.compiler, "Compiler (c++; for C files cc)")->type_name("PROGRAM");
  compile_app->add_option("--flag", compile.flags, "Handed to the compiler, after all others; may be repeated")
      ->type_name("FLAG")
      ->take_all()
      ->allow_extra_args(false);

  cli::add_examples(
      app, {"simrun scenarios/first_drive/scenario.xml --steps 6000 --trace run.json", "simrun scenario.xml --check",
            "simrun scenarios/grasp/world.wld --steps 4000 --trace grasp.json",
            "simrun objects.xml --rndf site.rndf --steps 24000 --trace traffic.json",
            "simrun dump run.rec --scenario scenario.xml --step 20", "simrun diff run.json other.json --tolerance 1e-9",
            "simrun verify run.json --scenario scenario.xml", "simrun convert run.json -o run.csv",
            "simrun plot run.json -o run.svg --devices '*.chassis' --devices '*.psd*'",
            "simrun snapshot scenario.xml -o front.png --at 400 --camera '*front_view' --size 640x360",
            "simrun snapshot scenario.xml -o above.png --from 40,45,-90 --to 20,0,20",
            "simrun compile scenarios/blinker/blinker.cpp -o blinker.so"});
  for (CLI::App* sub : app.get_subcommands(nullptr)) sub->fallthrough();
  app.require_subcommand(0, 1);
  app.final_callback([&] {
    if (convert_app->parsed()) require_format(convert.format, convert.output, "--output");
    if (snapshot_app->parsed()) {
      if (snapshot.from.empty() != snapshot.to.empty()) throw CLI::ValidationError("--from", "--from and --to go together");
      if (!snapshot.from.empty() && !snapshot.camera.empty())
        throw CLI::ValidationError("--camera", "either --camera or --from and --to");
      for (const std::string& place : {snapshot.from, snapshot.to})
        if (!place.empty() && !simrun::place_of(place))
          throw CLI::ValidationError("--from", "expected X,Y,Z, got \"" + place + "\"");
      if (!snapshot.size.empty() && !simrun::size_of(snapshot.size))
        throw CLI::ValidationError("--size", "expected WxH of 1 to 8192 pixels each, got \"" + snapshot.size + "\"");
    }
    if (!app.get_subcommands().empty()) return;
    if (run.scenario.empty()) throw CLI::RequiredError("SCENARIO");
    if (!run.steps && !run.check && !run.print_tree) throw CLI::RequiredError("--steps");
    if (!run.trace.empty()) require_format(run.format, run.trace, "--trace");
    if (run.trace == "-" && run.format == "csv")
      throw CLI::ValidationError("--trace", "tables need a folder, not standard output");
  });

  return cli::run_main(app, argc, argv, [&] {
    if (dump_app->parsed()) return simrun::dump(run.common, dump);
    if (diff_app->parsed()) return simrun::diff(run.common, diff);
    if (verify_app->parsed()) return simrun::verify(run.common, verify);
    if (convert_app->parsed()) return simrun::convert(run.common, convert);
    if (plot_app->parsed()) return simrun::plot(run.common, plot);
    if (snapshot_app->parsed()) return simrun::snapshot(run.common, snapshot);
    if (compile_app->parsed()) return simrun::compile(run.common, compile);
    return simrun::run(run);
  });
}
