#pragma once
/// Command lines that programs build with CLI11 themselves; to remove when all use command.hpp.

#include <functional>
#include <initializer_list>
#include <string_view>

#include "apps/common/command.hpp"
#include "apps/common/console.hpp"
#include "apps/common/progress.hpp"
#include "apps/common/reporter.hpp"
#include "apps/common/signals.hpp"

namespace CLI {
class App;
}

namespace simbatch::cli {

using Common = CommonOptions;
inline void info(const CommonOptions& common, std::string_view text) { status(common, text); }

/// Adds the common options to a program (or a subcommand), in the group "Diagnostics".
void add_common(CLI::App& app, CommonOptions& common);
/// Shows each of these command lines in the help of the subcommand that it calls ("tool group command ..."), all
/// subcommands being there.
void add_examples(CLI::App& app, std::initializer_list<std::string_view> lines);
/// As run_main(Command&, ...).
int run_main(CLI::App& app, int argc, char** argv, const std::function<ExitCode()>& run);

}  // namespace simbatch::cli
