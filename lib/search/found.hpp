#pragma once
/// Writes the results of a search to files.

#include <string>
#include <vector>

#include "lib/search/search.hpp"

namespace simbatch::search {

/// Writes a scenario to a file and copies the files that it needs from the case's folder next to it, so that it can be moved
/// and run without the study. Existing files with the same bytes are kept; others are never overwritten, except the output
/// itself. @param note  a comment for the file
/// @return the copied files, relative to the output's folder; nothing is written after a reported problem
/// @throws IoError
std::vector<std::string> write_found(const Case& subject, const TrialOptions& options, const std::string& text,
                                     const std::string& note, const std::string& output, Diagnostics& problems);

/// All runs of a search as CSV (RFC 4180): run, the parameters, verdict, message, steps, state_hash, the margin of each
/// expectation, as in the table of a study.
std::string table_of(const Case& subject, const SearchResult& result);

}  // namespace simbatch::search
