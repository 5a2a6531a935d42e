#include "formats/osm/text_position.hpp"

#include <algorithm>
#include <cstring>

namespace simbatch::osm::detail {

void TextPosition::begin_window(const Window& window, std::uint64_t offset) {
  window_ = window;
  window_offset_ = offset;
  counted_ = window.begin;
  window_line_ = line_;
  window_line_start_ = line_start_;
}

void TextPosition::restart_window() {
  counted_ = window_.begin;
  line_ = window_line_;
  line_start_ = window_line_start_;
}

void TextPosition::end_window(const char* used) {
  if (used < counted_) restart_window();  // the reader has gone back over a byte order mark
  if (window_.stays) {
    // The uncounted text is directly before this window, and no position was requested meanwhile.
    if (uncounted_.empty()) uncounted_offset_ = offset(counted_);
    const char* const from = uncounted_.empty() ? counted_ : uncounted_.data();
    uncounted_ = {from, static_cast<std::size_t>(used - from)};
  } else {
    token_ = used;
    (*this)(used);
  }
}

void TextPosition::skip_mark(const char* at) {
  line_start_ = window_line_start_ = offset(at);
  counted_ = at;
}

void TextPosition::settle_lines() {
  if (uncounted_.empty()) return;
  for (std::size_t i = uncounted_.find('\n'); i != std::string_view::npos; i = uncounted_.find('\n', i + 1)) {
    ++line_;
    line_start_ = uncounted_offset_ + i + 1;
  }
  uncounted_ = {};
  window_line_ = line_;
  window_line_start_ = line_start_;
}

void TextPosition::move_line_count(const char* to) {
  while (counted_ < to) {
    const void* const end = std::memchr(counted_, '\n', static_cast<std::size_t>(to - counted_));
    if (end == nullptr) break;
    counted_ = static_cast<const char*>(end) + 1;
    ++line_;
    line_start_ = offset(counted_);
  }
  counted_ = to;
}

Position TextPosition::operator()(const char* at) {
  settle_lines();
  if (at < counted_) restart_window();  // rare: a place before the current token
  // The count is kept at the start of the current token: later queries about this token may refer to it.
  if (token_ != nullptr && token_ >= counted_ && token_ <= at) move_line_count(token_);
  std::uint32_t line = line_;
  std::uint64_t start = line_start_;
  for (const char* p = counted_; p < at; ++p) {
    if (*p == '\n') {
      ++line;
      start = offset(p + 1);
    }
  }
  const std::uint64_t here = offset(at);
  return {line, static_cast<std::uint32_t>(std::min<std::uint64_t>(here >= start ? here - start + 1 : 1, UINT32_MAX))};
}

}  // namespace simbatch::osm::detail
