#include <doctest/doctest.h>

#include "formats/obj/codes.hpp"
#include "formats/obj/obj.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {
constexpr std::string_view kSquare =
    "# a square\nmtllib x.mtl\no square\nv 0 0 0\nv 1 0 0\r\nv 1 0 1.5\nv 0 0 1 1.0\nvn 0 1 0\nvt 0 0\ns off\n"
    "f 1/1/1 2//1 3 -1\nf -4 -3 -2 # last\n";
}

TEST_CASE("obj: points and faces, polygons as fans, negative and textured indices") {
  const auto read = obj::read_obj(kSquare, "s.obj");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  CHECK(read.value->points.size() == 4);
  CHECK(read.value->points[2] == std::array<double, 3>{1, 0, 1.5});
  CHECK(read.value->triangles == std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}});
}

TEST_CASE("obj: the example of the page is a square") {
  const std::string page = test::read_text("docs/formats/obj.md");
  const std::size_t begin = page.find("```obj\n") + 7;
  const auto read = obj::read_obj(page.substr(begin, page.find("```", begin) - begin), "page.obj");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  CHECK(read.value->points.size() == 4);
  CHECK(read.value->triangles.size() == 2);
}

TEST_CASE("obj: numbers as C's strtod reads them") {
  const auto read = obj::read_obj("v .5 -.5 5.\nv +.5 1.e0 +2\nv .25e1 1E+3 -0\nf 1 2 3\n", "n.obj");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  CHECK(read.value->points[0] == std::array<double, 3>{0.5, -0.5, 5});
  CHECK(read.value->points[1] == std::array<double, 3>{0.5, 1, 2});
  CHECK(read.value->points[2] == std::array<double, 3>{2.5, 1000, 0});
  CHECK_FALSE(obj::read_obj("v +-5 0 0\nv 0 0 0\nv 1 1 1\nf 1 2 3\n", "n.obj").ok());
}

TEST_CASE("obj: every broken line is one located error") {
  const auto read = obj::read_obj("v 1 2\nv 1 x 3\nv 0 0 0\nv 1 1 1\nf 1 2\nf 1 2 9\nf 3 0 4\nf 1 2 3\n", "b.obj");
  test::Expected expected(read.diagnostics);
  expected.take(obj::code::kVertex, Position{1, 1});
  expected.take(obj::code::kVertex, Position{2, 5});
  expected.take(obj::code::kFace, Position{5, 1});
  expected.take(obj::code::kFace, Position{6, 7});
  expected.take(obj::code::kFace, Position{7, 5});
}

TEST_CASE("obj: lines are not continued") {
  const auto read = obj::read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\\n3\nf 1 2 3\n", "c.obj");
  test::Expected(read.diagnostics).take(obj::code::kFace, Position{4, 7});
}

TEST_CASE("obj: a file without a triangle is an error") {
  const auto read = obj::read_obj("v 0 0 0\n", "e.obj");
  test::Expected expected(read.diagnostics);
  expected.take(obj::code::kEmpty);
}

TEST_CASE("obj: every prefix and any mutation is read or refused") {
  test::for_every_prefix(kSquare, [](std::string_view text) { (void)obj::read_obj(text, "p"); });
  for (std::uint64_t seed = 0; seed < 2000; ++seed) (void)obj::read_obj(test::mutated(std::string(kSquare), seed), "m");
}

TEST_CASE("obj: a face with a broken corner leaves no triangle behind") {
  const auto read = obj::read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3 4 9\nf 1 2 4 # 7\n", "b.obj");
  test::Expected(read.diagnostics).take(obj::code::kFace, Position{5, 11});
  CHECK(read.value->triangles == std::vector<std::array<std::uint32_t, 3>>{{0, 1, 3}});
}
