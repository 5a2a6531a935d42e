#include "formats/osm/xml_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "base/core/text.hpp"

namespace simbatch::osm::detail {
namespace {
/// "00", "01", ... "99".
constexpr std::array<char, 200> kPairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();
}  // namespace

void append_escaped(std::string& out, std::string_view text, char quote) {
  const auto special = [quote](char c) {
    return c == '&' || c == '<' || c == '>' || c == quote || static_cast<unsigned char>(c) < 0x20 ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  const auto first = std::find_if(text.begin(), text.end(), special);
  if (first == text.end()) {
    out += text;
    return;
  }
  while (!text.empty()) {
    const std::size_t clean = std::min(find_invalid_utf8(text), text.size());
    for (std::size_t i = 0; i < clean; ++i) {
      const char c = text[i];
      switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '\t': out += "&#9;"; break;
        case '\n': out += "&#10;"; break;
        case '\r': out += "&#13;"; break;
        default:
          if (c == quote) {
            out += quote == '"' ? "&quot;" : "&apos;";
          } else if (static_cast<unsigned char>(c) < 0x20) {
            out += "\xEF\xBF\xBD";
          } else if (const std::string_view three = text.substr(i, 3); three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF") {
            out += "\xEF\xBF\xBD";
            i += 2;
          } else {
            out += c;
          }
      }
    }
    text.remove_prefix(clean);
    if (text.empty()) break;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(1);
  }
}

void append_integer(std::string& out, std::int64_t value) {
  char buffer[24];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

char* put_degrees(char* to, std::int32_t e7) {
  const std::uint32_t rest = e7 < 0 ? 0 - static_cast<std::uint32_t>(e7) : static_cast<std::uint32_t>(e7);
  if (e7 < 0) *to++ = '-';
  to = std::to_chars(to, to + 4, rest / 10'000'000).ptr;
  const std::uint32_t fraction = rest % 10'000'000;
  if (fraction == 0) return to;
  *to++ = '.';
  // One digit and three pairs.
  const std::uint32_t high = fraction / 10'000, low = fraction % 10'000;
  *to++ = static_cast<char>('0' + high / 100);
  for (const std::uint32_t pair : {high % 100, low / 100, low % 100}) {
    std::memcpy(to, &kPairs[pair * 2], 2);
    to += 2;
  }
  while (to[-1] == '0') --to;
  return to;
}

void IdPrinter::print_hundreds(Id hundreds) {
  hundreds_ = hundreds;
  size_ =
      static_cast<std::size_t>(std::to_chars(digits_.data(), digits_.data() + digits_.size(), hundreds).ptr - digits_.data());
}

char* IdPrinter::put(char* to, Id id) {
  const Id hundreds = id / 100;
  if (hundreds == 0) return std::to_chars(to, to + 4, id).ptr;
  if (hundreds != hundreds_) print_hundreds(hundreds);
  std::memcpy(to, digits_.data(), digits_.size());  // all, which is quicker than a few
  const Id rest = id - hundreds * 100;
  std::memcpy(to + size_, &kPairs[static_cast<std::size_t>(rest < 0 ? -rest : rest) * 2], 2);
  return to + size_ + 2;
}

void append_degrees(std::string& out, std::int32_t e7) {
  char buffer[16];
  out.append(buffer, put_degrees(buffer, e7));
}

void append_node(std::string& out, const NodeStyle& style, Id id, LatLon at, std::span<const TagText> tags) {
  const char q = style.quote;
  const auto attribute = [&](std::string_view name) {
    out += name;
    out += q;
  };
  attribute("<node id=");
  append_integer(out, id);
  out += q;
  if (style.versions && id > 0) {
    attribute(" version=");
    out += '1';
    out += q;
  }
  attribute(" lat=");
  append_degrees(out, at.lat_e7);
  out += q;
  attribute(" lon=");
  append_degrees(out, at.lon_e7);
  out += q;
  if (tags.empty()) {
    out += "/>";
    return;
  }
  out += '>';
  append_tags(out, style, tags);
  out += "</node>";
}

void append_way(std::string& out, const NodeStyle& style, Id id, std::span<const Id> nodes, std::span<const TagText> tags) {
  const char q = style.quote;
  out += "<way id=";
  out += q;
  append_integer(out, id);
  out += q;
  if (style.versions && id > 0) {
    out += " version=";
    out += q;
    out += '1';
    out += q;
  }
  out += '>';
  for (const Id node : nodes) {
    out += style.newline;
    out += style.indent;
    out += "  <nd ref=";
    out += q;
    append_integer(out, node);
    out += q;
    out += "/>";
  }
  append_tags(out, style, tags);
  out += "</way>";
}

void append_tags(std::string& out, const NodeStyle& style, std::span<const TagText> tags) {
  const char q = style.quote;
  for (const TagText& tag : tags) {
    out += style.newline;
    out += style.indent;
    out += "  <tag k=";
    out += q;
    append_escaped(out, tag.key, q);
    out += q;
    out += " v=";
    out += q;
    append_escaped(out, tag.value, q);
    out += q;
    out += "/>";
  }
  out += style.newline;
  out += style.indent;
}

}  // namespace simbatch::osm::detail
