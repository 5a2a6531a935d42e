#pragma once
/// Problems of an input as data: what is wrong, where, how severe it is, and under which stable code.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/core/position.hpp"

namespace simbatch {

/// error: the output would be wrong, so there is none. warning: the output is correct, but data was lost or looks unintended.
/// note: adds a position or a hint to the previous diagnostic.
enum class Severity { note, warning, error };
std::string_view to_text(Severity severity);

/// A kind of problem, `<format>-<subject>[-<problem>]`; names never change. Each room has one table, its codes.hpp:
///   namespace simbatch::xml::code {
///   inline constexpr Code kNumber{"xml-number", Severity::error, "an attribute is not a number"};
///   inline constexpr const Code* kAll[] = {&kNumber};
///   inline const CodeTable kTable{kAll};
///   }
struct Code {
  std::string_view name;
  Severity severity;         ///< default severity
  std::string_view meaning;  ///< one line, for `--explain` and the format's page
};

/// The codes of one room, registered at start-up in the list of all codes that are linked into this program: every source that
/// reports a code includes the codes.hpp of its room.
class CodeTable {
 public:
  /// @param codes  of static storage
  explicit CodeTable(std::span<const Code* const> codes);
  CodeTable(const CodeTable&) = delete;
  CodeTable& operator=(const CodeTable&) = delete;

  std::span<const Code* const> codes() const { return codes_; }
  /// The table entered before this one, or null.
  const CodeTable* next() const { return next_; }

 private:
  std::span<const Code* const> codes_;
  const CodeTable* next_;
};

/// All codes that this program can report, sorted by name.
std::vector<const Code*> linked_codes();

/// One problem. `file` is the name given by the caller, `path` the logical place in a tree format
/// (`/Robot/Devices/PSDSensor[2]/@name`), shown when there is no line.
struct Diagnostic {
  std::string file;
  Position at;
  Severity severity = Severity::error;
  std::string_view code;  ///< of static storage (a Code's name)
  std::string message;    ///< one clause, lower case, no full stop; text of the input is in quoted() form
  std::string path;
};

/// `file:line:column: error: message [code]`, one line, without its end: control characters of names and messages become `\xNN`.
std::string to_text(const Diagnostic& diagnostic);
/// One JSON object {"file","line","column","severity","code","message","path"}, without a line break. Bytes that are not
/// UTF-8 are replaced.
std::string to_json(const Diagnostic& diagnostic);

/// All problems of an input, in the order they were found. Everything is counted; of each severity only the first
/// kMaxKept are kept, so that a hostile input cannot fill the memory with complaints about itself.
class Diagnostics {
 public:
  static constexpr std::size_t kMaxKept = 10'000;

  Diagnostics() = default;
  /// @param file  name put into each diagnostic reported here
  explicit Diagnostics(std::string file) : file_(std::move(file)) {}

  const std::string& file() const { return file_; }
  /// Reports a problem with the code's own severity.
  void report(const Code& code, Position at, std::string message, std::string path = {});
  /// Reports a problem of another file.
  void report_in(std::string file, const Code& code, Position at, std::string message, std::string path = {});
  /// Reports with another severity than the code's (a strict mode, a note that adds a place).
  void report_as(Severity severity, const Code& code, Position at, std::string message, std::string path = {});
  /// Adds a place or a hint to the diagnostic reported last.
  void note(const Code& code, Position at, std::string message);
  /// Appends another object's diagnostics and counts.
  void append(Diagnostics other);

  std::size_t errors() const { return counts_[2]; }
  std::size_t warnings() const { return counts_[1]; }
  std::size_t notes() const { return counts_[0]; }
  /// How many of this severity were counted but not kept.
  std::size_t dropped(Severity severity) const {
    const auto kind = static_cast<std::size_t>(severity);
    return counts_[kind] - kept_[kind];
  }
  bool has_errors() const { return errors() > 0; }
  bool empty() const { return items_.empty(); }
  /// The kept ones, in the order found until sort() was called.
  const std::vector<Diagnostic>& items() const { return items_; }
  /// By file (file() first, then in the order found), then position; notes stay after the diagnostic that they add to. Stable.
  void sort();

 private:
  std::string file_;
  std::vector<Diagnostic> items_;
  std::size_t counts_[3] = {0, 0, 0};
  std::size_t kept_[3] = {0, 0, 0};
};

/// The result of a reader: what was understood, and every problem.
template <class T>
struct [[nodiscard]] Parsed {
  std::optional<T> value;  ///< empty only when nothing usable could be built
  Diagnostics diagnostics;
  /// True if there is a value and no error.
  bool ok() const { return value.has_value() && !diagnostics.has_errors(); }
};

/// quoted(text): input text for a message: in double quotes, control bytes and bytes that are not UTF-8 as `\xNN`, cut after
/// `max` bytes. A function object, because wherever `<iomanip>` is included, argument-dependent lookup would find std::quoted.
struct Quoted {
  std::string operator()(std::string_view text, std::size_t max = 60) const;
};
inline constexpr Quoted quoted{};

/// The candidate nearest to `word` (edit distance, at most a third of its length), for "did you mean"; empty if none.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace simbatch
