#pragma once
/// Converts recordings to traces using their own description, without the scenario.

#include <cstdint>
#include <string>

#include "base/core/diagnostics.hpp"
#include "formats/trace/parts.hpp"
#include "formats/trace/trace.hpp"
#include "lib/sim/record/recording.hpp"

namespace simbatch::sim {

/// The trace with a row for each frame of the steps from `first` to `last`, both included: only these frames are read. Texts of
/// GPS receivers are made from their numbers; texts of other nodes are empty. A value that is not finite is reported (kFormat).
/// @pre view.description
Parsed<trace::Trace> trace_of(const RecordingView& view, const std::string& file_name, std::int64_t first = 0,
                              std::int64_t last = INT64_MAX);

/// The same part by part: frames outside of the wanted steps are not read. The result's format is of no meaning.
/// @pre view.description @param release  of bytes of the frames, counted from their beginning
trace::PartsRead trace_parts(const RecordingView& view, const std::string& file_name, trace::PartReceiver& receiver,
                             const trace::ReleaseBytes& release = {});

/// A row as a JSON object of name -> {"kind","values":{field:value}}, as nodes_json() has it.
std::string row_json(const trace::Trace& trace, std::size_t row);

}  // namespace simbatch::sim
