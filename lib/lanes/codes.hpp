#pragma once
/// Diagnostic codes of roads with their lanes: information of a map or network that they cannot represent.

#include "base/core/diagnostics.hpp"

namespace simbatch::lanes::code {

inline constexpr Code kEmpty{"lanes-empty", Severity::error, "there is no road that cars drive on"};
inline constexpr Code kExtent{"lanes-extent", Severity::error,
                              "roads are so far apart that no plane map can represent them: over 60 degrees of longitude"};
inline constexpr Code kWays{"lanes-lost-way", Severity::warning, "ways that cars do not drive on are left out"};
inline constexpr Code kHeight{"lanes-lost-height", Severity::warning,
                              "bridges and tunnels whose heights are not known become roads on the ground or the plane"};
inline constexpr Code kRestriction{"lanes-lost-restriction", Severity::warning,
                                   "turn restrictions across several ways, or for some hours or vehicles, are left out"};
inline constexpr Code kZone{"lanes-lost-zone", Severity::warning,
                            "zones, their parking places and the exits to and from them are left out"};
inline constexpr Code kExit{"lanes-lost-exit", Severity::warning, "exits without a lane before or after them are left out"};
inline constexpr Code kCheckpoint{"lanes-lost-checkpoint", Severity::warning, "checkpoints are left out"};
inline constexpr Code kSign{
    "lanes-lost-sign", Severity::warning,
    "traffic lights and stop signs are left out: Lanelet2 requires the positions of their lamps and lines"};
inline constexpr Code kRightOfWay{"lanes-lost-right-of-way", Severity::warning,
                                  "junctions with more turns than SUMO can order have no right of way"};
inline constexpr Code kOverlap{"lanes-overlap", Severity::warning,
                               "a turn joins lanes that overlap: in Lanelet2 one of its bounds runs backward"};
inline constexpr Code kGuess{"lanes-guess", Severity::warning,
                             "a number of lanes, a width or a speed is not in the input: usual ones are used"};

inline constexpr const Code* kAll[] = {&kEmpty, &kExtent,     &kWays, &kHeight,     &kRestriction, &kZone,
                                       &kExit,  &kCheckpoint, &kSign, &kRightOfWay, &kOverlap,     &kGuess};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::lanes::code
