#include "lib/sim/program/command/command_words.hpp"

#include <doctest/doctest.h>

using simbatch::sim::words_of_command;

TEST_CASE("the words of a command are the shell's") {
  using Words = std::vector<std::string>;
  const std::pair<const char*, Words> rows[] = {
      {"", {}},
      {"python3 drive.py", {"python3", "drive.py"}},
      {"python3  'my car.py' --fast", {"python3", "my car.py", "--fast"}},
      {"cd x&&./run<map.txt|tee \"a \\\"b\\\"\"", {"cd", "x", "./run", "map.txt", "tee", "a \"b\""}},
      {"run --map=town.txt my\\ file", {"run", "--map=town.txt", "town.txt", "my file"}},
      {"a'b'\"c\" '' 'open", {"abc", "open"}},
      {"trailing\\", {"trailing\\"}},
  };
  for (const auto& row : rows) {
    CAPTURE(row.first);
    CHECK(words_of_command(row.first) == row.second);
  }
}
