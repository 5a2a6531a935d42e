#pragma once
#include "lib/base/diagnostics.hpp"

/// Codes of `osmgen check`.
namespace simbatch::osmgen::code {

inline constexpr Code kKindUncovered{"osmgen-kind-uncovered", Severity::note, "the setup does not list a kind of road that the map has"};
inline constexpr Code kRoadsNone{"osmgen-roads-none", Severity::warning, "the map has no road that the setup lists"};

inline constexpr const Code* kCheckAll[] = {&kKindUncovered, &kRoadsNone};

}  // namespace simbatch::osmgen::code
