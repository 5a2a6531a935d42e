#pragma once
/// What a viewer may ask of a live run (docs/serve.md): one JSON object each.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace simbatch::serve {

enum class Act {
  run,  ///< from here on; with `until`, to that time
  pause,
  step,   ///< so many steps, and pause
  speed,  ///< times real time; 0: as fast as it goes
  reset,  ///< a new run from step 0
  set,    ///< one input of a device, before the next step
};

struct Command {
  Act act = Act::pause;
  std::optional<double> until;     ///< run: s, >= 0
  std::int64_t steps = 1;          ///< step: 1..1e9
  double times = 1;                ///< speed: 0, or 0.001..1000
  std::string device, input;       ///< set
  double value = 0;                ///< set; finite
  std::optional<std::int64_t> id;  ///< comes back with the answer; within +-2^53
};

/// Reads a message. Strict: an unknown key, a missing one, a wrong type or a number out of its range is an error.
/// @return the command, or what is wrong, in one clause
std::variant<Command, std::string> parse_command(std::string_view message);

}  // namespace simbatch::serve
