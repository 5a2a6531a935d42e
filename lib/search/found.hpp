#pragma once
/// Writes the results of a search to files.

#include <string>
#include <vector>

#include "lib/search/search.hpp"

namespace simbatch::search {

/// Writes a variant's scenario to a file and its robots' changed files next to it as worst-1-car.xml, and copies everything
/// else it needs from the case's folder, so that it can be moved and run without the study. Existing files with the same bytes
/// are left alone; different ones are never overwritten, except for the output and the changed files.
/// @param note    comment to put into the file
/// @param output  "-": standard output
/// @return the other files that were written, relative to the output's folder; after a reported problem nothing is written
/// @throws IoError
std::vector<std::string> write_found(const Case& subject, const TrialOptions& options, const Variant& variant,
                                     const std::string& note, const std::string& output, Diagnostics& problems);

/// All runs of a search as CSV (RFC 4180): run, the parameters, verdict, message, steps, state_hash, the margin of each
/// expectation, as in the table of a study.
std::string table_of(const Case& subject, const SearchResult& result);

}  // namespace simbatch::search
