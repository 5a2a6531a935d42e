// Arrays listed without their values; single ones read.

#include <doctest/doctest.h>

#include "base/npz/npz.hpp"
#include "base/npz/read.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {
std::string archive() {
  std::string file;
  npz::Writer out([&file](std::string_view bytes) { file += bytes; });
  const std::int64_t steps[] = {0, 5, -1};
  const double values[] = {1.5, 2.5};
  const std::string_view texts[] = {"a", "longer"};
  out.add("step", steps);
  out.add("x", values);
  out.add("name", texts);
  out.add_text("document", "{\"name\":\"r\xc3\xa4\xf0\x9f\x9a\x97\"}");
  out.add_text("nothing", "");
  out.finish();
  return file;
}
}  // namespace

TEST_CASE("npz read: the arrays with their types and lengths, and the values that are asked for") {
  const std::string file = archive();
  CHECK(npz::is_zip(file));
  const std::vector<npz::Array> arrays = npz::arrays(file);
  REQUIRE(arrays.size() == 5);
  CHECK(arrays[0].name == "step");
  CHECK(arrays[0].type == "<i8");
  CHECK(arrays[0].count == 3);
  CHECK(npz::integers(arrays[0]) == std::vector<std::int64_t>{0, 5, -1});
  CHECK(arrays[1].type == "<f8");
  CHECK(arrays[2].type == "<U6");
  CHECK(arrays[2].count == 2);
  CHECK(npz::text(arrays[3]) == "{\"name\":\"r\xc3\xa4\xf0\x9f\x9a\x97\"}");
  CHECK(npz::text(arrays[4]).empty());
  CHECK_THROWS_AS((void)npz::integers(arrays[1]), npz::ReadFault);
  CHECK_THROWS_AS((void)npz::text(arrays[2]), npz::ReadFault);
}

TEST_CASE("npz read: damaged archives are refused") {
  const std::string file = archive();
  const auto read = [](std::string_view bytes) {
    try {
      for (const npz::Array& array : npz::arrays(bytes))
        array.type == "<i8" ? (void)npz::integers(array) : (void)npz::text(array);
    } catch (const npz::ReadFault&) {
    }
  };
  CHECK_THROWS_AS((void)npz::arrays(std::string_view(file).substr(0, file.size() - 1)), npz::ReadFault);
  CHECK_THROWS_AS((void)npz::arrays(""), npz::ReadFault);
  test::for_every_prefix(file, read);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) read(test::mutated(file, seed));
}
