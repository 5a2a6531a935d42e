#pragma once
/// osmgen check: everything that is wrong or odd about a map. Reads only.

#include <string>

#include "apps/common/cli.hpp"

namespace simbatch::osmgen {

struct CheckOptions {
  std::string input;
  std::string setup;  ///< map setup to compare the kinds of road with; empty = none
  cli::Common common;
};

void add_check_options(CLI::App& command, CheckOptions& options);
/// Well-formedness, ids, references, bounds, and whether the setup covers the kinds of road. Exit code 1 if there are errors.
cli::ExitCode check(const CheckOptions& options);

}  // namespace simbatch::osmgen
