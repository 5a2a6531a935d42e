#pragma once
/// Line ends of old Macs.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace simbatch {

/// A copy with LF as line ends, of a text whose only line ends are CR, else nothing. Positions stay.
inline std::optional<std::string> with_line_feeds(std::string_view text) {
  if (text.find('\r') == std::string_view::npos || text.find('\n') != std::string_view::npos) return std::nullopt;
  std::string copy(text);
  std::replace(copy.begin(), copy.end(), '\r', '\n');
  return copy;
}

}  // namespace simbatch
