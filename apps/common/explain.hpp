#pragma once
/// --explain.

#include <string_view>

#include "apps/common/options.hpp"

namespace simbatch::cli {

/// Prints the meaning of a diagnostic code or, with "all", the codes of all rooms linked into this program.
ExitCode explain(std::string_view name);

}  // namespace simbatch::cli
