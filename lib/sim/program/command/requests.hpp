#pragma once
/// The controller's half of the line protocol (docs/controllers.md): a line is a request or an array of requests.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace simbatch::sim {

/// What a request asks for.
enum class Verb { get, set, status, list, time, sleep, sleep_until, image, unlock, log, input, end };

struct Request {
  Verb verb = Verb::time;
  std::string text;            ///< get, set, status, image: the device's full name; list: a pattern, "*" if none was given;
                               ///< log: the text; input: a file's name
  std::string digest;          ///< input: of the program's copy of the file
  std::vector<double> values;  ///< set; NaN where the line has null
  double number = 0;           ///< sleep: ms, >= 0; sleep_until: s, >= 0; end: status, a whole number in 0..255
};

struct RequestLine {
  bool batch = false;  ///< an array; its answer is one too
  std::vector<Request> requests;
};

/// Maximum length of a line, in bytes.
inline constexpr std::size_t kMaxRequestLine = 1u << 20;

/// Reads a line. Strict: unknown, repeated and missing keys and wrong types are errors, so that mistakes do not go unnoticed.
/// Memory is proportional to the line.
/// @return the requests, or what is wrong, in one clause
std::variant<RequestLine, std::string> parse_requests(std::string_view text);

}  // namespace simbatch::sim
