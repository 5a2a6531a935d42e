#pragma once
/// A small streaming JSON reader that tracks its position.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"

namespace simbatch::trace::detail {

/// Thrown to abort reading; caught inside the room.
struct ReadFailure {
  const Code* code;
  std::size_t offset;
  std::string message;
};

class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

  /// Calls on_member(name) for each member; it must read the member's value.
  template <class F>
  void object(F on_member) {
    open('{');
    if (!close_early('}')) do {
        const std::string name = string();
        expect(':');
        on_member(name);
      } while (more('}'));
    --depth_;
  }
  /// Calls on_item() for each item; it must read the item.
  template <class F>
  void array(F on_item) {
    open('[');
    if (!close_early(']')) do {
        on_item();
      } while (more(']'));
    --depth_;
  }
  std::string string();
  double number();
  std::int64_t integer();  ///< whole, fits
  std::uint64_t unsigned_integer();
  /// 16 hexadecimal digits as a string.
  std::uint64_t hash();
  void skip();  ///< any value
  /// An array of numbers, without reading them. @return how many
  std::size_t skip_numbers();
  void expect(char c);  ///< between values
  void end();           ///< only blanks may follow
  std::size_t offset() const { return at_; }

  [[noreturn]] void fail(const Code& code, std::string message) const;

 private:
  void blanks();
  void open(char bracket);
  bool close_early(char bracket);
  bool more(char bracket);
  std::string_view number_token();

  static constexpr int kMaxDepth = 64;
  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace simbatch::trace::detail
