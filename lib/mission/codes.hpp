#pragma once
#include "base/core/diagnostics.hpp"

/// Codes of a mission's geometry, geography and plan, and of converting it from and to other programs' files. Those of its
/// text are in formats/medusa/codes.hpp.
namespace simbatch::mission::code {

inline constexpr Code kArcRadius{"mission-arc-radius", Severity::error, "an arc's ends are not equally far from its center"};
inline constexpr Code kArcNominal{
    "mission-arc-nominal", Severity::warning,
    "an arc's radius field differs from its radius: gammas follow the field, the path follows the center"};
inline constexpr Code kArcZero{"mission-arc-zero", Severity::error, "an arc starts or ends at its center"};
inline constexpr Code kArcFull{"mission-arc-full", Severity::warning, "a closed arc: the path service rejects it"};
inline constexpr Code kArcHalf{"mission-arc-half", Severity::warning,
                               "an arc is not a half circle: the older path services always sweep 180 degrees"};
inline constexpr Code kLineZero{"mission-line-zero", Severity::warning, "a line of zero length"};
inline constexpr Code kJoinGap{"mission-join-gap", Severity::warning, "a section does not start where the previous one ended"};
inline constexpr Code kJoinHeading{"mission-join-heading", Severity::warning, "the path has a corner at a join"};
inline constexpr Code kSpeed{"mission-speed", Severity::error, "a speed is not above 0: the section never ends"};
inline constexpr Code kSpeedLow{"mission-speed-low", Severity::warning, "a speed is below 0.05 m/s"};
inline constexpr Code kSpeedHigh{"mission-speed-high", Severity::warning, "a speed is above the followers' limit of 1.5 m/s"};
inline constexpr Code kPointRadius{"mission-point-radius", Severity::error, "a POINT with radius 0 or less is never reached"};
inline constexpr Code kPointHold{"mission-point-hold", Severity::warning,
                                 "a POINT that holds indefinitely (time -1) is followed by other sections"};
inline constexpr Code kUnreached{"mission-unreached", Severity::warning,
                                 "a POINT, DEPTH or ALT after a LINE or ARC: the current walker does not reach it"};
inline constexpr Code kDepthNegative{"mission-depth-negative", Severity::warning,
                                     "a negative DEPTH acts as an altitude, a negative ALT as a depth"};
inline constexpr Code kDepthEndless{"mission-depth-endless", Severity::warning,
                                    "a timed DEPTH or ALT after an endless one becomes endless, too"};
inline constexpr Code kFormationId{"mission-formation-id", Severity::warning,
                                   "sections for a vehicle that FORMATION does not name"};
inline constexpr Code kFormationRadius{"mission-formation-radius", Severity::error,
                                       "a vehicle's place in the formation turns an arc inside out"};
inline constexpr Code kFormationAhead{"mission-formation-ahead", Severity::warning,
                                      "an offset along the path: shifted arcs are not arcs about the same center"};
inline constexpr Code kVehicleMixed{"mission-vehicle-mixed", Severity::warning,
                                    "sections for all vehicles and for single ones: the single ones sail both"};
inline constexpr Code kFar{"mission-far", Severity::error, "a section leads to a place that is not on the earth"};
inline constexpr Code kReferenceZero{"mission-reference-zero", Severity::warning,
                                     "the reference is 0 0 and the sections have absolute grid coordinates"};
inline constexpr Code kZoneMissing{"mission-zone-missing", Severity::warning, "the reference has no UTM zone"};
inline constexpr Code kZone{"mission-zone", Severity::warning, "the zone is not a number 1..60 and a latitude band C..X"};
inline constexpr Code kZoneBand{"mission-zone-band", Severity::warning,
                                "neither the reference nor the first section is in the latitude band that the zone names"};
inline constexpr Code kZoneHemisphere{"mission-zone-hemisphere", Severity::warning,
                                      "the zone's letter looks like a hemisphere, but is read as a latitude band"};
inline constexpr Code kPlace{"mission-place", Severity::error, "the reference point is outside its UTM zone"};

// Exports to other programs' files.
inline constexpr Code kExportPlace{"mission-export-place", Severity::error,
                                   "the target needs geographic coordinates, and the mission has no usable zone"};
inline constexpr Code kExportVehicle{"mission-export-vehicle", Severity::error,
                                     "the target takes one vehicle's path, and the mission has several"};
inline constexpr Code kExportSize{"mission-export-size", Severity::error, "the export would need too many points"};
inline constexpr Code kLossPoint{"mission-loss-point", Severity::warning,
                                 "the target cannot represent the radius, heading or waiting time of POINT sections"};
inline constexpr Code kLossDepth{"mission-loss-depth", Severity::warning, "the target cannot represent DEPTH or ALT sections"};
inline constexpr Code kLossSpeed{"mission-loss-speed", Severity::warning, "the target cannot represent speeds"};
inline constexpr Code kLossComment{"mission-loss-comment", Severity::note, "the target cannot represent comments or user data"};

// From KML.
inline constexpr Code kKml{"mission-kml", Severity::error, "a KML file has no usable coordinates"};
inline constexpr Code kKmlGap{"mission-kml-gap", Severity::warning, "a KML path does not begin where the one before it ends"};
inline constexpr Code kKmlZone{"mission-kml-zone", Severity::warning, "a KML path leaves the UTM zone of its first place"};
inline constexpr Code kKmlAltitude{"mission-loss-altitude", Severity::warning,
                                   "a mission cannot represent the altitudes of KML"};

inline constexpr const Code* kAll[] = {
    &kArcRadius,     &kArcNominal,   &kArcZero,     &kArcFull,         &kArcHalf,        &kLineZero,     &kJoinGap,
    &kJoinHeading,   &kSpeed,        &kSpeedLow,    &kSpeedHigh,       &kPointRadius,    &kPointHold,    &kUnreached,
    &kDepthNegative, &kDepthEndless, &kFormationId, &kFormationRadius, &kFormationAhead, &kVehicleMixed, &kReferenceZero,
    &kZoneMissing,   &kZone,         &kZoneBand,    &kZoneHemisphere,  &kPlace,          &kExportPlace,  &kExportVehicle,
    &kExportSize,    &kLossPoint,    &kLossDepth,   &kLossSpeed,       &kLossComment,    &kKml,          &kKmlZone,
    &kKmlAltitude,   &kFar,          &kKmlGap};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::mission::code
