#include <doctest/doctest.h>

#include <bit>
#include <set>

#include "formats/stl/codes.hpp"
#include "formats/stl/stl.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

constexpr std::string_view kText =
    "solid thing\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 +1.5 0\n  endloop\n endfacet\n"
    " facet normal 0 0 1\n  outer loop\n   vertex 1 0 0\n   vertex 1 1 0\n   vertex 0 1.5 0\n  endloop\n endfacet\nendsolid thing\n";

void append(std::string& bytes, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

std::string binary(std::uint32_t said, const std::vector<std::array<float, 9>>& triangles, std::string head = "") {
  head.resize(80, ' ');
  append(head, said);
  for (const auto& triangle : triangles) {
    for (int i = 0; i < 3; ++i) append(head, 0);
    for (const float x : triangle) append(head, std::bit_cast<std::uint32_t>(x));
    head += std::string(2, '\0');
  }
  return head;
}

const std::vector<std::array<float, 9>> kTwo{{0, 0, 0, 1, 0, 0, 0, 1.5F, 0}, {1, 0, 0, 1, 1, 0, 0, 1.5F, 0}};

std::string size_problem(const Parsed<stl::Mesh>& read) { return test::Expected(read.diagnostics).take(stl::code::kSize); }

}  // namespace

TEST_CASE("stl: a text and a binary file of the same triangles are the same mesh") {
  const auto text = stl::read_stl(kText, "t.stl"), bytes = stl::read_stl(binary(2, kTwo), "b.stl");
  REQUIRE_MESSAGE(text.ok(), test::all_text(text.diagnostics));
  REQUIRE_MESSAGE(bytes.ok(), test::all_text(bytes.diagnostics));
  CHECK(text.value->points.size() == 4);
  CHECK(text.value->triangles == std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {1, 3, 2}});
  CHECK(*text.value == *bytes.value);
}

TEST_CASE("stl: a binary file may begin with solid") {
  const auto read = stl::read_stl(binary(2, kTwo, "solid of some program"), "b.stl");
  REQUIRE(read.ok());
  CHECK(read.value->triangles.size() == 2);
}

TEST_CASE("stl: a binary file that begins with solid may have bytes after its triangles, and says so if some are missing") {
  for (const char* head : {"solid", "solid of some program", "solidworks", "solid a\n", " \tSOLID\nname"}) {
    const std::string bytes = binary(2, kTwo, head);
    for (const std::size_t more : {1, 49, 50, 400}) {
      const auto read = stl::read_stl(bytes + std::string(more, 'x'), "b.stl");
      REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
      CHECK(read.value->triangles.size() == 2);
    }
    for (const std::size_t missing : {1, 49, 50}) {
      const auto read = stl::read_stl(std::string_view(bytes).substr(0, bytes.size() - missing), "b.stl");
      CHECK(size_problem(read) == "the file counts 2 triangles and has bytes for 1");
      CHECK(read.value->triangles.size() == 1);
    }
    CHECK(size_problem(stl::read_stl(std::string_view(bytes).substr(0, 84), "b.stl")) ==
          "the file counts 2 triangles and has bytes for 0");
  }
  // A count of 2^24 or more has no zero byte; the normal of the first triangle still has.
  CHECK(size_problem(stl::read_stl(binary(0x01010101, kTwo, "solid"), "b.stl")) ==
        "the file counts 16843009 triangles and has bytes for 2");
  // Cut within the head.
  CHECK(size_problem(stl::read_stl(std::string_view("solid\0\0\0", 8), "b.stl")) ==
        "the file has 8 bytes: fewer than the head of a binary STL");
}

TEST_CASE("stl: a text remains one whatever stands in its names") {
  const std::string body(kText.substr(kText.find('\n')));
  for (const std::string& head :
       {std::string("solid"), std::string("\xEF\xBB\xBFsolid bom"), "solid " + std::string(200, 'n'),
        std::string("solid a\0b", 9), std::string("solid\n\ncolor 1 0 0"), std::string("\r\n SOLID facet")}) {
    const auto read = stl::read_stl(head + body, "t.stl");
    REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
    CHECK(read.value->triangles.size() == 2);
  }
  test::Expected(stl::read_stl("solid a" + std::string(100, ' ') + "\nendsolid a\n", "t.stl").diagnostics)
      .take(stl::code::kEmpty);
}

TEST_CASE("stl: three vertices before endloop are a triangle, whatever else stands there") {
  const auto read =
      stl::read_stl("solid\nFACET normal 0 0 -7\nVertex 0 0 0\ncolor 1 0 0\nvertex +1 0 -0\nvertex 0 1 0\nendloop\n", "t.stl");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  CHECK(read.value->points == std::vector<std::array<double, 3>>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  CHECK(read.value->triangles == std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}});
}

TEST_CASE("stl: wrong files are refused") {
  test::Expected(stl::read_stl("", "e").diagnostics).take(stl::code::kSize);
  test::Expected(stl::read_stl(binary(0xffffffff, kTwo), "e").diagnostics).take(stl::code::kSize);
  test::Expected(stl::read_stl(binary(0, {}), "e").diagnostics).take(stl::code::kEmpty);
  const float nan = std::bit_cast<float>(0x7fc00000U);
  test::Expected(stl::read_stl(binary(2, {kTwo[0], {nan, 0, 0, 0, 0, 0, 0, 0, 0}}), "e").diagnostics).take(stl::code::kNumber);
  {
    test::Expected expected(stl::read_stl("solid a\nvertex 1 2\nvertex 1 x 2\nendloop\nwhat\n", "e").diagnostics);
    expected.take(stl::code::kSyntax, Position{2, 1});
    expected.take(stl::code::kNumber, Position{3, 10});
    expected.take(stl::code::kSyntax, Position{4, 1});
    expected.take(stl::code::kSyntax, Position{5, 1});
  }
}

TEST_CASE("stl: every prefix and any mutation is read or refused") {
  test::for_every_prefix(kText, [](std::string_view text) { (void)stl::read_stl(text, "p"); });
  const std::string bytes = binary(2, kTwo);
  test::for_every_prefix(bytes, [](std::string_view text) { (void)stl::read_stl(text, "p"); });
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    (void)stl::read_stl(test::mutated(std::string(kText), seed), "m");
    (void)stl::read_stl(test::mutated(bytes, seed), "m");
  }
}

TEST_CASE("stl: equal corners of many triangles are one point each") {
  std::string text = "solid s\n";
  for (int i = 0; i < 5000; ++i) {
    const std::string x = std::to_string(i % 1700);
    text += "facet\nouter loop\nvertex " + x + " 0 0\nvertex 0 " + x + " -0\nvertex " + x + " 1 0.5\nendloop\nendfacet\n";
  }
  const auto read = stl::read_stl(text, "s.stl");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  CHECK(read.value->triangles.size() == 5000);
  // 0 0 0 is both the first and the second corner of every 1700th triangle.
  CHECK(read.value->points.size() == 3 * 1700 - 1);
  std::set<std::array<double, 3>> different(read.value->points.begin(), read.value->points.end());
  CHECK(different.size() == read.value->points.size());
  for (std::size_t i = 0; i < 1700; ++i) CHECK(read.value->triangles[i] == read.value->triangles[i + 1700]);
}
