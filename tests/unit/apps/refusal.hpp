#pragma once
/// What a command line is refused with, without running the command.

#include <string>
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

/// The same for the subcommand that `add` declares, or for the program itself if it declares none.
inline std::string refusal(void (*add)(cli::Command&), const Words& words) {
  cli::Command program("program", "A program");
  add(program);
  return refusal(program.commands().empty() ? program : *program.commands().front(), words);
}

}  // namespace simbatch::test
