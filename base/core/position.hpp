#pragma once
/// Positions in a text.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace simbatch {

/// A position in a text: line and column count from 1, the column counts bytes; 0 means unknown.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(const Position&, const Position&) = default;
  friend auto operator<=>(const Position&, const Position&) = default;
};

/// Position in the source file, for later diagnostics. Not part of a value: all compare equal.
struct SourcePlace {
  Position at;
  friend bool operator==(const SourcePlace&, const SourcePlace&) { return true; }
};

/// The position of byte `offset` of `text`, by one scan: O(offset). Lines end at LF; a CR LF counts as one end.
/// A byte order mark at the start of the text does not count as a column. `offset` is clamped to the text's size.
Position position_at(std::string_view text, std::size_t offset);

/// Finds many positions in one text: O(text) to construct, then O(1) each. Takes a 64th of the text's size, and keeps a view of
/// the text, which must outlive it. May be used by several threads.
class LineIndex {
 public:
  LineIndex() : LineIndex(std::string_view()) {}
  explicit LineIndex(std::string_view text);
  /// Same result as position_at(text, offset).
  Position at(std::size_t offset) const;

 private:
  static constexpr std::size_t kStep = 1024;
  struct Line {
    std::size_t start = 0;  // offset of its first byte
    std::uint32_t number = 1;
  };
  static Line line_at(std::string_view text, std::size_t offset, Line line, std::size_t from);
  std::string_view text_;
  std::vector<Line> lines_;  // of every kStep-th byte
};

/// Maps the bytes of a text to positions in its source file, which may contain additional bytes (an XML attribute's value with
/// its references). Like SourcePlace, not part of a value: all compare equal.
class TextPlaces {
 public:
  /// A text without a file: all positions are unknown.
  TextPlaces() = default;
  /// A text that is the whole file.
  explicit TextPlaces(std::string_view file);
  /// From byte `offset` of the text on, the bytes are contiguous on one line of the file, starting at `at`. Offsets ascend.
  void add(std::size_t offset, Position at) { anchors_.emplace_back(offset, at); }
  /// The position of byte `offset` of the text. O(log lines).
  Position at(std::size_t offset) const;
  friend bool operator==(const TextPlaces&, const TextPlaces&) { return true; }

 private:
  std::vector<std::pair<std::size_t, Position>> anchors_;
};

}  // namespace simbatch
