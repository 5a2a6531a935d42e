#include <doctest/doctest.h>

#include "formats/osm/length.hpp"

using namespace simbatch;

TEST_CASE("osm: lengths are in meters, or have a unit") {
  const auto length = [](std::string_view text) { return osm::length_of(text).value_or(-1); };
  CHECK(length("12") == 12);
  CHECK(length(" 12.5 m ") == 12.5);
  CHECK(length("12m") == 12);
  CHECK(length("30'") == doctest::Approx(9.144));
  CHECK(length("30 ft") == doctest::Approx(9.144));
  CHECK(length("30ft") == doctest::Approx(9.144));
  CHECK(length("7'4\"") == doctest::Approx(2.2352));
  CHECK(length("7' 4\"") == doctest::Approx(2.2352));
  CHECK(length("10\"") == doctest::Approx(0.254));
  for (const char* wrong : {"", "m", "ft", "'", "\"", "high", "7'\"", "'4\"", "3 km", "7'4", "nan"}) {
    CAPTURE(wrong);
    CHECK(!osm::length_of(wrong));
  }
}
