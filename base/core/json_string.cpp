// Strings of JSON (RFC 8259, section 7). Traces are full of them, so the usual text without escapes is copied whole.
#include <cstdint>
#include <cstring>

#include "base/core/text.hpp"

namespace simbatch {
namespace {

// Number of leading bytes that are printable ASCII and need no escape: the bulk of most texts. Eight at a time, by the usual
// tests for a byte below n and a byte equal to n (Warren, Hacker's Delight, 6-1).
std::size_t plain_length(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u, kHigh = 0x8080808080808080u;
  const auto has_zero = [](std::uint64_t x) { return (x - kOnes) & ~x & kHigh; };
  std::size_t n = 0;
  for (; n + 8 <= text.size(); n += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + n, 8);
    const std::uint64_t special = (word & kHigh) | ((word - kOnes * 0x20) & ~word & kHigh) | has_zero(word ^ (kOnes * '"')) |
                                  has_zero(word ^ (kOnes * '\\')) | has_zero(word ^ (kOnes * 0x7f));
    if (special != 0) break;
  }
  for (; n < text.size(); ++n) {
    const auto byte = static_cast<unsigned char>(text[n]);
    if (byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\') break;
  }
  return n;
}

// Appends bytes that are valid UTF-8.
void append_clean(std::string& out, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (byte < 0x20 || byte == 0x7f) {
          out += "\\u00";
          out += "0123456789abcdef"[byte >> 4];
          out += "0123456789abcdef"[byte & 15];
        } else {
          out += c;
        }
    }
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  const std::size_t plain = plain_length(text);
  out += text.substr(0, plain);
  text.remove_prefix(plain);
  // The ends of an NMEA sentence, and other ASCII.
  while (!text.empty() && static_cast<unsigned char>(text[0]) < 0x80) {
    append_clean(out, text.substr(0, 1));
    text.remove_prefix(1);
  }
  while (!text.empty()) {
    const std::size_t bad = find_invalid_utf8(text);
    append_clean(out, text.substr(0, bad));
    if (bad == std::string_view::npos) break;
    out += "\xef\xbf\xbd";
    text.remove_prefix(bad + 1);
  }
  out += '"';
}

}  // namespace simbatch
