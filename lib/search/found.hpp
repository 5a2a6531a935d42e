#pragma once
/// Writes the results of a search to files.

#include <string>
#include <vector>

#include "lib/search/search.hpp"

namespace simbatch::search {

/// Writes a variant's scenario to a file, its robots' changed files beside it as worst-1-car.xml, and copies what else it needs
/// from the case's folder, so that it can be moved and run without the study. Files that are there with the same bytes are left
/// alone; others are never overwritten, but for the output and the changed files. @param note  a comment of its own for the
/// file  @param output  "-": standard output
/// @return the files that were written beside it, relative to the output's folder; after a problem, which is reported, nothing
/// is written
/// @throws IoError
std::vector<std::string> write_found(const Case& subject, const TrialOptions& options, const Variant& variant,
                                     const std::string& note, const std::string& output, Diagnostics& problems);

/// All runs of a search as CSV (RFC 4180): run, the parameters, verdict, message, steps, state_hash, the margin of each
/// expectation, as in the table of a study.
std::string table_of(const Case& subject, const SearchResult& result);

}  // namespace simbatch::search
