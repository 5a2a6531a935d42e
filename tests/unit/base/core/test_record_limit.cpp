#include <doctest/doctest.h>

#include "base/core/record_limit.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

TEST_CASE("record limit: the first record too many is reported, once, at its place") {
  constexpr Code kMany{"test-many", Severity::error, "too many"};
  Diagnostics diagnostics("f");
  RecordCount count(kMany, "links and joints", 2);
  CHECK(count.add({1, 1}, diagnostics));
  CHECK(count.add({2, 1}, diagnostics));
  CHECK_FALSE(count.is_exceeded());
  CHECK(diagnostics.empty());
  CHECK_FALSE(count.add({3, 4}, diagnostics));
  CHECK_FALSE(count.add({4, 1}, diagnostics));
  CHECK(count.is_exceeded());
  CHECK(test::all_text(diagnostics) ==
        "f:3:4: error: found more than 2 links and joints, expected at most that many in a file; reading stops here "
        "[test-many]\n");
}
