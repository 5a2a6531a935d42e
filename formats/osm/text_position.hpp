#pragma once
/// Lines and columns of places in a text that is read window by window. Lines are counted only on demand, so that a text
/// without problems costs nothing.

#include <cstdint>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "formats/osm/scan.hpp"

namespace simbatch::osm::detail {

class TextPosition {
 public:
  /// @param offset  of the window's first byte in the text
  void begin_window(const Window& window, std::uint64_t offset);
  /// The window was read up to `used`, where the next one begins. Not for the last window.
  void end_window(const char* used);
  /// The byte order mark before `at` is not a column.
  void skip_mark(const char* at);
  /// A token begins here: later queries are for positions from here on, with few exceptions, which are slow.
  void begin_token(const char* at) { token_ = at; }

  /// Offset in the text of a byte of the window.
  std::uint64_t offset(const char* at) const { return window_offset_ + static_cast<std::uint64_t>(at - window_.begin); }
  std::uint64_t window_offset() const { return window_offset_; }
  /// Line and column, from 1, of a byte of the window.
  Position operator()(const char* at);
  /// The same by offset. @pre within the window
  Position at_offset(std::uint64_t offset) { return (*this)(window_.begin + (offset - window_offset_)); }

 private:
  void settle_lines();
  void move_line_count(const char* to);
  void restart_window();

  Window window_;
  std::uint64_t window_offset_ = 0;
  // All line ends before `counted_` (in the window) are in `line_`.
  const char* counted_ = nullptr;
  const char* token_ = nullptr;
  std::string_view uncounted_;  // text of earlier windows with uncounted lines, kept until requested
  std::uint64_t uncounted_offset_ = 0;
  std::uint32_t window_line_ = 1;
  std::uint64_t window_line_start_ = 0;
  std::uint32_t line_ = 1;
  std::uint64_t line_start_ = 0;  // offset in the text
};

}  // namespace simbatch::osm::detail
