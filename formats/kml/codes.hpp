#pragma once
/// The problems of KML files.

#include "base/core/diagnostics.hpp"

namespace simbatch::kml::code {

inline constexpr Code kCoordinates{"kml-coordinates", Severity::error,
                                   "a coordinate is not longitude,latitude[,altitude] in degrees and meters"};
inline constexpr Code kLine{"kml-line", Severity::error, "a LineString has fewer than two places"};

inline constexpr Code kSkipped{"kml-skipped", Severity::warning, "a shape that is not a path is skipped"};

inline constexpr const Code* kAll[] = {&kCoordinates, &kLine, &kSkipped};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::kml::code
