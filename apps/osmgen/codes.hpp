#pragma once
#include "base/core/diagnostics.hpp"

namespace simbatch::osmgen::code {

inline constexpr Code kIds{"osmgen-ids", Severity::error, "ids for the new nodes are taken, or run out"};
inline constexpr Code kRoadsNone{"osmgen-roads-none", Severity::warning, "the map has no road that the setup lists"};
inline constexpr Code kKindUncovered{"osmgen-kind-uncovered", Severity::note,
                                     "the setup does not list a kind of road that the map has"};

inline constexpr const Code* kAll[] = {&kIds, &kRoadsNone, &kKindUncovered};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::osmgen::code
