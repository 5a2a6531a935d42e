#pragma once
#include "lib/base/diagnostics.hpp"

namespace simbatch::osmgen::code {

inline constexpr Code kIds{"osmgen-ids", Severity::error, "ids for the new nodes are taken, or run out"};
inline constexpr Code kNoRoads{"osmgen-no-roads", Severity::warning, "no road of the map has a kind that the setup lists"};

inline constexpr const Code* kAll[] = {&kIds, &kNoRoads};

}  // namespace simbatch::osmgen::code
