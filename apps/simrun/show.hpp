#pragma once
/// Comparisons as text.

#include <string>

#include "formats/trace/compare.hpp"

namespace simbatch::simrun {

/// One finding per line; empty if there are none.
std::string show(const trace::Comparison& comparison);

}  // namespace simbatch::simrun
