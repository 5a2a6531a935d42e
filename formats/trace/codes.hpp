#pragma once
/// Diagnostic codes of traces.

#include "base/core/diagnostics.hpp"

namespace simbatch::trace::code {

inline constexpr Code kSyntax{"trace-syntax", Severity::error, "the text is not JSON, or not a table of a CSV folder"};
inline constexpr Code kSchema{"trace-schema", Severity::error,
                              "the document is not a trace of this version, or a member is missing or of a wrong type"};
inline constexpr Code kShape{"trace-shape", Severity::error, "columns, rows and declared fields do not match"};
inline constexpr Code kCut{"trace-cut", Severity::warning, "the trace has no end: the run was killed or is still running"};
inline constexpr Code kParquet{"trace-parquet", Severity::error,
                               "the file is not a Parquet table as traces are written: its bytes, types or columns"};
inline constexpr Code kMcap{"trace-mcap", Severity::error,
                            "the file is not an MCAP file as traces are written: its records, schemas or messages"};
inline constexpr Code kArchive{"trace-archive", Severity::error,
                               "an NPZ or MAT file, or a scene, is damaged or not one that traces are written to"};
inline constexpr const Code* kAll[] = {&kSyntax, &kSchema, &kShape, &kCut, &kParquet, &kMcap, &kArchive};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::trace::code
