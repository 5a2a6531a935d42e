#include <doctest/doctest.h>
#include <zlib.h>

#include <charconv>
#include <cstring>
#include <memory>

#include "base/core/random.hpp"
#include "formats/osm/codes.hpp"
#include "formats/osm/numbers.hpp"
#include "formats/osm/pass_through.hpp"
#include "formats/osm/read.hpp"
#include "formats/osm/stream.hpp"
#include "formats/osm/write.hpp"
#include "formats/osm/xml_reader.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::osm;

namespace {

/// Reads a text through windows that are as small as they can be.
Parsed<Document> read_in_windows(std::string_view text, std::size_t size, const ReadOptions& options) {
  Parsed<Document> result;
  result.diagnostics = Diagnostics("t.osm");
  result.value.emplace();
  detail::XmlReader reader(*result.value, result.diagnostics, options, text.size());
  std::size_t at = 0, room = size;
  for (;;) {
    const std::size_t rest = text.size() - at;
    const bool last = room + detail::kSlack >= rest;
    const std::size_t bytes = last ? rest : room;
    // A buffer of exactly this size: a sanitizer sees every access past it.
    const auto buffer = std::make_unique<char[]>(bytes + detail::kSlack);
    std::memset(buffer.get(), 0, bytes + detail::kSlack);
    std::memcpy(buffer.get(), text.data() + at, last ? rest : bytes + detail::kSlack);
    const char* const used = reader.run({buffer.get(), buffer.get() + bytes, last, false});
    if (used == nullptr || last) break;
    room = used == buffer.get() ? room * 2 : size;
    at += static_cast<std::size_t>(used - buffer.get());
  }
  if (!reader.finish()) result.value.reset();
  return result;
}

std::string gzipped(std::string_view text) {
  std::string out;
  const auto sink = detail::compress(Compression::gzip, [&out](std::string_view bytes) { out += bytes; });
  sink->write(text);
  sink->finish();
  return out;
}

Parsed<Document> read_bytes(std::string_view bytes, const ReadOptions& options = {}) {
  test::TemporaryFolder folder;
  test::write_text(folder.file("f"), bytes);
  return read_file(folder.file("f"), options);
}

constexpr std::string_view kSmall = R"(<?xml version='1.0' encoding='UTF-8'?>
<osm version='0.6' generator='JOSM'>
  <bounds minlat='36.8' minlon='-116.8' maxlat='36.9' maxlon='-116.6' />
  <node id='5' version='1' timestamp='2009-09-06T05:39:39Z' user='x &amp; y' lat='36.8281754' lon='-116.9755448' />
  <node id='3' version='1' lat='36.9' lon='-116.7'>
    <tag k='name' v='Köln' />
    <tag k='made' v='yes' />
  </node>
  <way id='9' version='3'>
    <nd ref='5' /><nd ref='3' /><nd ref='44' />
    <tag k='highway' v='residential' />
  </way>
  <relation id='2' version='1'>
    <member type='way' ref='9' role='outer' />
  </relation>
</osm>
)";

/// The id that a text is, or 0. What follows the text may be anything.
Id id_of(const std::string& text) {
  const std::string memory = text + "77777777";
  Id id = 0;
  return detail::read_id(memory.data(), memory.data() + text.size(), id) ? id : 0;
}

struct Degrees {
  bool quick = false, number = false, longer = false;
  std::int32_t e7 = 0;
};

/// Reads degrees both quickly and slowly, and requires that they agree.
Degrees read_degrees(const std::string& text) {
  const std::string memory = text + "7.777777";
  const char *const begin = memory.data(), *const end = begin + text.size();
  std::int32_t quick = 0;
  Degrees read;
  read.quick = detail::read_degrees_quickly(begin, end, 1'800'000'000, quick);
  read.number = detail::read_degrees(begin, end, 1'800'000'000, read.e7, read.longer);
  if (read.quick) REQUIRE_MESSAGE((read.number && read.e7 == quick && !read.longer), text);
  return read;
}

}  // namespace

TEST_CASE("osm: the size of the windows changes nothing") {
  ReadOptions options;
  options.remarks = true;
  options.locate_key = "made";
  std::vector<std::string> texts{std::string(kSmall)};
  for (std::uint64_t seed = 0; seed < 60; ++seed) texts.push_back(test::mutated(kSmall, seed));
  for (const char* name : {"velluters-2007-v05", "perth-peanut-roundabout"})
    if (const auto file = test::shared_file("corpus/osm/" + std::string(name) + ".osm"))
      texts.push_back(test::read_text(*file));
  for (const std::string& text : texts) {
    CAPTURE(text.substr(0, 1000));
    const auto whole = read_xml(text, options, "t.osm");
    for (const std::size_t size : {1, 2, 7, 16, 63, 64, 65, 200, 1000}) {
      if (text.size() > 5000 && size < 63) continue;
      CAPTURE(size);
      const auto cut = read_in_windows(text, size, options);
      if (whole.value) {  // duplicates are looked for by read_xml only
        CHECK(test::all_text(cut.diagnostics) == test::all_text(whole.diagnostics));
        REQUIRE(cut.value);
        CHECK(same(cut.value->model, whole.value->model));
        CHECK(cut.value->layout == whole.value->layout);
        CHECK(cut.value->facts.text_bytes == text.size());
      } else {
        CHECK(!cut.value);
        CHECK(test::all_text(cut.diagnostics) == test::all_text(whole.diagnostics));
      }
    }
  }
}

TEST_CASE("osm: any prefix and any mutation ends in a map or in diagnostics") {
  ReadOptions options;
  options.remarks = true;
  options.locate_key = "made";
  options.keep_keys = {"highway"};
  const auto use = [&](std::string_view text) {
    const auto read = read_xml(text, options, "t.osm");
    CHECK((read.value.has_value() || read.diagnostics.has_errors()));
    if (!read.ok()) return;
    // What is accepted can be written and read again, and can take new nodes.
    const std::string again = write_xml(read.value->model);
    const auto second = read_xml(again, {}, "again");
    REQUIRE_MESSAGE(second.value, test::all_text(second.diagnostics));
    CHECK(write_xml(second.value->model) == again);
    const std::string more = pass_through_text(text, read.value->layout, read.value->model.version, {}, [](NodeSink& sink) {
      const TagText tags[] = {{"made", "&<>'\""}};
      sink.node(-1, {1, 2}, tags);
    });
    const auto third = read_xml(more, options, "more");
    REQUIRE_MESSAGE(third.value, test::all_text(third.diagnostics));
    CHECK(third.value->model.node_count() == read.value->model.node_count() + 1);
  };
  test::for_every_prefix(kSmall, use);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) use(test::mutated(kSmall, seed));
}

TEST_CASE("osm: compressed texts, cut and changed, end in a map or in diagnostics") {
  const std::string gz = gzipped(kSmall);
  std::string bz;
  const auto sink = detail::compress(Compression::bzip2, [&bz](std::string_view bytes) { bz += bytes; });
  sink->write(kSmall);
  sink->finish();
  for (const std::string& bytes : {gz, bz}) {
    CHECK(read_bytes(bytes).value);
    CHECK(read_bytes(bytes + bytes).diagnostics.errors() == 1);  // two streams are one text: here with two roots
    for (std::size_t size = 3; size < bytes.size(); size += 5) {
      const auto read = read_bytes(std::string_view(bytes).substr(0, size));
      test::Expected expected(read.diagnostics);
      expected.take(code::kCompression);
    }
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const auto read = read_bytes(test::mutated(bytes, seed));
      CHECK((read.value.has_value() || read.diagnostics.has_errors()));
    }
  }
}

TEST_CASE("osm: a text split over several gzip members is one text") {
  const std::string bytes = gzipped(kSmall.substr(0, 300)) + gzipped(kSmall.substr(300, 1)) + gzipped(kSmall.substr(301));
  const auto read = read_bytes(bytes);
  REQUIRE(read.value);
  CHECK(same(read.value->model, read_xml(kSmall, {}, "").value->model));
}

TEST_CASE("osm: depth is limited, not by the stack and not by memory") {
  std::string text = "<osm version='0.6'>";
  for (int i = 0; i < 3'000'000; ++i) text += "<a>";
  const auto read = read_xml(text, {}, "deep.osm");
  test::Expected expected(read.diagnostics);
  expected.take(code::kXmlDepth, Position{1, 785});
}

TEST_CASE("osm: blanks without end in a small compressed file cost time, not memory") {
  std::string bytes;
  const auto sink = detail::compress(Compression::gzip, [&bytes](std::string_view piece) { bytes += piece; });
  sink->write("<osm version='0.6'>");
  const std::string blanks(1 << 20, ' ');
  for (int i = 0; i < 200; ++i) sink->write(blanks);
  sink->write("</osm>");
  sink->finish();
  ReadOptions options;
  options.max_model_bytes = std::size_t{4} << 20;
  const auto read = read_bytes(bytes, options);
  CHECK_MESSAGE(read.ok(), test::all_text(read.diagnostics));
}

TEST_CASE("osm: a tag or a map beyond the memory limit is an error") {
  ReadOptions options;
  options.max_model_bytes = std::size_t{4} << 20;
  // A tag of a compressed text is limited to 1 MiB, whatever the limit of the model.
  const auto with_note = [](std::size_t size) { return "<osm version='0.6'><note a='" + std::string(size, 'x') + "'/></osm>"; };
  CHECK(read_bytes(gzipped(with_note(1'000'000))).ok());
  test::Expected of_tag(read_bytes(gzipped(with_note(std::size_t{2} << 20))).diagnostics);
  of_tag.take(code::kMemory);
  std::string text = "<osm version='0.6'>";
  for (int i = 1; i < 400'000; ++i) text += "<node id='" + std::to_string(i) + "' lat='1' lon='1'/>";
  test::Expected of_map(read_bytes(gzipped(text), options).diagnostics);
  of_map.take(code::kMemory);
  // By default, half of the machine's memory.
  CHECK(ReadOptions{}.max_model_bytes >= std::size_t{1} << 26);
  CHECK(ReadOptions{}.max_model_bytes < std::size_t{1} << 46);
}

TEST_CASE("osm: ids and degrees read as slowly written code reads them") {
  CHECK(id_of("1") == 1);
  CHECK(id_of("-1") == -1);
  CHECK(id_of("10747513827") == 10747513827);
  CHECK(id_of("9223372036854775807") == INT64_MAX);
  CHECK(id_of("-9223372036854775807") == -INT64_MAX);
  CHECK(id_of("0000000000000000012") == 12);
  for (const char* bad : {"", "-", "0", "+1", " 1", "1 ", "1.0", "9223372036854775808", "-9223372036854775808",
                          "99999999999999999999", "1234567x", "12345678x", "x2345678", "--1", "0x10", "\xD9\xA1"})
    CHECK_MESSAGE(id_of(bad) == 0, bad);

  struct Row {
    const char* text;
    std::int32_t e7;
    bool longer;
  };
  const Row rows[] = {{"0", 0, false},
                      {"-0", 0, false},
                      {"1.5", 15'000'000, false},
                      {"-116.8612", -1'168'612'000, false},
                      {"180", 1'800'000'000, false},
                      {"-180.0000000", -1'800'000'000, false},
                      {"0.0000001", 1, false},
                      {"55.80526100000", 558'052'610, false},
                      {"39.468634312032194", 394'686'343, true},
                      {"0.00000005", 1, true},
                      {"-0.00000005", -1, true},
                      {"0.00000004999", 0, true},
                      {"-3.0E-4", -3000, false},
                      {"1.25e1", 125'000'000, false},
                      {"5.", 50'000'000, false},
                      {".5", 5'000'000, false},
                      {"0001.5", 15'000'000, false},
                      {"1e-12", 0, false}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    REQUIRE(read_degrees(row.text).number);
    CHECK(read_degrees(row.text).e7 == row.e7);
    if (std::string_view(row.text) != "1e-12") CHECK(read_degrees(row.text).longer == row.longer);
  }
  for (const char* bad : {"", "-", "+1", "1,5", "nan", "inf", "180.0000001", "-181", "1e9", "1e999", "1.5x", "1.2.3", "0x1",
                          " 1", "1.12345678x", "1.x"})
    CHECK_FALSE_MESSAGE(read_degrees(bad).number, bad);
}

TEST_CASE("osm: degrees read quickly are those read slowly") {
  RandomStream random(1, "degrees");
  for (int i = 0; i < 20'000; ++i) {
    std::string text = random.below(2) == 0 ? "-" : "";
    text += std::to_string(random.below(180)) + '.';
    for (auto digits = 1 + random.below(7); digits > 0; --digits) text += static_cast<char>('0' + random.below(10));
    REQUIRE(read_degrees(text).quick);
    text[random.below(text.size())] = "-.09:/e \xFF"[random.below(9)];
    read_degrees(text);
  }
  // All texts of up to seven of these characters.
  constexpr std::string_view kSome = "-.019:";
  for (std::size_t size = 0, all = 1; size <= 7; ++size, all *= kSome.size()) {
    for (std::size_t number = 0; number < all; ++number) {
      std::string text;
      for (std::size_t rest = number; text.size() < size; rest /= kSome.size()) text += kSome[rest % kSome.size()];
      read_degrees(text);
    }
  }
}

TEST_CASE("osm: ids of any length are read as the library of the language reads them") {
  RandomStream random(1, "ids");
  for (int i = 0; i < 20'000; ++i) {
    std::string text = random.below(2) == 0 ? "-" : "";
    for (auto digits = 1 + random.below(20); digits > 0; --digits) text += static_cast<char>('0' + random.below(10));
    if (random.below(4) == 0) text[random.below(text.size())] = "-+/:0x \xB0"[random.below(8)];
    Id id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    const bool whole = error == std::errc() && end == text.data() + text.size() && id != INT64_MIN;
    CHECK_MESSAGE(id_of(text) == (whole && text.size() <= (id < 0 ? 20 : 19) ? id : 0), text);
  }
}
