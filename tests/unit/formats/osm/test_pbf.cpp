// PBF files that libosmium takes and that its object walk cannot bear.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "formats/osm/codes.hpp"
#include "formats/osm/read.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::osm;

namespace {

std::string from_hex(std::string_view digits) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(value(digits[i]) * 16 + value(digits[i + 1]));
  return bytes;
}

/// A file of one node with one tag, whose key (3 bytes) and value (1 byte) are given in hex. Blobs: OSMHeader with the
/// required feature OsmSchema-V0.6, then OSMData with a string table ("", key, value) and one plain node.
std::string with_tag(std::string_view key, std::string_view value) {
  return from_hex(
      "0000000d"
      "0a094f534d486561646572"
      "1812"
      "0a10220e4f736d536368656d612d56302e36"
      "0000000b"
      "0a074f534d44617461"
      "181e"
      "0a1c"
      "0a0a"
      "0a00"
      "0a03" +
      std::string(key) + "0a01" + std::string(value) +
      "120e0a0c0802"
      "1201011a010240024802");
}

Parsed<Document> read_bytes(const std::string& bytes, const ReadOptions& options = {}) {
  test::TemporaryFolder folder;
  test::write_text(folder.file("a.osm.pbf"), bytes);
  return read_file(folder.file("a.osm.pbf"), options);
}

}  // namespace

TEST_CASE("osm: a PBF file whose tags hold a zero byte is an error") {
  const auto sound = read_bytes(with_tag("616263", "76"));
  REQUIRE(sound.ok());
  CHECK(sound.value->model.node_count() == 1);
  CHECK(sound.value->model.value_of(sound.value->model.tags_of_node(0), "abc") == "v");
  ReadOptions located;
  located.locate_key = "made";
  // In the middle and at the end of a key, and as a value.
  for (const std::string& bytes : {with_tag("610062", "76"), with_tag("616200", "76"), with_tag("616263", "00")}) {
    for (const ReadOptions& options : {ReadOptions{}, located}) {
      const auto read = read_bytes(bytes, options);
      test::Expected expected(read.diagnostics);
      expected.take(code::kPbf);
      CHECK(!read.value);
    }
  }
  // An even number of them splits the texts into other tags, which libosmium no longer shows: read without a fault.
  for (const std::string& bytes : {with_tag("610000", "76"), with_tag("000000", "00")}) CHECK(read_bytes(bytes).ok());
}
