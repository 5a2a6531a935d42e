#pragma once
/// Readers of traces, for diff, verify and convert.

#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "formats/trace/trace.hpp"
#include "formats/trace/write.hpp"

namespace simbatch::trace {

/// The JSON document. Unknown members are skipped. Reading ends at the first problem: a trace is written by a program, so
/// further problems are of no interest. Memory is at most a few times the text.
Parsed<Trace> read_json(std::string_view text, const std::string& file_name);

/// A line for each step. A truncated last line is dropped with a warning (kCut), so that the trace of a killed or running
/// simulation can be read.
Parsed<Trace> read_ndjson(std::string_view text, const std::string& file_name);

/// A folder with trace.json and its tables, which must be regular files. @throws IoError
Parsed<Trace> read_csv(const std::string& folder);

/// A Parquet file of ours (docs/formats/trace.md): the columns of a table, the rest in its metadata. The place of a problem is
/// a byte, named in its message.
Parsed<Trace> read_parquet(std::string_view bytes, const std::string& file_name);

/// An MCAP file of ours (docs/formats/mcap.md), whole or cut. The place of a problem is a byte, named in its message.
Parsed<Trace> read_mcap(std::string_view bytes, const std::string& file_name);

struct ReadTrace {
  Parsed<Trace> trace;
  Format format = Format::json;
};
/// A trace in any form: a folder is CSV; a file that begins with PAR1 is Parquet, with MCAP's mark MCAP; one whose first member
/// is "header" is NDJSON, any other JSON. @throws IoError
ReadTrace read_trace(const std::string& path);

}  // namespace simbatch::trace
