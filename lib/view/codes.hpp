#pragma once
/// Diagnostic codes of replay pages, glTF and GPX export.

#include "base/core/diagnostics.hpp"

namespace simbatch::view_code {

inline constexpr Code kPoses{"view-poses", Severity::warning,
                             "poses that a trace lacks are those of another run than the trace's"};
inline constexpr Code kLarge{"view-too-large", Severity::error, "a glTF file would be larger than 4 GiB"};
inline constexpr Code kNoGps{"view-no-gps", Severity::error, "a trace from which GPS tracks are to be made has none"};
inline constexpr Code kGpsPlace{"view-gps-place", Severity::warning,
                                "places that are not on the earth are left out of a GPS track"};

inline constexpr const Code* kAll[] = {&kPoses, &kLarge, &kNoGps, &kGpsPlace};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::view_code
