#include <doctest/doctest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/core/number.hpp"
#include "base/core/random.hpp"

using namespace simbatch;

TEST_CASE("number: the whole token must be a decimal number") {
  struct Row {
    const char* text;
    NumberFault fault;
    double value;
  };
  const Row rows[] = {
      {"0", NumberFault::none, 0},
      {"-0", NumberFault::none, -0.0},
      {"1.5", NumberFault::none, 1.5},
      {"5.", NumberFault::none, 5},
      {".5", NumberFault::none, 0.5},
      {"1e3", NumberFault::none, 1000},
      {"1E-3", NumberFault::none, 0.001},
      {"-2.5e+2", NumberFault::none, -250},
      {"1e-999", NumberFault::none, 0},
      {"1e999", NumberFault::out_of_range, 0},
      {"-1e999", NumberFault::out_of_range, 0},
      {"", NumberFault::syntax, 0},
      {"1.5x", NumberFault::syntax, 0},
      {"1,5", NumberFault::syntax, 0},
      {"+5", NumberFault::syntax, 0},
      {" 1", NumberFault::syntax, 0},
      {"1 ", NumberFault::syntax, 0},
      {"0x10", NumberFault::syntax, 0},
      {"nan", NumberFault::syntax, 0},
      {"inf", NumberFault::syntax, 0},
      {"-infinity", NumberFault::syntax, 0},
      {"e5", NumberFault::syntax, 0},
      {"--1", NumberFault::syntax, 0},
      {"1e", NumberFault::syntax, 0},
      {".", NumberFault::syntax, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const Number<double> number = parse_double(row.text);
    CHECK(number.fault == row.fault);
    CHECK(std::bit_cast<std::uint64_t>(number.value) == std::bit_cast<std::uint64_t>(row.value));
  }
}

TEST_CASE("number: integers keep to their type's range") {
  CHECK(parse_integer<int>("42").value == 42);
  CHECK(parse_integer<int>("-42").value == -42);
  CHECK(parse_integer<int>("2147483648").fault == NumberFault::out_of_range);
  CHECK(parse_integer<unsigned>("-1").fault == NumberFault::out_of_range);
  CHECK(parse_integer<unsigned>("-x").fault == NumberFault::syntax);
  CHECK(parse_integer<int>("4 2").fault == NumberFault::syntax);
  CHECK(parse_integer<int>("").fault == NumberFault::syntax);
  CHECK(parse_integer<std::int64_t>("9223372036854775807").value == std::numeric_limits<std::int64_t>::max());
  CHECK(parse_integer<std::int64_t>("9223372036854775808").fault == NumberFault::out_of_range);
}

TEST_CASE("number: a double's text is the shortest that reads back as the same bits") {
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(1.0) == "1");
  CHECK(number_text(-0.0) == "-0");
  CHECK(number_text(1e300) == "1e+300");
  RandomStream random(1, "doubles");
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(random.next64());
    if (!std::isfinite(value)) continue;
    const Number<double> back = parse_double(number_text(value));
    REQUIRE(back);
    REQUIRE(std::bit_cast<std::uint64_t>(back.value) == std::bit_cast<std::uint64_t>(value));
  }
  CHECK_THROWS_AS(number_text(std::nan("")), std::invalid_argument);
}

TEST_CASE("number: the locale does not matter") {
  const char* german = std::setlocale(LC_ALL, "de_DE.UTF-8");
  if (german == nullptr) std::puts("skipped: no German locale");
  CHECK(parse_double("1.5").value == 1.5);
  CHECK(number_text(1.5) == "1.5");
  std::setlocale(LC_ALL, "C");
}

TEST_CASE("random: streams are told apart by seed, name and index, and by nothing else") {
  RandomStream a(7, "impreza.chassis.psd0", 0), b(7, "impreza.chassis.psd0", 0);
  for (int i = 0; i < 100; ++i) REQUIRE(a.next64() == b.next64());
  CHECK(RandomStream(7, "x", 0).next64() != RandomStream(8, "x", 0).next64());
  CHECK(RandomStream(7, "x", 0).next64() != RandomStream(7, "y", 0).next64());
  CHECK(RandomStream(7, "x", 0).next64() != RandomStream(7, "x", 1).next64());
}

TEST_CASE("a sum of words is the sum of as many single words, from any place in a stream") {
  for (std::size_t before = 0; before < 6; ++before)
    for (const std::size_t count : {0, 1, 3, 4, 5, 8, 12, 16, 20, 23, 24, 25, 28, 47, 48, 100}) {
      CAPTURE(before);
      CAPTURE(count);
      RandomStream one(0xFEDCBA9876543210, "impreza.chassis.gyro0", 3);
      for (std::size_t i = 0; i < before; ++i) (void)one.next32();
      RandomStream other = one;
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < count; ++i) sum += one.next32();
      CHECK(other.sum32(count) == sum);
      CHECK(other.next32() == one.next32());  // and both go on at the same place
    }
}

TEST_CASE("random: uniform numbers fill the unit interval evenly") {
  RandomStream random(3, "uniform");
  int bins[10] = {};
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.uniform();
    REQUIRE(u >= 0);
    REQUIRE(u < 1);
    ++bins[static_cast<int>(u * 10)];
  }
  double chi2 = 0;
  for (const int n : bins) chi2 += (n - kDraws / 10.0) * (n - kDraws / 10.0) / (kDraws / 10.0);
  CHECK(chi2 < 27.9);  // chi-squared, 9 degrees of freedom, 0.1 %
  for (int i = 0; i < 1000; ++i) REQUIRE(random.below(7) < 7);
}

TEST_CASE("number: rounded to at most so many decimals") {
  CHECK(rounded_text(2.5, 3) == "2.5");
  CHECK(rounded_text(10, 3) == "10");
  CHECK(rounded_text(100, 0) == "100");
  CHECK(rounded_text(-0.0004, 3) == "0");
  CHECK(rounded_text(-0.0, 0) == "0");
  CHECK(rounded_text(-0.0006, 3) == "-0.001");
  CHECK(rounded_text(0.5, 0) == "0");  // ties to even
  CHECK(rounded_text(1.5, 0) == "2");
  CHECK(rounded_text(2.675, 2) == "2.67");  // the double is below 2.675
  CHECK(rounded_text(-9.0933495184, 9) == "-9.093349518");
  CHECK(rounded_text(1e22, 2) == "10000000000000000000000");
  CHECK(rounded_text(std::numeric_limits<double>::max(), 20).size() == 309);
  CHECK(rounded_text(std::numeric_limits<double>::lowest(), 20).size() == 310);
  CHECK_THROWS_AS(rounded_text(std::numeric_limits<double>::infinity(), 1), std::invalid_argument);
  CHECK_THROWS_AS(rounded_text(std::numeric_limits<double>::quiet_NaN(), 1), std::invalid_argument);
}
