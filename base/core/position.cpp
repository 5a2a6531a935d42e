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

LineIndex::LineIndex(std::string_view text) : text_(text), starts_{0} {
  for (std::size_t i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1)) starts_.push_back(i + 1);
}

Position LineIndex::at(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - starts_.begin());
  return {line, column_of(text_, *(after - 1), offset)};
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
