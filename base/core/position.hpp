#pragma once
/// Places in a text.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace simbatch {

/// A place in a text: line and column count from 1, the column counts bytes; 0 means unknown.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(const Position&, const Position&) = default;
  friend auto operator<=>(const Position&, const Position&) = default;
};

/// The place of byte `offset` of `text`, by one scan: O(offset). Lines end at LF; a CR LF counts as one end.
/// A byte order mark at the start of the text does not count as a column. `offset` is clamped to the text's size.
Position position_at(std::string_view text, std::size_t offset);

/// Finds places in one text again and again: O(text) once, then O(log lines).
/// Keeps a view of the text: the text must outlive it.
class LineIndex {
 public:
  LineIndex() = default;
  explicit LineIndex(std::string_view text) : text_(text) {}
  /// As position_at(text, offset).
  Position at(std::size_t offset) const;

 private:
  std::string_view text_;
  mutable std::vector<std::size_t> starts_;  // offset of each line's first byte; built at the first question
};

}  // namespace simbatch
