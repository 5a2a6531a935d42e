// Which files a scenario may read.

#include "lib/scenario/files.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>

#include "lib/scenario/codes.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using scenario::detail::Files;
using scenario::detail::ScenarioRoot;
namespace fs = std::filesystem;

namespace {

// outside.txt, and a folder `in` with a scenario, a file, a folder with a file, and links and special files.
struct Tree {
  test::TemporaryFolder folder;
  std::string scenario = folder.file("in/s.xml");
  Tree() {
    fs::create_directories(folder.path() / "in/sub");
    test::write_text(folder.file("outside.txt"), "secret");
    for (const char* name : {"in/s.xml", "in/a.txt", "in/sub/b.txt"}) test::write_text(folder.file(name), "text");
    const auto link = [&](const char* to, const char* name) { fs::create_symlink(to, folder.path() / "in" / name); };
    link("../outside.txt", "leaves");
    link("..", "up");
    link("sub/b.txt", "stays");
    link("../in/a.txt", "returns");
    link("loop", "loop");
    link("/dev/zero", "zeros");
    link("absent", "dangling");
    REQUIRE(mkfifo(folder.file("in/fifo").c_str(), 0600) == 0);
  }
};

}  // namespace

TEST_CASE("files: what lies in the root is decided by real paths") {
  using Access = ScenarioRoot::Access;
  const Tree tree;
  const std::string absolute = tree.folder.file("in/a.txt"), outside = tree.folder.file("outside.txt");
  struct Row {
    std::string name;
    Access own, larger;  // with the scenario's own folder as the root, and with the one above
  };
  const Row rows[] = {
      {"a.txt", Access::allowed, Access::allowed},          {"./sub/../a.txt", Access::allowed, Access::allowed},
      {"sub/b.txt", Access::allowed, Access::allowed},      {"../in/a.txt", Access::allowed, Access::allowed},
      {absolute, Access::allowed, Access::allowed},         {"absent.txt", Access::allowed, Access::allowed},
      {"stays", Access::allowed, Access::allowed},          {"returns", Access::allowed, Access::allowed},
      {"dangling", Access::allowed, Access::allowed},       {"../outside.txt", Access::outside, Access::allowed},
      {outside, Access::outside, Access::allowed},          {"../absent.txt", Access::outside, Access::allowed},
      {"../../x", Access::outside, Access::outside},        {"/etc/passwd", Access::outside, Access::outside},
      {"leaves", Access::link_outside, Access::allowed},    {"up/outside.txt", Access::link_outside, Access::allowed},
      {"up/in/a.txt", Access::allowed, Access::allowed},    {"zeros", Access::link_outside, Access::link_outside},
      {"loop", Access::link_outside, Access::link_outside}, {"fifo", Access::special, Access::special},
  };
  const ScenarioRoot own(tree.scenario, "", ""), larger(tree.scenario, tree.folder.path().string(), "");
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(own.resolve(row.name, tree.scenario).access == row.own);
    CHECK(larger.resolve(row.name, tree.scenario).access == row.larger);
  }
  CHECK(own.resolve("../a.txt", tree.folder.file("in/sub/b.txt")).shown == "a.txt");
  CHECK(own.resolve("./sub//b.txt", tree.scenario).shown == "sub/b.txt");
}

TEST_CASE("files: opening reports what must not or cannot be read, and notes the rest once") {
  const Tree tree;
  Diagnostics problems;
  Files files(tree.scenario, {}, problems);
  const Position at{3, 4};
  for (const char* name : {"a.txt", "stays", "a.txt"}) CHECK(files.open(name, at).has_value());
  for (const char* name : {"../outside.txt", "leaves", "up/outside.txt", "fifo", "absent.txt", "sub"})
    CHECK_FALSE(files.open(name, at).has_value());
  CHECK(files.unreadable());
  const auto inputs = files.take_inputs();
  REQUIRE(inputs.size() == 2);
  CHECK(inputs[0].name == "a.txt");
  CHECK(inputs[1].name == "stays");
  test::Expected expected(problems);
  for (int i = 0; i < 3; ++i) expected.take(scenario::code::kOutside, at);
  CHECK(expected.take(scenario::code::kFile, at).find("FIFO") != std::string::npos);
  for (int i = 0; i < 2; ++i) expected.take(scenario::code::kFile, at);
}

TEST_CASE("files: the library may be read beside the scenario's folder, and its files have names of their own") {
  const Tree tree;
  const test::TemporaryFolder library;
  test::write_text(library.file("car.xml"), "<Robot/>");
  fs::create_symlink(tree.folder.file("outside.txt"), library.path() / "leaves.xml");
  const ScenarioRoot root(tree.scenario, "", library.path().string());
  const ScenarioRoot::Resolved car = root.resolve(library.file("car.xml"), tree.scenario);
  CHECK(car.access == ScenarioRoot::Access::allowed);
  CHECK(car.shown == "library:car.xml");
  CHECK(root.resolve(library.file("leaves.xml"), tree.scenario).access != ScenarioRoot::Access::allowed);
  CHECK(root.resolve(library.file("../x"), tree.scenario).access != ScenarioRoot::Access::allowed);
  CHECK(root.resolve("a.txt", tree.scenario).shown == "a.txt");
}
