#pragma once
/// Exit codes, and the options common to all programs.

#include <cstddef>

namespace simbatch::cli {

/// docs/adr/0004.
enum class ExitCode : int {
  ok = 0,
  input = 1,  ///< the input has errors, or an expectation failed
  usage = 2,
  io = 3,        ///< could not read or write
  internal = 4,  ///< a bug in the program
  interrupted = 130,
};

enum class When { automatic, always, never };

/// Options of the group "Diagnostics".
struct CommonOptions {
  bool strict = false;              ///< --strict: warnings are errors
  std::size_t max_errors = 100;     ///< --max-errors N: maximum number of diagnostics shown; 0 = all
  bool diagnostics_json = false;    ///< --diagnostics json
  bool quiet = false;               ///< -q: no summary, no warnings shown (they are still counted)
  int verbose = 0;                  ///< -v
  When color = When::automatic;     ///< --color
  When progress = When::automatic;  ///< --progress
};

}  // namespace simbatch::cli
