// Records that repeat the one before but for some bytes, packed and unpacked by libzstd.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/compress/compress.hpp"
#include "base/compress/repeats.hpp"

using namespace simbatch;

namespace {

std::uint32_t next(std::uint32_t& state) { return state = state * 1664525 + 1013904223; }

struct Records {
  std::string bytes;
  std::vector<Repeat> repeats;
};

/// Rows of doubles with keys: the last two bytes of each value stay, the others are noise, as those of measured values are.
Records rows(std::size_t count, std::size_t fields, std::size_t jitter) {
  Records records;
  std::uint32_t state = 1;
  std::size_t before = 0;
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t at = records.bytes.size();
    records.repeats.push_back({at, row == 0 ? at : before});
    before = at;
    for (std::size_t field = 0; field < fields; ++field) {
      records.bytes += static_cast<char>(field);
      for (int byte = 0; byte < 6; ++byte) records.bytes += static_cast<char>(next(state) >> 24);
      records.bytes += static_cast<char>(7 * field);
      records.bytes += '\x40';
    }
    for (std::size_t k = jitter == 0 ? 0 : next(state) % jitter; k > 0; --k) records.bytes += 'x';
  }
  return records;
}

}  // namespace

TEST_CASE("compress repeats: frames unpack to what they were made of, whatever their size") {
  RepeatPacker packer;
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{30}, std::size_t{146}, std::size_t{1500}})
    for (const std::size_t jitter : {std::size_t{0}, std::size_t{1}, std::size_t{9}}) {
      CAPTURE(count);
      const Records records = rows(count, 100, jitter);
      const std::string packed(packer.pack(records.bytes, records.repeats));
      CHECK(zstd_unpacked(packed, records.bytes.size()) == records.bytes);
      CHECK(packer.pack(records.bytes, records.repeats) == packed);
      CHECK(packer.pack(records.bytes, {}).size() > 0);
    }
  // Every place at which a block may end: within a match, at its ends, with one or two bytes left.
  for (std::size_t size = (std::size_t{128} << 10) - 12; size < (std::size_t{128} << 10) + 12; ++size) {
    Records records = rows(160, 100, 0);
    records.bytes.resize(size);
    const std::string packed(packer.pack(records.bytes, records.repeats));
    CHECK(zstd_unpacked(packed, size) == records.bytes);
  }
}

TEST_CASE("compress repeats: noise is all that is left of rows whose other bytes stay") {
  RepeatPacker packer;
  const Records records = rows(1500, 100, 0);
  const std::size_t size = packer.pack(records.bytes, records.repeats).size(), noise = 1500 * 100 * 6;
  CHECK(size > noise);
  CHECK(size < noise + noise / 20);
  CHECK(zstd_packed(records.bytes, 1).size() > noise + noise / 8);
}

TEST_CASE("compress repeats: hints that are wrong cost size only") {
  RepeatPacker packer;
  Records records = rows(300, 40, 5);
  std::uint32_t state = 7;
  for (Repeat& repeat : records.repeats)
    if (repeat.at > 0) repeat.before = next(state) % repeat.at;
  CHECK(zstd_unpacked(std::string(packer.pack(records.bytes, records.repeats)), records.bytes.size()) == records.bytes);
  records.repeats = {{records.bytes.size() + 5, 3}};  // beyond the end
  CHECK(zstd_unpacked(std::string(packer.pack(records.bytes, records.repeats)), records.bytes.size()) == records.bytes);
  const std::string same(1'000'000, 'a');
  CHECK(zstd_unpacked(std::string(packer.pack(same, {})), same.size()) == same);
  CHECK(packer.pack(same, {}).size() < 1000);
}
