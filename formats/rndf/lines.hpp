#pragma once
/// Internal: shared by the readers of both file kinds: comment stripping, lines of words, values with their problems.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/text.hpp"
#include "formats/rndf/rndf.hpp"

namespace simbatch::rndf::detail {

/// The text with comments blanked out, nothing if it has none; reports one that is never closed.
std::optional<std::string> without_comments(std::string_view text, Diagnostics& diagnostics);

/// Lines from here on that begin with a digit, past empty ones: points, before they are read into a list of that size. One that
/// doubles takes twice as much.
std::size_t points_ahead(LineReader lines);

class LineParser {
 public:
  LineParser(Diagnostics& diagnostics, bool strict) : diagnostics_(diagnostics), strict_(strict) {}

  /// Loads the next line that is not empty. `words[0]` is its keyword.
  bool next(LineReader& lines);
  /// The first kKept words of the line: a list of all words of a long one would take several times its text.
  const std::vector<Token>& words() const { return words_; }
  std::string_view keyword() const { return words_[0].text; }
  Position at() const { return words_[0].at; }
  /// The line with single blanks.
  std::string text() const;

  /// Reports a departure from the document.
  void report_departure(const Code& code, Position at, std::string message);
  void error(const Code& code, Position at, std::string message) { diagnostics_.report(code, at, std::move(message)); }

  /// All words after the keyword as a name.
  std::string name(bool required);
  /// A whole number >= min as word `i`.
  std::optional<std::int32_t> integer(std::size_t i, std::int32_t min, std::string_view what);
  std::optional<double> number(std::size_t i, std::string_view what);
  /// `parts` numbers joined by dots.
  std::optional<PointId> id(std::size_t i, int parts, std::string_view what);
  /// Reports words after the first `n`.
  void expect_words(std::size_t n);

 private:
  bool has_word(std::size_t i, std::string_view what);
  std::string joined(WordReader words) const;

  static constexpr std::size_t kKept = 4;  // no line of the formats has more
  Diagnostics& diagnostics_;
  bool strict_;
  Line line_;
  std::vector<Token> words_;
  std::size_t count_ = 0;  // of all words
};

}  // namespace simbatch::rndf::detail
