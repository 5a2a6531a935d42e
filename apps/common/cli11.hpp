#pragma once
/// What apps/common shares about CLI11. Not for programs.

#include <string>

#include "apps/common/completion.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace simbatch::cli {

CompletionCommand completion_model(const CLI::App& app);
/// What CLI11 says, in words that name the option, what was found and what was expected.
std::string usage_text(const CLI::App& app, const CLI::ParseError& error);
/// "; did you mean --width?" for the first unknown word of a command line, or nothing.
std::string suggestion(const CLI::App& app, const std::string& text, int argc, char** argv);
/// The help of the program or of the subcommand that was chosen; of all subcommands.
std::string help_of(const CLI::App& app);
std::string help_of_all(const CLI::App& app);
/// "objconv rndf fmt"
std::string whole_name(const CLI::App& app);
const CLI::App& innermost(const CLI::App& app);
/// "simrun 0.1.0 (3c99f5a)"
std::string version_text(const std::string& program);

}  // namespace simbatch::cli
