#pragma once
/// Tokens of an Inventor or VRML text, and fast skipping. Internal to this room.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace simbatch::inventor::detail {

/// A text and a cursor. Does not report diagnostics; errors are returned as an empty word or false.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  const char* at() const { return at_; }
  const char* end() const { return end_; }
  void go_to(const char* place) { at_ = place; }
  std::size_t offset(const char* place) const { return static_cast<std::size_t>(place - begin_); }
  std::string_view text() const { return {begin_, static_cast<std::size_t>(end_ - begin_)}; }

  /// Skips blanks, commas and comments; the next byte, or 0 at the end.
  char peek();
  /// A word: up to a blank, a comma, a quote, a bracket of any kind or a '#'. Empty if none begins here.
  std::string_view word();
  /// A string in quotes, without them (escapes left as they are), or a word.
  std::string_view string_or_word();

  /// Skips a bracketed thing of any kind that begins here: `[...]`, `{...}` or `(...)`, all kinds of brackets inside
  /// counted together. False at the end of the text.
  bool skip_brackets();
  /// Skips one value of a field, whatever it is: a list, a string, numbers, a word, a node.
  /// False if there is none or the text ends in it.
  bool skip_value();
  /// Skips a node at its type, DEF or USE.
  bool skip_node();

  std::uint64_t work() const { return work_; }  ///< bytes scanned so far, for the budget
  void add_work(std::uint64_t bytes) { work_ += bytes; }

 private:
  bool skip_string();
  const char *begin_, *at_, *end_;
  std::uint64_t work_ = 0;
  std::unordered_map<const char*, const char*> long_skips_;  // begin -> end of long bracketed things, seen before
};

/// Walks the numbers of a text range: blanks, commas and comments between them are skipped.
class Numbers {
 public:
  explicit Numbers(std::string_view range) : at_(range.data()), end_(at_ + range.size()) {}
  /// The next number, or false at the range's end or at something that is not a number (then failed()).
  bool next(double& value);
  bool next(std::int64_t& value);
  bool failed() const { return failed_; }
  const char* at() const { return at_; }

 private:
  bool ready();
  const char *at_, *end_;
  bool failed_ = false;
};

/// The inside of a field's range: without the brackets of a list.
std::string_view without_brackets(std::string_view range);

}  // namespace simbatch::inventor::detail
