// MCAP files of a few records. tests/simrun/mcap opens traces with the format's own library.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/mcap/read.hpp"
#include "base/mcap/write.hpp"
#include "tests/support/support.hpp"

using namespace simbatch::mcap;

namespace {

/// What was read, as text.
struct Log {
  std::string text;
  bool whole = false;
};

Log read_all(std::string_view file) {
  Log log;
  Handlers handlers;
  handlers.schema = [&](std::uint16_t id, const Schema& schema) {
    log.text += "schema " + std::to_string(id) + " " + schema.name + " " + schema.encoding + " " + schema.data + "\n";
  };
  handlers.channel = [&](std::uint16_t id, const Channel& channel) {
    log.text += "channel " + std::to_string(id) + " " + std::to_string(channel.schema) + " " + channel.topic;
    for (const auto& pair : channel.metadata) log.text += " " + pair.first + "=" + pair.second;
    log.text += "\n";
  };
  handlers.message = [&](const Message& message) {
    log.text += "message " + std::to_string(message.channel) + " " + std::to_string(message.sequence) + " " +
                std::to_string(message.time) + " " + std::string(message.data) + "\n";
  };
  handlers.attachment = [&](const Attachment& a) {
    log.text += "attachment " + a.name + " " + a.media_type + " " + a.data + "\n";
  };
  handlers.metadata = [&](const std::string& name, const Pairs& pairs) {
    log.text += "metadata " + name;
    for (const auto& pair : pairs) log.text += " " + pair.first + "=" + pair.second;
    log.text += "\n";
  };
  log.whole = read(file, handlers).whole;
  return log;
}

std::string problem_of(std::string_view file) {
  try {
    return read_all(file).whole ? "none" : "cut";
  } catch (const ReadFault& fault) {
    return fault.message;
  }
}

std::string example(Compression compression, std::vector<std::size_t>* chunk_ends = nullptr) {
  std::string file;
  Writer out([&file](std::string_view bytes) { file += bytes; }, "test 1", compression);
  out.metadata("about", {{"a", "1"}, {"b", ""}});
  const std::uint16_t schema = out.add_schema({"p.M", "protobuf", "descriptor"});
  const std::uint16_t first = out.add_channel({schema, "/first", "protobuf", {{"unit", "m"}}});
  const std::uint16_t second = out.add_channel({schema, "/second", "protobuf"});
  for (std::uint32_t i = 0; i < 6; ++i) {
    out.message(first, 10 * i, i, "one " + std::to_string(i));
    out.message(second, 10 * i, i, "two");
    if (i % 2 == 1) out.end_chunk();
    if (i % 2 == 1 && chunk_ends != nullptr) chunk_ends->push_back(file.size());
  }
  out.attachment({"notes", "text/plain", "some text"});
  out.finish();
  return file;
}

}  // namespace

TEST_CASE("mcap: what was written is read, compressed or not") {
  const Log plain = read_all(example(Compression::none)), packed = read_all(example(Compression::zstd));
  CHECK(plain.whole);
  CHECK(packed.whole);
  CHECK(plain.text == packed.text);
  CHECK(plain.text ==
        "metadata about a=1 b=\n"
        "schema 1 p.M protobuf descriptor\n"
        "channel 1 1 /first unit=m\n"
        "channel 2 1 /second\n"
        "message 1 0 0 one 0\nmessage 1 1 10 one 1\nmessage 2 0 0 two\nmessage 2 1 10 two\n"
        "message 1 2 20 one 2\nmessage 1 3 30 one 3\nmessage 2 2 20 two\nmessage 2 3 30 two\n"
        "message 1 4 40 one 4\nmessage 1 5 50 one 5\nmessage 2 4 40 two\nmessage 2 5 50 two\n"
        "attachment notes text/plain some text\n");
  CHECK(example(Compression::zstd) == example(Compression::zstd));
}

TEST_CASE("mcap: an empty file has its marks") {
  std::string file;
  Writer out([&file](std::string_view bytes) { file += bytes; }, "");
  out.finish();
  CHECK(read_all(file).whole);
  CHECK(file.starts_with("\x89MCAP0\r\n"));
  CHECK(file.ends_with("\x89MCAP0\r\n"));
}

TEST_CASE("mcap: a file cut anywhere is read up to its last whole record") {
  std::vector<std::size_t> ends;
  const std::string file = example(Compression::zstd, &ends);
  REQUIRE(ends.size() == 3);
  std::size_t data_end = 0;
  for (std::size_t length = 8; length < file.size(); ++length) {
    CAPTURE(length);
    const Log log = read_all(std::string_view(file).substr(0, length));
    if (log.whole && data_end == 0) data_end = length;
    CHECK(log.whole == (data_end != 0));
    std::size_t messages = 0;
    for (std::size_t at = 0; (at = log.text.find("message", at)) != std::string::npos; ++at) ++messages;
    std::size_t chunks = 0;  // a chunk is read before its indexes are there
    for (const std::size_t end : ends) chunks += length >= end;
    CHECK(messages >= 4 * chunks);
    CHECK(messages <= 4 * (chunks + 1));
  }
  CHECK(data_end > ends.back());
}

TEST_CASE("mcap: sums are checked") {
  const std::string file = example(Compression::none);
  std::string changed = file;
  changed[changed.find("one 3")] = 'O';
  CHECK(problem_of(changed) == "the checksum of a chunk is wrong");
  changed = file;
  changed[changed.find("some text")] = 'S';
  CHECK(problem_of(changed) == "the checksum of an attachment is wrong");
  changed = file;
  changed[changed.find("about")] = 'A';
  CHECK(problem_of(changed) == "the checksum of the data is wrong");
  changed = file;
  changed[changed.rfind("/second")] = '_';  // in the summary
  CHECK(problem_of(changed) == "the checksum of the summary is wrong");
}

TEST_CASE("mcap: what is none is refused, and says why") {
  CHECK(problem_of("") == "not an MCAP file");
  CHECK(problem_of("PAR1PAR1PAR1") == "not an MCAP file");
  const std::string file = example(Compression::zstd);
  const std::string_view magic = std::string_view(file).substr(0, 8);
  CHECK(problem_of(magic) == "cut");
  const auto record = [&](unsigned char op, const std::string& content) {
    std::string text(1, static_cast<char>(op));
    for (std::size_t i = 0; i < 8; ++i) text += static_cast<char>(content.size() >> (8 * i) & 0xFF);
    return text + content;
  };
  const std::string start = std::string(magic) + record(1, std::string(8, '\0'));
  CHECK(problem_of(std::string(magic) + record(3, std::string(20, '\0'))) ==
        "the first record is not the header, or there are two");
  CHECK(problem_of(start + record(1, std::string(8, '\0'))) == "the first record is not the header, or there are two");
  CHECK(problem_of(start + record(3, "x")) == "a record is shorter than its contents");
  CHECK(problem_of(start + record(2, std::string(20, '\0'))) == "the file ends without a record of its data's end");
  CHECK(problem_of(start + record(99, "unknown")) == "cut");
  // Chunks: times, size, sum, compression, length, records.
  const std::string zeros(16, '\0');
  const auto chunk = [&](std::uint64_t size, const std::string& compression, const std::string& records) {
    std::string content = zeros;
    for (std::size_t i = 0; i < 8; ++i) content += static_cast<char>(size >> (8 * i) & 0xFF);
    content += std::string(4, '\0');
    content += static_cast<char>(compression.size());
    content += std::string(3, '\0') + compression;
    for (std::size_t i = 0; i < 8; ++i) content += static_cast<char>(records.size() >> (8 * i) & 0xFF);
    return record(6, content + records);
  };
  CHECK(problem_of(start + chunk(4, "lz4", "abcd")) ==
        "a chunk is compressed in an unsupported way; `mcap compress` of its own tools rewrites it");
  CHECK(problem_of(start + chunk(4, "", "abc")) == "a chunk has another size than it states");
  CHECK(problem_of(start + chunk(4, "", "abcd")) == "a chunk ends within a record");
  CHECK(problem_of(start + chunk(4, "zstd", "abcd")) == "a chunk does not unpack to the size that it states");
  CHECK(problem_of(start + chunk(std::uint64_t{1} << 40, "zstd", "abcd")) == "a chunk unpacks to more than its file justifies");
  CHECK(problem_of(start + chunk(~std::uint64_t{0}, "", "abcd")) == "a chunk unpacks to more than its file justifies");
  CHECK(problem_of(start + chunk(0, "", "")) == "cut");
}

TEST_CASE("mcap: changed bytes are read or refused, never worse") {
  for (const Compression compression : {Compression::none, Compression::zstd}) {
    const std::string file = example(compression);
    for (std::uint64_t seed = 0; seed < 3000; ++seed) CHECK(!problem_of(simbatch::test::mutated(file, seed)).empty());
  }
}
