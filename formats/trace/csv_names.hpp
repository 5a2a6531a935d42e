#pragma once
/// Names of files in a CSV folder.

#include <string>
#include <vector>

#include "formats/trace/trace.hpp"

namespace simbatch::trace::detail {

inline constexpr const char* kIndexName = "trace.json";

/// A file name for each device: its name with '/' and '%' as %XX and ".csv"; long names are cut and end in a hash; names
/// that differ only in case get a number.
std::vector<std::string> csv_names(const std::vector<Device>& devices);

/// The files of the CSV trace in a folder: the index and its tables, by name. Empty if there is no trace.
std::vector<std::string> csv_files(const std::string& folder);

}  // namespace simbatch::trace::detail
