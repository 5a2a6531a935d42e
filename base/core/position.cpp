#include "base/core/position.hpp"

#include <algorithm>
#include <cstring>

#include "base/core/text.hpp"

namespace simbatch {
namespace {
std::uint32_t column_of(std::string_view text, std::size_t start, std::size_t offset) {
  if (start == 0) start = std::min(byte_order_mark_size(text), offset);
  return static_cast<std::uint32_t>(offset - start + 1);
}
}  // namespace

Position position_at(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  std::uint32_t line = 1;
  std::size_t start = 0;
  while (start < offset) {
    const void* end = std::memchr(text.data() + start, '\n', offset - start);
    if (end == nullptr) break;
    start = static_cast<std::size_t>(static_cast<const char*>(end) - text.data()) + 1;
    ++line;
  }
  return {line, column_of(text, start, offset)};
}

// The line of byte `offset`, if `line` is that of byte `from`, the same or an earlier one.
LineIndex::Line LineIndex::line_at(std::string_view text, std::size_t offset, Line line, std::size_t from) {
  text = text.substr(0, offset);
  for (std::size_t i = text.find('\n', from); i != std::string_view::npos; i = text.find('\n', i + 1))
    line = {i + 1, line.number + 1};
  return line;
}

LineIndex::LineIndex(std::string_view text) : text_(text), lines_{{}} {
  lines_.reserve(text.size() / kStep + 1);
  for (std::size_t at = kStep; at <= text.size(); at += kStep) lines_.push_back(line_at(text, at, lines_.back(), at - kStep));
}

Position LineIndex::at(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const std::size_t step = offset / kStep;
  const Line line = line_at(text_, offset, lines_[step], step * kStep);
  return {line.number, column_of(text_, line.start, offset)};
}

TextPlaces::TextPlaces(std::string_view file) {
  std::uint32_t line = 1;
  add(0, {line, 1});
  for (std::size_t i = file.find('\n'); i != std::string_view::npos; i = file.find('\n', i + 1)) add(i + 1, {++line, 1});
}

Position TextPlaces::at(std::size_t offset) const {
  const auto after = std::upper_bound(anchors_.begin(), anchors_.end(), offset,
                                      [](std::size_t o, const auto& anchor) { return o < anchor.first; });
  if (after == anchors_.begin()) return {};
  const auto& [start, at] = *(after - 1);
  return {at.line, static_cast<std::uint32_t>(at.column + (offset - start))};
}

}  // namespace simbatch
