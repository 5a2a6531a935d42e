#include <doctest/doctest.h>

#include <filesystem>

#include "apps/common/new_folder.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
namespace fs = std::filesystem;

TEST_CASE("new folder: all of its files appear with commit()") {
  const test::TemporaryFolder folder;
  {
    cli::NewFolder made(folder.file("a/b"));
    made.write("one.txt", "1");
    made.write("map/two.txt", "22");
    AtomicFile third(made.path("map/three.txt"));
    third.write("333");
    made.add(std::move(third));
    CHECK(made.size() == 3);
    CHECK(!fs::exists(folder.file("a/b/one.txt")));
    made.commit();
  }
  CHECK(test::read_text(folder.file("a/b/one.txt")) == "1");
  CHECK(test::read_text(folder.file("a/b/map/two.txt")) == "22");
  CHECK(test::read_text(folder.file("a/b/map/three.txt")) == "333");
}

TEST_CASE("new folder: without commit() nothing is left, and what was there before stays") {
  const test::TemporaryFolder folder;
  fs::create_directory(folder.file("old"));
  test::write_text(folder.file("old/thesis.txt"), "x");
  {
    cli::NewFolder fresh(folder.file("a/b")), old(folder.file("old"));
    fresh.write("map/one.txt", "1");
    old.write("map/two.txt", "2");
    CHECK_THROWS_AS(old.write("thesis.txt/three.txt", "3"), IoError);
  }
  CHECK(!fs::exists(folder.file("a")));
  CHECK(!fs::exists(folder.file("old/map")));
  CHECK(test::read_text(folder.file("old/thesis.txt")) == "x");
}
