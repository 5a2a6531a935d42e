#pragma once
#include "base/core/diagnostics.hpp"

/// Codes of converting missions from and to other programs' files.
namespace simbatch::mission::export_code {

inline constexpr Code kNoPlace{"mission-export-place", Severity::error,
                               "the target needs places on earth, and the mission has no usable zone"};
inline constexpr Code kVehicle{"mission-export-vehicle", Severity::error,
                               "the target holds one vehicle's path, and the mission has several"};
inline constexpr Code kSize{"mission-export-size", Severity::error, "the export would need too many points"};
inline constexpr Code kLossPoint{"mission-loss-point", Severity::warning,
                                 "radius, heading or waiting time of POINT sections have no place in the target"};
inline constexpr Code kLossDepth{"mission-loss-depth", Severity::warning, "DEPTH or ALT sections have no place in the target"};
inline constexpr Code kLossSpeed{"mission-loss-speed", Severity::warning, "speeds have no place in the target"};
inline constexpr Code kLossComment{"mission-loss-comment", Severity::note, "comments or user data have no place in the target"};
inline constexpr Code kKml{"mission-kml", Severity::error, "a KML file holds no usable coordinates"};
inline constexpr Code kKmlZone{"mission-kml-zone", Severity::warning, "a KML path leaves the UTM zone of its first place"};
inline constexpr Code kKmlAltitude{"mission-loss-altitude", Severity::warning,
                                   "altitudes in a KML file have no place in a mission"};

inline constexpr const Code* kAll[] = {&kNoPlace,   &kVehicle,     &kSize, &kLossPoint, &kLossDepth,
                                       &kLossSpeed, &kLossComment, &kKml,  &kKmlZone,   &kKmlAltitude};

}  // namespace simbatch::mission::export_code
