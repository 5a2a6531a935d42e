#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "base/core/text.hpp"

using namespace simbatch;

namespace {
std::string json(std::string_view text) {
  std::string out = "before ";
  append_json_string(out, text);
  CHECK(out.starts_with("before \""));
  return out.substr(7);
}

/// The escape of a byte, by RFC 8259, section 7.
std::string escape_of(unsigned byte) {
  switch (byte) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
  }
  if (byte >= 0x80) return "\xef\xbf\xbd";
  if (byte >= 0x20 && byte != 0x7f) return std::string(1, static_cast<char>(byte));
  char text[8];
  std::snprintf(text, sizeof text, "\\u%04x", byte);
  return text;
}
}  // namespace

// The search for a byte to escape takes eight bytes at a time: each byte at each place of two such words.
TEST_CASE("json string: every byte at every place") {
  for (std::size_t at = 0; at < 17; ++at)
    for (unsigned byte = 0; byte < 256; ++byte) {
      std::string text(17, 'a');
      text[at] = static_cast<char>(byte);
      CAPTURE(at);
      CAPTURE(byte);
      CHECK(json(text) == '"' + std::string(at, 'a') + escape_of(byte) + std::string(16 - at, 'a') + '"');
    }
}

TEST_CASE("json string: UTF-8 stays, each byte of what is not is replaced") {
  CHECK(json("") == "\"\"");
  CHECK(json("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x9a\x97") == "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x9a\x97\"");
  CHECK(json("\xc3") == "\"\xef\xbf\xbd\"");
  CHECK(json("a\xe2\x82z\n") == "\"a\xef\xbf\xbd\xef\xbf\xbdz\\n\"");
}
