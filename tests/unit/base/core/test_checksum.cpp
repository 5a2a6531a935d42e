#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/core/atomic_file.hpp"
#include "base/core/hash.hpp"
#include "bench/bench.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

TEST_CASE("checksum of a benchmark: neither the order nor the number of rounds counts, names and results do") {
  bench::Checksum two_rounds, turned, other_name, other_result;
  for (int round = 0; round < 2; ++round) {
    two_rounds.add("first", 1);
    two_rounds.add("second", std::vector<double>{0.5, 2});
  }
  turned.add("second", std::vector<double>{0.5, 2});
  turned.add("first", 1);
  CHECK(two_rounds.same());
  CHECK(two_rounds.value() == turned.value());
  other_name.add("second", std::vector<double>{0.5, 2});
  other_name.add("1st", 1);
  CHECK(other_name.value() != turned.value());
  other_result.add("first", 1);
  other_result.add("second", std::vector<double>{0.5, 2 + 2 * std::numeric_limits<double>::epsilon()});
  CHECK(other_result.value() != turned.value());
}

TEST_CASE("checksum of a benchmark: a round with another result is a fault, whatever follows") {
  bench::Checksum checksum;
  checksum.add("work", std::string_view("right"));
  CHECK(checksum.finish("what a test computes") == 0);
  checksum.add("work", std::string_view("wrong"));
  CHECK_FALSE(checksum.same());
  checksum.add("work", std::string_view("right"));
  CHECK(checksum.finish("what a test computes") == 1);
}

TEST_CASE("checksum of a benchmark: a file has the hash of its bytes") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("file");
  for (const std::size_t size : {std::size_t{0}, std::size_t{5000}, (std::size_t{1} << 20) + 3}) {
    const std::string text(size, 'x');
    write_file(file, text);
    CHECK(bench::hash_of_file(file) == hash64(text));
  }
}
