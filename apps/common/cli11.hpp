#pragma once
/// Shared by the CLI11 adapters of apps/common. Not for programs.

#include <memory>
#include <string>

#include "apps/common/completion.hpp"

namespace CLI {
class App;
class FormatterBase;
class ParseError;
}  // namespace CLI

namespace simbatch::cli {

/// Usage lines as they are accepted: with arguments, or with a subcommand.
std::shared_ptr<CLI::FormatterBase> usage_formatter();
CompletionCommand completion_model(const CLI::App& app);
/// Rewords CLI11's messages to name the option, the value found and the expected value.
std::string usage_text(const CLI::App& app, const CLI::ParseError& error);
/// Names the words of a command line that nothing takes, in their order, and for the first of them what may have been meant:
/// "unknown option --wdith; did you mean --width?", "unexpected arguments "b" and "c"".
/// @param without_subcommand  as Command::without_subcommand()
std::string extras_text(const CLI::App& app, const std::string& without_subcommand);
/// The help of the program or of the selected subcommand; of all subcommands.
std::string help_of(const CLI::App& app);
std::string help_of_all(const CLI::App& app);
/// "objconv rndf fmt"
std::string whole_name(const CLI::App& app);
const CLI::App& innermost(const CLI::App& app);
/// "simrun 0.1.0 (3c99f5a)"
std::string version_text(const std::string& program);

}  // namespace simbatch::cli
