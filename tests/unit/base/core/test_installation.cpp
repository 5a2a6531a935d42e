// Where this program is installed: in a build tree, too.
#include <doctest/doctest.h>

#include "base/core/installation.hpp"

TEST_CASE("installation: the prefix is the folder that the folder of this program lies in") {
  const std::filesystem::path prefix = simbatch::installation_prefix();
  REQUIRE(prefix.is_absolute());
  CHECK(std::filesystem::exists(prefix / "tests" / "test_core"));
}
