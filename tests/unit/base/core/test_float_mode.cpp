#include <doctest/doctest.h>

#include <iostream>

#include "base/core/float_mode.hpp"

using namespace simbatch;

TEST_CASE("a guard puts rounding and flushing back, and tells that they were changed") {
  REQUIRE(float_mode() == kDefaultFloatMode);
  {
    FloatModeGuard guard;
    CHECK(!guard.changed());
    set_float_mode({0x9FC0, 0x037F});  // what a library built with -ffast-math leaves behind
    CHECK(guard.changed());
    volatile double tiny = 1e-310;
    CHECK(tiny * 0.5 == 0);
  }
  CHECK(float_mode() == kDefaultFloatMode);
  {
    FloatModeGuard guard;
    set_float_mode({0x1F80 | 0x6000, 0x037F | 0x0C00});  // towards zero, in both units
    CHECK(guard.changed());
    volatile double one = 1;
    one = one - 1e-30;
    CHECK(one < 1);
  }
  CHECK(float_mode() == kDefaultFloatMode);
}

TEST_CASE("exception flags do not count as a mode") {
  FloatModeGuard guard;
  volatile double zero = 0;
  volatile double x = 1 / zero;
  CHECK(x > 0);
  CHECK(!guard.changed());
}

TEST_CASE("the math library's fingerprint repeats") {
  CHECK(math_fingerprint() == math_fingerprint());
  if (!math_is_pinned()) std::cout << "the math library is not pinned: hashes of this run hold for this kind of processor\n";
}
