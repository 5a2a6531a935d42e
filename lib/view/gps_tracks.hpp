#pragma once
/// What the GPS devices of a run measured, as tracks for maps.

#include "base/core/diagnostics.hpp"
#include "formats/gpx/gpx.hpp"
#include "formats/trace/trace.hpp"

namespace simbatch::view {

/// A track for each GPSSensor with its fields `latitude` and `longitude` (degrees) and, if it is in the trace, `utc` (s), in
/// the order of the trace. A row that repeats the one before is the same fix, and appears once. Rows whose place is not on the
/// earth are left out, with a warning (view-gps-place); a trace in which no GPS has measured anything is an error
/// (view-no-gps).
gpx::Document gps_tracks(const trace::Trace& rows, Diagnostics& problems);

}  // namespace simbatch::view
