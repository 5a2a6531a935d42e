#pragma once
/// Problems of road networks (RNDF) and their missions (MDF).

#include "base/core/diagnostics.hpp"

namespace simbatch::rndf::code {

// Departures from the document: warnings, errors in strict mode.
inline constexpr Code kHeader{"rndf-header", Severity::warning, "a header line or a block's first line is missing"};
inline constexpr Code kName{"rndf-name", Severity::warning,
                            "a name has blanks, backslashes or asterisks, or is longer than 128"};
inline constexpr Code kCount{"rndf-count", Severity::warning, "the number of items differs from the count before them"};
inline constexpr Code kOrder{"rndf-order", Severity::warning, "a line is not where the document expects it"};
inline constexpr Code kIdOrder{"rndf-id-order", Severity::warning, "ids do not run 1, 2, 3 ..."};
inline constexpr Code kExtension{"rndf-extension", Severity::warning, "a line of the 1.1 extensions, kept"};
inline constexpr Code kUnknown{"rndf-unknown", Severity::warning, "a line begins with a word that is not known; kept"};
inline constexpr Code kWidth{"rndf-width", Severity::warning, "a width is not a whole number of feet"};
inline constexpr Code kBoundary{"rndf-boundary", Severity::warning, "a boundary is not one of the four known"};
inline constexpr Code kTokens{"rndf-tokens", Severity::warning, "a line has more words than it needs"};
inline constexpr Code kEnd{"rndf-end", Severity::warning, "a block or the file lacks its end line"};
inline constexpr Code kComment{"rndf-comment", Severity::warning, "a comment is not closed"};
inline constexpr Code kForeign{"rndf-foreign", Severity::warning, "a checkpoint, stop or exit names a point of another lane"};
inline constexpr Code kRange{"rndf-range", Severity::warning, "a whole number is above 32768"};
// Errors.
inline constexpr Code kEmpty{"rndf-empty", Severity::error, "the file has no line of its format"};
inline constexpr Code kValue{"rndf-value", Severity::error, "a value is missing or invalid at its position"};
inline constexpr Code kMany{"rndf-many", Severity::error, "the file has more blocks, visits or unknown lines than are read"};
inline constexpr Code kId{"rndf-id", Severity::error, "an id is malformed or does not belong to its block"};
inline constexpr Code kIdDuplicate{"rndf-id-duplicate", Severity::error, "duplicate id"};
inline constexpr Code kCoordinate{"rndf-coordinate", Severity::error, "a latitude or longitude is outside its range"};
inline constexpr Code kSpotPoints{"rndf-spot-points", Severity::error, "a spot does not have exactly two waypoints"};
inline constexpr Code kExitDangling{"rndf-exit-dangling", Severity::error,
                                    "an exit leaves or enters a point that does not exist"};
inline constexpr Code kCheckpointDangling{"rndf-checkpoint-dangling", Severity::error,
                                          "a checkpoint's waypoint does not exist"};
inline constexpr Code kStopDangling{"rndf-stop-dangling", Severity::error, "a stop's waypoint does not exist"};
inline constexpr Code kCheckpointDuplicate{"rndf-checkpoint-duplicate", Severity::error, "two checkpoints have the same id"};
inline constexpr Code kPlanar{"rndf-planar", Severity::warning, "the coordinates look like meters on a plane, not degrees"};
// check()
inline constexpr Code kLaneShort{"rndf-lane-short", Severity::warning, "a lane has fewer than two waypoints"};
inline constexpr Code kStepZero{"rndf-step-zero", Severity::warning, "two consecutive waypoints are at the same place"};
inline constexpr Code kStepLong{"rndf-step-long", Severity::warning, "consecutive waypoints are more than 5 km apart"};
inline constexpr Code kExitSelf{"rndf-exit-self", Severity::warning, "an exit leads to itself"};
inline constexpr Code kExitRepeated{"rndf-exit-repeated", Severity::warning, "duplicate exit"};
inline constexpr Code kPerimeterShort{"rndf-perimeter-short", Severity::warning, "a perimeter has fewer than three points"};
inline constexpr Code kPerimeterCrossing{"rndf-perimeter-crossing", Severity::warning, "a perimeter crosses itself"};
// MDF
inline constexpr Code kMdfLimits{"mdf-limits", Severity::error, "a minimum speed is above the maximum"};
inline constexpr Code kMdfCheckpoint{"mdf-checkpoint", Severity::error, "a checkpoint is not in the RNDF"};
inline constexpr Code kMdfArea{"mdf-area", Severity::error, "a speed limit names a segment or zone that is not in the RNDF"};
inline constexpr Code kMdfAreaRepeated{"mdf-area-repeated", Severity::warning, "a segment or zone has two speed limits"};
inline constexpr Code kMdfAreaMissing{"mdf-area-missing", Severity::warning,
                                      "a segment or zone of the RNDF has no speed limit"};
inline constexpr Code kMdfName{"mdf-rndf-name", Severity::warning, "the mission names another RNDF"};

inline constexpr const Code* kAll[] = {&kHeader,
                                       &kMany,
                                       &kName,
                                       &kCount,
                                       &kOrder,
                                       &kIdOrder,
                                       &kExtension,
                                       &kUnknown,
                                       &kWidth,
                                       &kBoundary,
                                       &kTokens,
                                       &kEnd,
                                       &kComment,
                                       &kForeign,
                                       &kRange,
                                       &kEmpty,
                                       &kValue,
                                       &kId,
                                       &kIdDuplicate,
                                       &kCoordinate,
                                       &kPlanar,
                                       &kSpotPoints,
                                       &kExitDangling,
                                       &kCheckpointDangling,
                                       &kStopDangling,
                                       &kCheckpointDuplicate,
                                       &kLaneShort,
                                       &kStepZero,
                                       &kStepLong,
                                       &kExitSelf,
                                       &kExitRepeated,
                                       &kPerimeterShort,
                                       &kPerimeterCrossing,
                                       &kMdfLimits,
                                       &kMdfCheckpoint,
                                       &kMdfArea,
                                       &kMdfAreaRepeated,
                                       &kMdfAreaMissing,
                                       &kMdfName};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::rndf::code
