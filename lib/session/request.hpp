#pragma once
/// Requests to a session: lines of JSON (docs/python.md, "The protocol").

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace simbatch::session {

enum class Verb {
  step,   ///< applies settings, then advances by `steps`
  get,    ///< the values of a node, including texts
  image,  ///< picture of a camera
  hash,   ///< digest of all states so far
  save,   ///< writes trace and script up to now
  fork,   ///< forks a process that continues from the current state
  end,
};

/// One input of a device, before the next step.
struct Setting {
  std::string device, input;
  double value = 0;  ///< finite
};

struct Request {
  Verb verb = Verb::step;
  std::int64_t steps = 1;         ///< step: 0..2^53
  std::vector<Setting> settings;  ///< step
  std::string name;               ///< get, image: full name of a node
  std::string trace, format;      ///< save: a file; its format, empty: by its suffix
  std::string script;             ///< save: a file
};

/// Parses a line. Strict: unknown or missing keys, wrong types and numbers out of range are errors.
/// @return the request, or an error message of one clause
std::variant<Request, std::string> parse_request(std::string_view line);

}  // namespace simbatch::session
