// Single variables of a file.

#include <doctest/doctest.h>

#include "base/mat/mat.hpp"
#include "base/mat/read.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {
std::string saved() {
  std::string file;
  mat::Writer out([&file](std::string_view bytes) { file += bytes; });
  out.add({"step", mat::Value::Kind::numbers, {0, 5, 1e300}, {}, {}, {}});
  out.add({"ascii", mat::Value::Kind::texts, {}, {"{\"a\":1}"}, {}, {}});
  out.add({"wide", mat::Value::Kind::texts, {}, {"r\xc3\xa4 \xe2\x82\xac"}, {}, {}});
  out.add({"two", mat::Value::Kind::texts, {}, {"a", "bc"}, {}, {}});
  return file;
}
}  // namespace

TEST_CASE("mat read: a variable by its name") {
  const std::string file = saved();
  CHECK(mat::is_mat(file));
  CHECK(mat::numbers(mat::variable(file, "step").value()) == std::vector<double>{0, 5, 1e300});
  CHECK(mat::text(mat::variable(file, "ascii").value()) == "{\"a\":1}");
  CHECK(mat::text(mat::variable(file, "wide").value()) == "r\xc3\xa4 \xe2\x82\xac");
  CHECK(!mat::variable(file, "other"));
  CHECK_THROWS_AS((void)mat::text(mat::variable(file, "two").value()), mat::ReadFault);
  CHECK_THROWS_AS((void)mat::numbers(mat::variable(file, "ascii").value()), mat::ReadFault);
}

TEST_CASE("mat read: damaged files are refused") {
  const std::string file = saved();
  const auto read = [](std::string_view bytes) {
    try {
      for (const char* name : {"step", "ascii", "wide"})
        if (const auto variable = mat::variable(bytes, name))
          name[0] == 's' ? (void)mat::numbers(*variable) : (void)mat::text(*variable);
    } catch (const mat::ReadFault&) {
    }
  };
  CHECK_THROWS_AS((void)mat::variable(std::string_view(file).substr(0, file.size() - 3), "other"), mat::ReadFault);
  CHECK_THROWS_AS((void)mat::variable("MATLAB 5.0 MAT-file", "step"), mat::ReadFault);
  test::for_every_prefix(file, read);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) read(test::mutated(file, seed));
}
