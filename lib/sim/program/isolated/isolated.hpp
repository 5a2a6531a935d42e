#pragma once
/// A program in a process of its own: the same API, the same results, and nothing that it does can bring the simulation down.
///
/// The process is a fork of this one, made when the run begins: it has the whole tree, so that names, sizes and errors are
/// looked up there, by the same code. In it runs the same Program as without isolation (a coroutine, say), which is made
/// there. Numbers are read from a snapshot in shared memory that the simulation fills before each turn; settings are
/// collected and go with the end of the turn. So a turn costs two packets, and reading nothing. What must be answered by the simulation itself goes
/// there at once: images, states of devices, and reading back an actuator that this program has just set.
///
/// What comes from the process is checked like any other input.

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
  double timeout = 10;               ///< s of wall time of a turn that the program itself keeps to; 0: none
  double grace = 7;                  ///< s more until the process is killed: the program has up to five to find a place to stop
  std::function<bool()> go_on = {};  ///< asked several times a second while waiting; false ends the run
  std::span<const Code* const> codes = {};  ///< that the program can fail with
  const Code* crash = nullptr;              ///< the process died, or sends what no program sends
  const Code* exit = nullptr;               ///< the process ended without a message
  const Code* late = nullptr;               ///< the process does not answer, not even that the program is late
  const Code* interrupted = nullptr;        ///< go_on said no
};

/// Makes the program, in the new process. Nothing: then `problem` is its only turn, a failed one.
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

/// Exit codes of the other side, where a program does not set one: it could not go on; it could not reach the simulation.
inline constexpr int kBrokenExit = 70, kLostExit = 71;

/// The other side: what fork() leaves to do. Never throws. @return exit code
int run_isolated(int socket, const double* snapshot, Simulation& simulation, ProgramApi& forked, const ProgramMaker& maker);

}  // namespace simbatch::sim
