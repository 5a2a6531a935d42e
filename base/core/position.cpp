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

}  // namespace simbatch
