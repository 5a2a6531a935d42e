#include <doctest/doctest.h>

#include <string>

#include "base/core/boxed.hpp"

using namespace simbatch;

TEST_CASE("boxed: an optional value that is copied with its owner") {
  static_assert(sizeof(Boxed<std::string>) == sizeof(void*));
  Boxed<std::string> none, one = std::string("one");
  CHECK_FALSE(none.has_value());
  CHECK(*one == "one");
  Boxed<std::string> copy = one;
  *copy += " more";
  CHECK(*one == "one");
  CHECK_FALSE(copy == one);
  CHECK(copy == std::string("one more"));
  CHECK_FALSE(copy == none);
  CHECK(none == Boxed<std::string>(std::optional<std::string>()));
  copy = none;
  CHECK(copy.get() == nullptr);
  copy.emplace() = "two";
  CHECK(copy->size() == 3);
  copy.reset();
  CHECK(copy == none);
}

TEST_CASE("rare: a value that is not kept while it is the default") {
  const Rare<std::string> none;
  Rare<std::string> one;
  CHECK(none->empty());
  CHECK(none == one);
  *one = "one";
  const Rare<std::string> copy = one;
  one->clear();
  CHECK(*copy == "one");
  CHECK(one == none);
}
