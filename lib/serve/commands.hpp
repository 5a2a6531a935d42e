#pragma once
/// Commands from viewers to a live run (docs/serve.md), each a JSON object.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace simbatch::serve {

enum class Act {
  run,  ///< continue; with `until`, up to that time
  pause,
  step,     ///< advance by `steps`, then pause
  speed,    ///< multiple of real time; 0: as fast as possible
  reset,    ///< a new run from step 0
  set,      ///< sets one input of a device before the next step
  open,     ///< loads another of the available scenarios
  program,  ///< starts a new run with another of a robot's available programs
};

struct Command {
  Act act = Act::pause;
  std::optional<double> until;     ///< run: s, >= 0
  std::int64_t steps = 1;          ///< step: 1..1e9
  double times = 1;                ///< speed: 0, or 0.001..1000
  std::int64_t scenario = 0;       ///< open: 0..1e6
  std::string robot;               ///< program
  std::int64_t program = 0;        ///< program: 0..1e6
  std::string device, input;       ///< set
  double value = 0;                ///< set; finite
  std::optional<std::int64_t> id;  ///< echoed in the answer; within +-2^53
};

/// Parses a message. Strict: unknown or missing keys, wrong types and numbers out of range are errors.
/// @return the command, or an error message of one clause
std::variant<Command, std::string> parse_command(std::string_view message);

}  // namespace simbatch::serve
