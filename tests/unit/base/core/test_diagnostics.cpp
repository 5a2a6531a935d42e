#include <doctest/doctest.h>

#include "base/core/diagnostics.hpp"
#include "base/core/hash.hpp"
#include "base/core/text.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {
constexpr Code kOdd{"test-odd", Severity::warning, "something odd"};
constexpr Code kBad{"test-bad", Severity::error, "something bad"};
}  // namespace

TEST_CASE("control characters of names and messages do not reach the terminal") {
  const Code code{"test-code", Severity::error, "a test"};
  Diagnostics problems("evil\x1b[2J\n.osm");
  problems.report(code, {3, 4}, "unknown feature \x1b]0;title\x07\r\nx.osm:1:1: error: forged \x7f \xc2\x9b \xff \xc3\xa4");
  CHECK(
      to_text(problems.items()[0]) ==
      "evil\\x1B[2J\\x0A.osm:3:4: error: unknown feature \\x1B]0;title\\x07\\x0D\\x0Ax.osm:1:1: error: forged \\x7F \\xC2\\x9B \\xFF "
      "\xc3\xa4 [test-code]");
  Diagnostics tree("f");
  tree.report(code, {}, "m", "/A\n/B");
  CHECK(to_text(tree.items()[0]) == "f:/A\\x0A/B: error: m [test-code]");
  CHECK(quoted("a\x1b\xff") == "\"a\\x1B\\xFF\"");
  CHECK(printable("\xc2") == "\\xC2");
  CHECK(printable("").empty());
}

TEST_CASE("a byte order mark is cut off, once") {
  CHECK(without_byte_order_mark("\xEF\xBB\xBFtext") == "text");
  CHECK(without_byte_order_mark("\xEF\xBB\xBF\xEF\xBB\xBF") == kByteOrderMark);
  CHECK(without_byte_order_mark("\xEF\xBB") == "\xEF\xBB");
  CHECK(byte_order_mark_size("") == 0);
}

TEST_CASE("diagnostics: text has file, line, column, severity, message and code") {
  Diagnostics all("a.txt");
  all.report(kBad, {9, 1}, "radius is 10");
  all.report(kOdd, {}, "no place", "/a/b[2]");
  all.report(kOdd, {3, 0}, "line only");
  CHECK(to_text(all.items()[0]) == "a.txt:9:1: error: radius is 10 [test-bad]");
  CHECK(to_text(all.items()[1]) == "a.txt:/a/b[2]: warning: no place [test-odd]");
  CHECK(to_text(all.items()[2]) == "a.txt:3: warning: line only [test-odd]");
  CHECK(to_json(all.items()[0]) ==
        R"({"file":"a.txt","line":9,"column":1,"severity":"error","code":"test-bad","message":"radius is 10","path":""})");
  CHECK(all.errors() == 1);
  CHECK(all.warnings() == 2);
}

TEST_CASE("diagnostics: sorting is by place, and notes stay with their diagnostic") {
  Diagnostics all("a.txt");
  all.report(kBad, {9, 1}, "second");
  all.note(kBad, {1, 1}, "of second");
  all.report(kBad, {2, 5}, "first");
  all.sort();
  CHECK(all.items()[0].message == "first");
  CHECK(all.items()[1].message == "second");
  CHECK(all.items()[2].message == "of second");
}

TEST_CASE("diagnostics: files stay together, and a note that stands alone does not go with another code") {
  constexpr Code kRemark{"test-remark", Severity::note, "something to know"};
  Diagnostics map("map.osm");
  map.report(kRemark, {}, "about the map");
  Diagnostics robot("a_robot.xml");
  robot.report(kBad, {4, 1}, "of the robot");
  Diagnostics all("scenario.xml");
  all.append(std::move(map));
  all.report(kBad, {9, 1}, "second");
  all.note(kBad, {1, 1}, "of second");
  all.append(std::move(robot));
  all.report(kRemark, {7, 1}, "alone");
  all.report(kBad, {2, 5}, "first");
  const std::vector<std::string> sorted = {"first", "alone", "second", "of second", "about the map", "of the robot"};
  for (const char* again : {"once", "twice"}) {
    CAPTURE(again);
    all.sort();
    std::vector<std::string> messages;
    for (const Diagnostic& d : all.items()) messages.push_back(d.message);
    CHECK(messages == sorted);
  }
}

TEST_CASE("diagnostics: everything is counted, but only so much is kept") {
  Diagnostics all("a.txt");
  for (std::size_t i = 0; i < Diagnostics::kMaxKept + 5; ++i) all.report(kBad, {}, "again");
  all.report(kOdd, {}, "another kind is still kept");
  CHECK(all.errors() == Diagnostics::kMaxKept + 5);
  CHECK(all.items().size() == Diagnostics::kMaxKept + 1);
}

TEST_CASE("diagnostics: quoted input cannot break a terminal") {
  CHECK(quoted("abc") == "\"abc\"");
  CHECK(quoted("a\x1b[31m\n") == "\"a\\x1B[31m\\x0A\"");
  CHECK(quoted("\xff\xfe") == "\"\\xFF\\xFE\"");
  CHECK(quoted("M\xc3\xbcnchen") == "\"M\xc3\xbcnchen\"");
  CHECK(quoted("abcdef", 3) == "\"abc\"...");
  CHECK(quoted("ab\xc3\xbc", 3) == "\"ab\"...");
}

TEST_CASE("diagnostics: the nearest word is suggested, a far one is not") {
  const std::string_view words[] = {"Position", "Mass", "Size"};
  CHECK(nearest("Postion", words) == "Position");
  CHECK(nearest("mass", words) == "Mass");
  CHECK(nearest("Banana", words).empty());
}

TEST_CASE("position: lines and columns count from 1, and a byte order mark is not a column") {
  const std::string_view text =
      "\xEF\xBB\xBF"
      "ab\r\ncd\n";
  CHECK(position_at(text, 3) == Position{1, 1});
  CHECK(position_at(text, 4) == Position{1, 2});
  CHECK(position_at(text, 7) == Position{2, 1});
  CHECK(position_at(text, 999) == Position{3, 1});
  const LineIndex index(text);
  for (std::size_t i = 0; i < 12; ++i) CHECK(index.at(i) == position_at(text, i));
}

TEST_CASE("position: an index of lines of any length finds what a scan finds") {
  std::string text;
  for (std::size_t length = 0; text.size() < 40'000; length = (7 * length + 3) % 2600) text += std::string(length, 'a') + "\n";
  const LineIndex index(text);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i <= text.size() + 1; ++i) wrong += index.at(i) != position_at(text, i);
  CHECK(wrong == 0);
}

TEST_CASE("text: lines end at LF or CR LF, the last may lack its end") {
  LineReader reader("one\r\n\ntwo");
  Line line;
  REQUIRE(reader.next(line));
  CHECK(line.text == "one");
  REQUIRE(reader.next(line));
  CHECK(line.text.empty());
  REQUIRE(reader.next(line));
  CHECK(line.text == "two");
  CHECK(line.number == 3);
  CHECK(line.offset == 6);
  CHECK_FALSE(reader.next(line));
}

TEST_CASE("text: tokens know their columns") {
  const auto tokens = split_tokens("  a\tbc ", 7);
  REQUIRE(tokens.size() == 2);
  CHECK(tokens[1].text == "bc");
  CHECK(tokens[1].at == Position{7, 5});
}

TEST_CASE("text: characters become UTF-8 of one to four bytes") {
  std::string out;
  for (const std::uint32_t code : {0x41u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xFFFFu, 0x10000u, 0x10FFFFu}) append_utf8(out, code);
  CHECK(out == "A\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF");
}

TEST_CASE("hash: its 16 digits are read back, and nothing else is") {
  for (const std::uint64_t hash : {std::uint64_t{0}, std::uint64_t{0x0123456789abcdef}, ~std::uint64_t{0}})
    CHECK(parse_hex64(hex64(hash)) == hash);
  for (const char* wrong : {"", "0", "0123456789ABCDEF", "0123456789abcdeg", "0123456789abcdef0"}) CHECK(!parse_hex64(wrong));
}

TEST_CASE("text: UTF-8 is checked as the Unicode standard says") {
  CHECK(find_invalid_utf8("a\xc3\xbc\xe2\x82\xac\xf0\x9f\x9a\x97") == std::string_view::npos);
  CHECK(find_invalid_utf8("a\xc0\x80") == 1);         // overlong
  CHECK(find_invalid_utf8("\xed\xa0\x80") == 0);      // surrogate
  CHECK(find_invalid_utf8("\xf4\x90\x80\x80") == 0);  // above U+10FFFF
  CHECK(find_invalid_utf8("ab\xc3") == 2);            // cut
  for (std::size_t at = 0; at < 30; ++at) {           // eight characters of ASCII are looked at together
    std::string text(30, 'a');
    text[at] = '\xff';
    CHECK(find_invalid_utf8(text) == at);
    CHECK(find_invalid_utf8(text.substr(0, at)) == std::string_view::npos);
  }
}
