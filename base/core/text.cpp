#include "base/core/text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace simbatch {
namespace {
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
}  // namespace

LineReader::LineReader(std::string_view text) : text_(text), offset_(byte_order_mark_size(text)) {}

bool LineReader::next(Line& line) {
  if (offset_ >= text_.size()) return false;
  const std::size_t end = std::min(text_.find('\n', offset_), text_.size());
  line.offset = offset_;
  line.number = ++number_;
  line.text = text_.substr(offset_, end - offset_);
  if (line.text.ends_with('\r')) line.text.remove_suffix(1);
  offset_ = end + 1;
  return true;
}

bool WordReader::next(Token& word) {
  while (offset_ < text_.size() && is_blank(text_[offset_])) ++offset_;
  if (offset_ >= text_.size()) return false;
  std::size_t end = offset_;
  while (end < text_.size() && !is_blank(text_[end])) ++end;
  word = {text_.substr(offset_, end - offset_), {line_, column0_ + static_cast<std::uint32_t>(offset_)}};
  offset_ = end;
  return true;
}

std::vector<Token> split_tokens(std::string_view text, std::uint32_t line_number, std::uint32_t column0, std::size_t most) {
  std::vector<Token> tokens;
  WordReader words(text, line_number, column0);
  for (Token word; tokens.size() < most && words.next(word);) tokens.push_back(word);
  return tokens;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower_ascii(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::size_t find_invalid_utf8(std::string_view text) {
  // Unicode standard, table 3-7: the second byte's range depends on the first; all further ones are 80..BF.
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  for (std::size_t i = 0; i < text.size();) {
    if (std::uint64_t eight = 0; i + sizeof eight <= text.size()) {
      std::memcpy(&eight, text.data() + i, sizeof eight);
      if ((eight & kHighBits) == 0) {  // ASCII
        i += sizeof eight;
        continue;
      }
    }
    const auto first = static_cast<unsigned char>(text[i]);
    std::size_t length = 1;
    unsigned low = 0x80, high = 0xBF;
    if (first >= 0x80) {
      if (first >= 0xC2 && first <= 0xDF)
        length = 2;
      else if (first >= 0xE0 && first <= 0xEF)
        length = 3;
      else if (first >= 0xF0 && first <= 0xF4)
        length = 4;
      else
        return i;
      if (first == 0xE0) low = 0xA0;
      if (first == 0xED) high = 0x9F;
      if (first == 0xF0) low = 0x90;
      if (first == 0xF4) high = 0x8F;
    }
    if (i + length > text.size()) return i;
    for (std::size_t k = 1; k < length; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if (byte < low || byte > high) return i;
      low = 0x80;
      high = 0xBF;
    }
    i += length;
  }
  return std::string_view::npos;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 63));
    }
    put(0x80 | (code >> 6 & 63));
  }
  put(0x80 | (code & 63));
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t bad = 0; (bad = find_invalid_utf8(text)) != std::string_view::npos; text.remove_prefix(bad + 1))
    out.append(text.substr(0, bad)) += "\xEF\xBF\xBD";
  return out.append(text);
}

std::string printable(std::string_view text) {
  std::string out;
  const auto spell = [&out](std::string_view bytes) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  };
  while (!text.empty()) {
    const std::string_view valid = text.substr(0, find_invalid_utf8(text));
    for (std::size_t i = 0; i < valid.size(); ++i) {
      const auto byte = static_cast<unsigned char>(valid[i]);
      if (byte < 0x20 || byte == 0x7F) {
        spell(valid.substr(i, 1));
      } else if (byte == 0xC2 && static_cast<unsigned char>(valid[i + 1]) < 0xA0) {  // U+0080 to U+009F
        spell(valid.substr(i++, 2));
      } else {
        out += valid[i];
      }
    }
    text.remove_prefix(valid.size());
    if (text.empty()) break;
    spell(text.substr(0, 1));
    text.remove_prefix(1);
  }
  return out;
}

}  // namespace simbatch
