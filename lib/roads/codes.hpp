#pragma once
/// Diagnostic codes of height maps and of the houses of a town. Codes never change: "mapgen" is the former name of this room
/// and lib/town.

#include "base/core/diagnostics.hpp"

namespace simbatch::roads::code {

inline constexpr Code kPicture{"mapgen-picture", Severity::error, "a height map is not a readable PNG, JPEG or BMP picture"};
inline constexpr Code kPictureSize{"mapgen-picture-size", Severity::error, "a height map has too few or too many values"};
inline constexpr Code kHeightText{"mapgen-height-text", Severity::error, "a text height map is not a rectangle of numbers"};
inline constexpr Code kHgtName{"mapgen-hgt-name", Severity::error, "an elevation tile is not named by its corner"};
inline constexpr Code kHgtSize{"mapgen-hgt-size", Severity::error, "an elevation tile has the wrong size, or no data"};
inline constexpr Code kHgtVoid{"mapgen-hgt-void", Severity::note, "places of a map have no data in the elevation tiles"};
inline constexpr Code kHgtRange{"mapgen-hgt-range", Severity::warning,
                                "an elevation tile has heights that the earth does not have; an error if it has no others"};
inline constexpr Code kHouse{"mapgen-house", Severity::warning, "a generated house node lacks a tag, or a tag is not a number"};

inline constexpr Code kLossWay{"mapgen-loss-way", Severity::warning,
                               "ways of kinds that the setup does not list are not exported"};
inline constexpr Code kLossBuilding{"mapgen-loss-building", Severity::warning,
                                    "buildings without walls, or whose outline is not closed, are not exported"};
inline constexpr Code kLossArea{"mapgen-loss-area", Severity::warning, "areas whose outline is not closed are not exported"};
inline constexpr Code kLossGround{"mapgen-loss-ground", Severity::warning,
                                  "heights of the ground are exported only where there is something on it"};

inline constexpr const Code* kAll[] = {&kPicture, &kPictureSize, &kHeightText,   &kHgtName,  &kHgtSize,    &kHgtVoid,
                                       &kHouse,   &kLossWay,     &kLossBuilding, &kLossArea, &kLossGround, &kHgtRange};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::roads::code
