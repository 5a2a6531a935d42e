#pragma once
/// Texts to viewers of a live run (docs/serve.md, docs/schemas/live.schema.json): one JSON object each.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/serve/pace.hpp"
#include "lib/sim/participant.hpp"

namespace simbatch::serve {

/// @param page  digest of the page that belongs to the session
std::string hello_text(std::int64_t session, std::string_view page);

struct LiveState {
  std::int64_t session = 1;
  sim::Clock clock;
  const Pace* pace = nullptr;
  bool failed = false;
  std::size_t settings = 0;  ///< number of settings so far
  std::size_t viewers = 0;
  std::uint64_t dropped = 0;  ///< frames that slow viewers missed
  std::string waits_for;      ///< robot whose program has not connected yet; empty: none
  std::string expectations;   ///< outcomes so far, a JSON array
};
std::string state_text(const LiveState& state);

/// @param severity  "error", "warning" or "note"; @param code  of a diagnostic, or the name of a robot; may be empty
std::string message_text(std::string_view severity, std::string_view code, std::string_view text, std::int64_t step);
std::string set_text(std::int64_t step, std::string_view device, std::string_view input, double value);
/// @param problem  empty: the command was carried out
std::string answer_text(std::optional<std::int64_t> id, std::string_view problem);

}  // namespace simbatch::serve
