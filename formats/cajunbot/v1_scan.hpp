#pragma once
/// Internal: the tokens of version 1 files, and one object read from them.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/core/record_limit.hpp"
#include "formats/cajunbot/cajunbot.hpp"

namespace simbatch::cajunbot::detail {

/// Walks tokens between blanks; `//` starts a comment anywhere. Offsets are into the whole text. The no-break space
/// (U+00A0) is a blank: the wiki page's sample has one on each separating line.
class Scanner {
 public:
  static constexpr std::size_t kMaxName = 4096;  // bytes, of a file's name (Linux' PATH_MAX)
  Scanner(std::string_view text, std::size_t begin, std::size_t end) : data_(text.data()), at_(begin), end_(end) {}
  std::size_t offset() const { return at_; }
  /// Skips blanks and comments; true if something is left.
  bool skip();
  /// True if nothing but blanks or a comment follows on the line.
  bool at_line_end() const;
  /// The next token; empty at the end.
  std::string_view token();
  /// A file-name field: the rest of the next token's line; there `//` is a comment only after a blank. Empty, and nothing is
  /// taken, if it is longer than kMaxName: a file on one line may be all objects.
  std::string_view line();

 private:
  const char* data_;
  std::size_t at_, end_;
};

/// Objects and sensors of a file, together (base/core/record_limit.hpp).
inline constexpr std::size_t kMaxObjects = 200'000;

/// Reason why an object could not be read.
struct Fault {
  std::size_t offset = 0;
  std::string_view field;     ///< "size y"
  std::string_view expected;  ///< "a number >= 0"
  bool at_end = false;        ///< nothing was left
};

/// How the controller of a dynamic object is written.
enum class Layout { explicit_controller, implied_controller };

/// Reads one object. Any fault ends it; in tolerant mode only faults in fields that determine the number of following fields.
class ObjectParser {
 public:
  static constexpr std::size_t kMaxPassed = kMaxRecords;
  /// @param by_lines  a value that is not on a line of its own (three for a waypoint) is a fault
  ObjectParser(std::string_view text, bool tolerant, bool strict, bool by_lines = false)
      : text_(text), tolerant_(tolerant), strict_(strict), by_lines_(by_lines) {}
  /// @param offset  in: of the object; out: after it, if read
  bool parse(std::size_t& offset, std::size_t end, Layout layout, Object& object);
  /// Farthest position reached, over all calls.
  const Fault& furthest() const { return furthest_; }
  void forget() { furthest_ = {}; }
  /// Faults passed over in tolerant mode, at most kMaxPassed; the caller may cut the list back.
  std::vector<Fault>& passed() { return passed_; }

 private:
  bool fail(std::size_t offset, std::string_view field, std::string_view expected, bool at_end, bool may_pass);
  bool integer(Scanner& s, std::string_view field, std::string_view expected, std::int32_t min, std::int32_t max,
               std::int32_t& out, bool structural = false);
  bool number(Scanner& s, std::string_view field, bool not_negative, double& out);
  bool waypoint(Scanner& s, Waypoint& out);
  bool alone(Scanner& s, const char* token, std::string_view field);
  bool name(Scanner& s, std::string_view field, std::string& out);
  bool legs(Scanner& s, Object& object);
  bool mesh(Scanner& s, Object& object);

  std::string_view text_;
  bool tolerant_, strict_, by_lines_;
  Fault furthest_;
  std::vector<Fault> passed_;
};

/// The kind of an object without reading it further: 0..2, >= 3 for a mesh, or -1.
std::int32_t peek_type(std::string_view text, std::size_t offset, std::size_t end, bool strict);

/// As parse_double, quicker for short plain decimals.
bool quick_double(std::string_view token, double& out);

}  // namespace simbatch::cajunbot::detail
