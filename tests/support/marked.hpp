#pragma once
/// Snippets of files with a mark at the place of their problem.

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "tests/support/support.hpp"

namespace simbatch::test {

/// A text and the place of the mark that it had.
struct Marked {
  std::string text;
  Position at;  ///< 0:0 if there was no mark
};

/// @param text  with at most one `@`, which is taken out
inline Marked marked(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos) return {std::string(text), {}};
  const std::string_view before = text.substr(0, at);
  Position place{1, 1};
  for (const char c : before) place = c == '\n' ? Position{place.line + 1, 1} : Position{place.line, place.column + 1};
  return {std::string(before) + std::string(text.substr(at + 1)), place};
}

/// `text` with the first `what` in it replaced, which must be there.
inline std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string out(text);
  const std::size_t at = out.find(what);
  REQUIRE_MESSAGE(at != std::string::npos, what);
  return out.replace(at, what.size(), with);
}

/// There is exactly one diagnostic besides notes: of this code, at this place.
inline void check_only(const Diagnostics& diagnostics, std::string_view code, Position at) {
  CAPTURE(all_text(diagnostics));
  std::size_t others = 0;
  std::size_t found = 0;
  for (const Diagnostic& d : diagnostics.items()) {
    if (d.code == code && d.at == at)
      ++found;
    else if (d.severity != Severity::note)
      ++others;
  }
  CHECK_MESSAGE(found == 1, found, " of ", code, " at ", at.line, ":", at.column);
  CHECK(others == 0);
}

}  // namespace simbatch::test
