#include <doctest/doctest.h>

#include "base/core/paths.hpp"

using namespace simbatch;

TEST_CASE("paths: what is inside of a folder, by names") {
  CHECK(is_inside("/a/b", "/a"));
  CHECK(is_inside("/a/b/c.xml", "/a/b"));
  CHECK(is_inside("/a", "/a"));
  CHECK(is_inside("a/..b", "a"));
  CHECK_FALSE(is_inside("/a", "/a/b"));
  CHECK_FALSE(is_inside("/ab", "/a"));
  CHECK_FALSE(is_inside("/c/b", "/a"));
  CHECK_FALSE(is_inside("a/b", "/a"));
  CHECK_FALSE(is_inside("", "/a"));
}
