#pragma once
/// Diagnostic codes of building a simulation from a scenario.

#include "base/core/diagnostics.hpp"

namespace simbatch::scenario::code {

inline constexpr Code kFile{"sim-file", Severity::error, "a file that the scenario names cannot be read"};
inline constexpr Code kOutside{"sim-file-outside", Severity::error,
                               "a file that the scenario names lies outside the folder that may be read (--root)"};
inline constexpr Code kLibrary{"sim-library", Severity::error, "an Include names a robot that the library does not have"};
inline constexpr Code kOrigin{"sim-origin", Severity::error,
                              "a geographic position or a GPS sensor needs the world's origin on the earth"};
inline constexpr Code kOriginDiffers{"sim-origin-differs", Severity::warning,
                                     "the scenario's Origin is not the NodeOffset that its map is laid about"};
inline constexpr Code kShape{"sim-shape", Severity::error, "a body cannot be made of this shape"};
inline constexpr Code kControlDevice{"sim-control-device", Severity::error,
                                     "a Control names a device that its robot does not have"};
inline constexpr Code kControlInput{"sim-control-input", Severity::error,
                                    "a Control sets an input that its device lacks, or nothing"};
inline constexpr Code kStep{"sim-step-large", Severity::warning,
                            "the integration step is too large to show the motion of a vehicle on its springs"};
inline constexpr Code kNoWheels{"sim-drive-without-wheels", Severity::warning, "a DriveActuator has no WheelDevice"};
inline constexpr Code kNoPower{"sim-drive-without-power", Severity::warning,
                               "a DriveActuator has a motor, but none of its wheels is powered"};
inline constexpr Code kWheelReach{"sim-wheel-reach", Severity::warning,
                                  "a wheel cannot reach level ground: the body below it touches first"};
inline constexpr Code kOverlap{"sim-overlap", Severity::warning,
                               "bodies are inside each other, or in the ground, before the first step"};
inline constexpr Code kFixed{
    "sim-fixed", Severity::error,
    "what is fixed cannot be moved: by a drive, a propeller, a mission, or a link between two fixed parts"};
inline constexpr Code kFast{"sim-start-fast", Severity::warning,
                            "something starts so fast that it moves further than its own size in a step"};
inline constexpr Code kNoiseUnused{"sim-noise-unused", Severity::warning, "a device with noise has no value to add it to"};
inline constexpr Code kDeviceLink{"sim-device-link", Severity::error,
                                  "a sensor names a link or a wheel that its robot does not have"};
inline constexpr Code kSensorRate{"sim-sensor-rate", Severity::warning,
                                  "a sensor's rate exceeds the number of steps per second: it measures once per step"};
inline constexpr Code kSensorLatency{"sim-sensor-latency", Severity::error,
                                     "sensors with latencies together have too many samples in transit"};
inline constexpr Code kArticulation{
    "sim-articulation", Severity::error,
    "the links of a robot with an Articulation do not form a valid tree, or are more than 1000"};
inline constexpr Code kNoGround{"sim-ground", Severity::warning, "there is no ground where something is placed"};

inline constexpr Code kNetwork{"sim-network", Severity::error,
                               "a CajunBot object file names waypoints and needs its road network (--rndf)"};
inline constexpr Code kNetworkUnused{"sim-network-unused", Severity::warning,
                                     "--rndf is for CajunBot object files; a scenario names its networks itself"};

inline constexpr Code kRoadWidth{"sim-road-width", Severity::error, "a kind of road is too wide"};
inline constexpr Code kRoad{"sim-road", Severity::error,
                            "a position names a road, a distance or a lane that the map does not have"};
inline constexpr Code kMapFar{"sim-map-far", Severity::warning, "a map lies far from the origin that its setup names"};
inline constexpr Code kMapAntimeridian{"sim-map-antimeridian", Severity::error, "a map lies across the antimeridian"};
inline constexpr Code kMapCropped{"sim-map-cropped", Severity::note,
                                  "parts of a map lie outside the terrain that its setup defines"};
inline constexpr Code kMapElevation{"sim-map-elevation", Severity::warning, "a map lies outside all of its elevation tiles"};
inline constexpr Code kMapGeoTiff{"sim-map-geotiff", Severity::note, "a map folder has a GeoTIFF, which is not read"};
inline constexpr Code kMapKinds{"sim-map-kinds", Severity::note,
                                "a map has kinds of road for cars that its setup does not list; a warning if no road is left"};
inline constexpr Code kMapWidths{"sim-map-widths", Severity::note,
                                 "roads of a map have a width or a number of lanes that cannot be used"};
inline constexpr Code kMapNarrow{"sim-map-narrow", Severity::note,
                                 "roads are narrower than in the setup, or buildings are left out, where both do not fit"};
inline constexpr Code kMapCrowded{"sim-map-crowded", Severity::error,
                                  "roads or areas of a map lie over one another too often, or are too long, to be laid out"};
inline constexpr Code kMapLevels{"sim-map-levels", Severity::note,
                                 "roads of a map are raised or lowered where others cross them"};
inline constexpr Code kSignals{"sim-signals", Severity::error,
                               "a robot is the traffic signals of a map, and there is no map, or it has none"};
inline constexpr Code kSensorFiles{"sim-sensor-files", Severity::warning,
                                   "sensor files of autonomous objects are not read: the objects have no sensors"};

inline constexpr Code kMissionPart{"sim-mission-part", Severity::error,
                                   "a robot lacks the part, propellers or drive that its mission needs"};
inline constexpr Code kMissionVehicle{"sim-mission-vehicle", Severity::error,
                                      "a mission has no LINE, ARC or POINT for this vehicle"};
inline constexpr Code kMissionDive{"sim-mission-dive", Severity::warning,
                                   "a mission dives, but its robot has no propeller that pushes up or down"};

inline constexpr Code kScannerRays{"sim-scanner-rays", Severity::error,
                                   "the scanners of a scenario have too many rays together"};
inline constexpr Code kScannerRate{"sim-scanner-rate", Severity::warning,
                                   "a LaserScanner's rate exceeds the number of steps per second: it scans once per step"};

inline constexpr Code kHouse{"sim-house", Severity::error,
                             "a position names a house that the map does not have, or several do"};
inline constexpr Code kWaypoint{"sim-waypoint", Severity::error,
                                "a position names a waypoint that its road network does not have, or no network"};
inline constexpr Code kNoMap{"sim-map-none", Severity::error, "a scenario of which a town is wanted has no map"};
inline constexpr Code kLossScenario{"sim-loss-scenario", Severity::warning,
                                    "robots and objects of a scenario are not exported with its map"};

inline constexpr const Code* kAll[] = {
    &kFile,          &kOutside,      &kOrigin,          &kOriginDiffers, &kShape,          &kControlDevice, &kControlInput,
    &kStep,          &kNoWheels,     &kNoPower,         &kWheelReach,    &kOverlap,        &kFixed,         &kFast,
    &kNoiseUnused,   &kNoGround,     &kArticulation,    &kSensorLatency, &kSensorRate,     &kDeviceLink,    &kNetwork,
    &kNetworkUnused, &kRoadWidth,    &kSensorFiles,     &kMissionPart,   &kMissionVehicle, &kMissionDive,   &kScannerRays,
    &kScannerRate,   &kMapFar,       &kMapAntimeridian, &kMapCropped,    &kMapNarrow,      &kRoad,          &kMapCrowded,
    &kMapLevels,     &kMapElevation, &kMapGeoTiff,      &kSignals,       &kLibrary,        &kHouse,         &kWaypoint,
    &kNoMap,         &kLossScenario, &kMapKinds,        &kMapWidths};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::scenario::code
