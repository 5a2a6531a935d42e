#pragma once
#include <span>

#include "lib/base/diagnostics.hpp"

/// Problems of the inputs that towns are made of.
namespace simbatch::mapgen::code {

inline constexpr Code kPicture{"mapgen-picture", Severity::error, "a height map is not a readable PNG, JPEG or BMP picture"};
inline constexpr Code kPictureSize{"mapgen-picture-size", Severity::error, "a height map has too few or too many values"};
inline constexpr Code kHeightText{"mapgen-height-text", Severity::error, "a text height map is not a rectangle of numbers"};
inline constexpr Code kHouse{"mapgen-house", Severity::warning, "a generated house node lacks a tag, or a tag is not a number"};

inline constexpr const Code* kAll[] = {&kPicture, &kPictureSize, &kHeightText, &kHouse};

}  // namespace simbatch::mapgen::code

namespace simbatch::mapgen {
/// The codes of this room.
inline std::span<const Code* const> codes() { return code::kAll; }
}  // namespace simbatch::mapgen
