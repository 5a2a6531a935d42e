#pragma once
/// osmgen info: what a map holds, for people or as JSON. Reads only.

#include <string>

#include "apps/common/cli.hpp"

namespace simbatch::osmgen {

struct InfoOptions {
  std::string input;
  bool json = false;  ///< --json: one object on standard output instead of a table
  cli::Common common;
};

void add_info_options(CLI::App& command, InfoOptions& options);
cli::ExitCode info(const InfoOptions& options);

}  // namespace simbatch::osmgen
