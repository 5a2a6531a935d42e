#pragma once
/// Shell completion, made from the options of a program, so that it can never offer an option that does not exist.

#include <string>
#include <string_view>
#include <vector>

namespace simbatch::cli {

struct CompletionOption {
  std::vector<std::string> long_names, short_names;  ///< without hyphens
  std::vector<std::string> choices;                  ///< the allowed words, if restricted
  std::string help;
  bool takes_value = false;
};

/// A program or subcommand with its own options and the common ones.
struct CompletionCommand {
  std::string name, help;
  std::vector<CompletionOption> options;
  std::vector<CompletionCommand> commands;
};

/// A script that completes the program's command line. @param shell  bash, zsh or fish; empty result for any other
std::string completion(const CompletionCommand& program, std::string_view shell);

}  // namespace simbatch::cli
