// simrun drive: runs a user program's library in this process and controls a robot of a remote simulation with it.

#include <filesystem>
#include <memory>

#include "apps/common/console.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/codes.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/process/line_channel.hpp"
#include "base/process/socket.hpp"
#include "lib/serve/web_client.hpp"
#include "lib/sim/program/native/native.hpp"
#include "lib/sim/program/remote/remote.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;

struct DriveOptions {
  std::string library, peer, files;
};

/// Over a WebSocket the token is part of the address, otherwise it is the first line.
sim::RemoteRun connected(const std::string& peer, const std::string& token) {
  const auto keep_going = [] { return !cli::interrupted(); };
  if (serve::is_web_url(peer)) return {serve::connect_web(peer, token, sim::kMaxAnswer, keep_going), {}};
  const Descriptor socket = connect_socket(peer);
  return {std::make_unique<LineChannel>(duplicate(socket), duplicate(socket), sim::kMaxAnswer, keep_going), token};
}

/// Compares this side's copies of the scenario's files with those of the run; missing files are ignored.
void compare_files(const std::string& folder, sim::RemoteRun& run) {
  for (const sim::RemoteInput& input : run.inputs()) {
    const std::filesystem::path path = std::filesystem::path(folder) / input.name;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) continue;
    const Input own = Input::open(path.string());
    run.compare({input.name, hex64(hash64(own.text()))});
  }
}

/// Runs the program to its end, or to that of the run. @return what went wrong
sim::Turn drive(sim::Program& program, sim::RemoteRun& run) {
  for (;;) {
    sim::Turn turn = program.run();
    if (turn.kind == sim::Turn::Kind::ended) run.end(turn.status);
    if (turn.kind != sim::Turn::Kind::sleeping) return turn;
    run.sleep_until(turn.until);
  }
}

ExitCode drive(const DriveOptions& options, cli::Reporter& reporter) {
  Diagnostics problems(options.library);
  const Input library = Input::open(options.library);
  if (const sim::LibraryCheck check = sim::check_library(library.text()); check.problem) {
    problems.report(*check.problem->code, {}, "the program " + quoted(options.library) + ": " + check.problem->message);
    reporter.show(std::move(problems));
    return reporter.finish();
  }
  cli::handle_interrupts_by_polling();
  try {
    const char* token = std::getenv("SIMBATCH_TOKEN");
    sim::RemoteRun run = connected(options.peer, token != nullptr ? token : "");
    if (!options.files.empty()) compare_files(options.files, run);
    std::vector<std::string> arguments = run.arguments();
    if (!arguments.empty()) arguments.erase(arguments.begin());  // the robot's name
    sim::NativeProgram made =
        sim::load_program({run.robot(), options.library, {}, std::move(arguments), 0}, library.text(), sim::remote_api(run));
    sim::Turn turn;
    if (made.problem)
      problems.report(*made.problem->code, {}, "the program " + quoted(options.library) + ": " + made.problem->message);
    else
      turn = drive(*made.program, run);
    // The connection's error is more specific than the exception that it caused in the program.
    if (!run.problem().empty())
      problems.report(code::kConnection, {}, options.peer + ": " + run.problem());
    else if (turn.kind == sim::Turn::Kind::failed && !run.is_over())
      problems.report(
          *turn.code, {},
          "the program of robot " + quoted(run.robot()) + " " + turn.message + ", at " + number_text(run.time()) + " s");
  } catch (const sim::RemoteEnded& ended) {
    if (!ended.is_over()) problems.report(code::kConnection, {}, options.peer + ": " + ended.what());
  }
  cli::take_interrupt();
  reporter.show(std::move(problems));
  return reporter.finish();
}

}  // namespace

void add_drive(cli::Command& program) {
  cli::Command& command = program.add("drive", "Run a user program here that controls a robot in a remote simulation");
  auto& o = command.keep<DriveOptions>();
  command.positional("LIBRARY", o.library, "User program, as made by `simrun compile`").required();
  command
      .option("--connect", "PEER", o.peer,
              "Where the simulation waits for it: HOST:PORT, unix:PATH, or ws://HOST:PORT/control/ROBOT")
      .required();
  command.option("--files", "DIR", o.files, "Compare the scenario's files in this folder with those of the run");
  command.examples(
      {"simrun drive drive.so --connect 127.0.0.1:4500", "simrun drive drive.so --connect ws://127.0.0.1:4500/control/car"});
  command.run([&o](cli::Reporter& reporter) { return drive(o, reporter); });
}

}  // namespace simbatch::simrun
