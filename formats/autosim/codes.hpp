#pragma once
#include "base/core/diagnostics.hpp"

/// Problems of the AutoSim configuration files beyond those of XML itself (base/xml/codes.hpp).
namespace simbatch::autosim::code {

inline constexpr Code kName{"autosim-name", Severity::error,
                            "a name is not usable: empty, or with a dot, blank or control character"};
inline constexpr Code kNameAbsent{"autosim-name-absent", Severity::warning, "a BuildData block has no name"};
inline constexpr Code kDuplicate{"autosim-name-duplicate", Severity::error, "two blocks share a name that must be unique"};
inline constexpr Code kReference{"autosim-reference", Severity::error, "a block refers to something that does not exist"};
inline constexpr Code kZeroVector{"autosim-zero-vector", Severity::error, "a direction or axis has length 0"};
inline constexpr Code kConflict{"autosim-conflict", Severity::error,
                                "parameters exclude each other, or one of several is needed"};
inline constexpr Code kEmpty{"autosim-empty", Severity::error, "a block lacks the parts that it must consist of"};
inline constexpr Code kOrder{"autosim-order", Severity::error, "values are not in ascending order"};
inline constexpr Code kTime{"autosim-time", Severity::error, "a time of day is not written as 2008-02-27T12:00:00Z"};
inline constexpr Code kLinkOrder{"autosim-link-order", Severity::warning,
                                 "a link precedes a body that it joins, which AutoSim itself does not accept"};
inline constexpr Code kBrakeWeak{"autosim-brake-weak", Severity::warning,
                                 "a brake force looks like PAL's impulse per step and is weak as a force"};
inline constexpr Code kStiffUnit{"autosim-stiffness", Severity::warning,
                                 "a SuspensionKs looks like N/m, but it is per kilogram of the chassis"};
inline constexpr Code kTileSize{"autosim-tile-size", Severity::warning, "TileSize is not a multiple of HeightDataPerArea"};
inline constexpr Code kHighway{"autosim-highway", Severity::warning,
                               "HighwayDimensions lists a kind of highway that OpenStreetMap does not know"};
inline constexpr Code kScanner{"autosim-scanner", Severity::error,
                               "a LaserScanner's angles, range or number of rays are impossible"};
inline constexpr Code kMany{"autosim-many", Severity::error, "the file has more named blocks than are read"};

inline constexpr const Code* kAll[] = {&kName,     &kNameAbsent, &kDuplicate, &kReference, &kZeroVector, &kConflict,
                                       &kEmpty,    &kOrder,      &kTime,      &kLinkOrder, &kBrakeWeak,  &kStiffUnit,
                                       &kTileSize, &kScanner,    &kMany,      &kHighway};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::autosim::code
