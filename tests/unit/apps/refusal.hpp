#pragma once
/// What a command line is refused with, without running the command.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/common/command.hpp"

namespace simbatch::test {

/// Pairs of an option's name and the word given for it.
using Words = std::vector<std::pair<std::string, std::string>>;

/// What a command says about these options: the first problem, or nothing.
inline std::string refusal(const cli::Command& command, const Words& words) {
  for (const auto& [name, word] : words)
    for (const auto& option : command.options())
      if (option->shown_name() == name)
        if (std::string problem = option->read({word}); !problem.empty()) return problem;
  for (const auto& check : command.checks())
    if (std::string problem = check(); !problem.empty()) return problem;
  return {};
}

/// A command by its names from the program on, "rndf fmt"; without a name the first one, or the program itself if it has none.
inline const cli::Command& named(const cli::Command& program, std::string_view name = {}) {
  if (program.commands().empty()) return program;
  if (name.empty()) return *program.commands().front();
  const std::size_t end = std::min(name.find(' '), name.size());
  for (const auto& command : program.commands())
    if (command->name() == name.substr(0, end)) return end == name.size() ? *command : named(*command, name.substr(end + 1));
  FAIL("no command ", name);
  return program;
}

/// The same for the subcommand that `add` declares, or for the program itself if it declares none.
inline std::string refusal(void (*add)(cli::Command&), const Words& words) {
  cli::Command program("program", "A program");
  add(program);
  return refusal(named(program), words);
}

}  // namespace simbatch::test
