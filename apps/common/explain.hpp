#pragma once
/// --explain.

#include <string_view>

#include "apps/common/options.hpp"

namespace simbatch::cli {

/// Prints what a diagnostic code means, or with "all" the codes of all rooms that are linked into this program.
ExitCode explain(std::string_view name);

}  // namespace simbatch::cli
