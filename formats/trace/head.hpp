#pragma once
/// A trace without its rows, as JSON: for what keeps the rows in another form (docs/formats/trace.md).

#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/trace/trace.hpp"

namespace simbatch::trace {

/// The document of a trace without `step`, `time` and `data`: header, hashes and end.
std::string head_document(const Header& header, const std::vector<HashPoint>& hashes, const End& end);

/// Reads it; the columns are there, and empty. Without an end: with a warning (kCut).
Parsed<Trace> read_head(std::string_view text, const std::string& file_name);

}  // namespace simbatch::trace
