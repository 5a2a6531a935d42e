#pragma once
/// A program in a process of its own: with the same API and results, and no way to crash the simulation. The process is a sandbox
/// (base/process/sandbox.hpp); what the program prints comes through pipes, up to 64 MiB, and its standard input is empty.
///
/// The process is a fork of this one, made when the run begins: it has the whole tree, so that names, sizes and errors are
/// resolved there by the same code. It runs the same Program as without isolation (such as a coroutine), created there. Numbers
/// are read from a snapshot in shared memory that the simulation fills before each turn; settings are collected and sent at the
/// end of the turn. A turn thus costs two packets, and reads cost none. Requests that only the simulation can answer are sent
/// immediately: images, states of devices, and reading back an actuator that this program has just set.
///
/// Data from the process is validated like any other input.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "lib/sim/program/api.hpp"
#include "lib/sim/program/isolated/snapshot.hpp"
#include "lib/sim/program/program.hpp"

namespace simbatch::sim {

struct IsolationSettings {
  std::string robot, label;
  Source source = {};
  double timeout = 10;  ///< s of wall time per turn, enforced in the program's process; 0: none
  /// additional s until the process is killed: stopping the program safely may take up to five
  double grace = 7;
  std::function<bool()> keep_going = {};    ///< called several times a second while waiting; false ends the run
  std::span<const Code* const> codes = {};  ///< failures of the program
  const Code* crash = nullptr;              ///< the process died, or sent an invalid packet
  const Code* exit = nullptr;               ///< the process ended without a message
  const Code* late = nullptr;               ///< the process does not respond at all
  const Code* interrupted = nullptr;        ///< keep_going returned false
};

/// Creates the program in the new process. Nothing on failure: then `problem` is its only turn.
using ProgramMaker = std::function<std::unique_ptr<Program>(std::unique_ptr<ProgramApi> api, Turn& problem)>;

class IsolatedProgram final : public Program {
 public:
  /// @param snapshot  shared by the programs of a simulation; made by the first that begins
  /// @param api       the program's own, on this side
  IsolatedProgram(Simulation& simulation, std::shared_ptr<std::unique_ptr<Snapshot>> snapshot, std::unique_ptr<ProgramApi> api,
                  IsolationSettings settings, ProgramMaker maker);
  ~IsolatedProgram() override;
  void begin() override;
  Turn run() override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Exit codes of the other side, not set by a program: it could not continue; it could not reach the simulation; it could not be
/// confined.
inline constexpr int kBrokenExit = 70, kLostExit = 71, kUnconfinedExit = 72;

/// Entry point of the forked process. Never throws. @return exit code
int run_isolated(int socket, const double* snapshot, Simulation& simulation, ProgramApi& forked, const ProgramMaker& maker);

}  // namespace simbatch::sim
