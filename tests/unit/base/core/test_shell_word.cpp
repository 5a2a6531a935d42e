// Words for a shell: what it makes of them is the word again.
#include <doctest/doctest.h>

#include "base/core/shell_word.hpp"

using simbatch::shell_word;

TEST_CASE("shell words: quoted where a shell would take them apart, and only there") {
  for (const char* plain : {"a.xml", "dir/a-b_c.xml", "robot=a.so", "1:2,3@4+5%"}) CHECK(shell_word(plain) == plain);
  CHECK(shell_word("a b") == "'a b'");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("$(rm x)`y`\"*?\\") == "'$(rm x)`y`\"*?\\'");
  CHECK(shell_word("it's") == "'it'\\''s'");
}
