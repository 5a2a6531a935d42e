#pragma once
/// Diagnostic codes of the inputs of towns. Codes never change: "mapgen" is the former name of this room and lib/roads.

#include "base/core/diagnostics.hpp"

namespace simbatch::town::code {

inline constexpr Code kOriginFar{"mapgen-origin-far", Severity::warning,
                                 "the map lies far from the setup's NodeOffset; places count from its own middle instead"};
inline constexpr Code kAreaOpen{"mapgen-area-open", Severity::warning,
                                "an area's outline is not complete in the file and was left out"};
inline constexpr Code kNodeFar{"mapgen-node-far", Severity::warning, "nodes more than 2000 km from the origin were left out"};
inline constexpr Code kNoResidential{"mapgen-no-residential", Severity::warning,
                                     "the house list has no section for places without a land use"};
inline constexpr Code kModelDeep{"mapgen-model-deep", Severity::warning,
                                 "a model would reach onto the pavement at the requested distance, and is set back"};

inline constexpr Code kIds{"osmgen-ids", Severity::error, "ids for the new nodes are taken, or run out"};
inline constexpr Code kAntimeridian{"osmgen-antimeridian", Severity::error, "the map lies across the antimeridian"};
inline constexpr Code kRoadsNone{"osmgen-roads-none", Severity::warning, "the map has no road that the setup lists"};
inline constexpr Code kKindNone{"osmgen-kind-none", Severity::warning,
                                "a kind of road named for houses, or for none, changes nothing on this map"};
inline constexpr Code kCrowded{"osmgen-crowded", Severity::error,
                               "roads and buildings are so crowded that placing houses would take too long"};

inline constexpr const Code* kAll[] = {&kOriginFar, &kAreaOpen,     &kNodeFar,   &kNoResidential, &kModelDeep,
                                       &kIds,       &kAntimeridian, &kRoadsNone, &kKindNone,      &kCrowded};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::town::code
