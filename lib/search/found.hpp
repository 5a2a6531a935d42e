#pragma once
/// What a search has found, as files.

#include <string>
#include <vector>

#include "lib/search/search.hpp"

namespace simbatch::search {

/// Writes a scenario to a file and copies what it needs from the case's folder beside it, so that it can be moved and run without the study. Files that are there
/// with the same bytes are left alone; others are never overwritten, but for the output itself. @param note  a comment of its own for the file
/// @return the files that were copied, relative to the output's folder; after a problem, which is reported, nothing is written
/// @throws IoError
std::vector<std::string> write_found(const Case& subject, const TrialOptions& options, const std::string& text,
                                     const std::string& note, const std::string& output, Diagnostics& problems);

/// All runs of a search as CSV (RFC 4180): run, the parameters, verdict, message, steps, state_hash, the margin of each expectation, as a study's table has them.
std::string table_of(const Case& subject, const SearchResult& result);

}  // namespace simbatch::search
