#pragma once
/// User programs as compiled libraries in this process: each on a coroutine, with a copy of the library of its own.
///
/// The program's code between two sleeps runs inside run(). It keeps its own floating-point mode, errno and caught exceptions.
/// A crash, an exit and a turn that takes too long end only the turn. A program that is suspended when destroyed is abandoned:
/// its stack is not unwound, since it could resist (catch (...)), and its library stays loaded, since its threads may be
/// running in it.
///
/// It can still overwrite any memory of this process.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/sim/program/api.hpp"
#include "lib/sim/program/native/library.hpp"
#include "lib/sim/program/program.hpp"

namespace simbatch::sim {

struct NativeSettings {
  std::string robot;  ///< argv[0]
  std::string label;  ///< the library's path, for messages
  Source source;
  std::vector<std::string> arguments;  ///< argv[1], ...
  double timeout = 10;                 ///< s of wall time for a turn, and for loading; 0: none
  std::function<bool()> keep_going =
      {};  ///< called several times per second during its turn, in a signal handler; false ends it
};

struct NativeProgram {
  std::unique_ptr<Program> program;  ///< nullptr after a problem
  std::optional<LibraryProblem> problem;
};

/// Loads a copy, and stops before main. @pre check_library(bytes) found no problem
NativeProgram load_program(NativeSettings settings, std::string_view bytes, std::unique_ptr<ProgramApi> api);

}  // namespace simbatch::sim
