#pragma once
/// What the comparisons with the libraries of others share: numbers side by side, and the files of a folder.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace simbatch::peers {

struct Tally {
  std::size_t faults = 0, compared = 0;
};
inline Tally tally;

inline void fault(const std::string& where, const std::string& what) {
  ++tally.faults;
  std::printf("%s: %s\n", where.c_str(), what.c_str());
}

/// @param tolerance  of `theirs`, and absolute below 1
inline void check(const std::string& where, const char* what, double ours, double theirs, double tolerance = 1e-9) {
  ++tally.compared;
  if (std::abs(ours - theirs) <= tolerance * std::max(1.0, std::abs(theirs))) return;
  ++tally.faults;
  std::printf("%s: %s: %.17g, theirs is %.17g\n", where.c_str(), what, ours, theirs);
}

/// In order; none, and a line that says so, if there is no such folder. @param suffix  ".sdf"
inline std::vector<std::string> files_below(const std::string& folder, const std::string& suffix) {
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == suffix) files.push_back(entry->path().string());
  std::sort(files.begin(), files.end());
  if (files.empty()) std::printf("skipped: no %s file below %s\n", suffix.c_str(), folder.c_str());
  return files;
}

/// Compares all such files below the folder that a program was given; with "all" as its second argument every one must be for both.
/// @param compare  false: one that is not for both
/// @return the program's status
inline int compare_files(int argc, char** argv, const std::string& suffix, bool (*compare)(const std::string& file)) {
  const std::vector<std::string> files = files_below(argc > 1 ? argv[1] : "", suffix);
  std::size_t read = 0;
  for (const std::string& file : files) read += compare(file) ? 1 : 0;
  std::printf("%zu files, %zu read by both, %zu numbers compared, %zu faults\n", files.size(), read, tally.compared,
              tally.faults);
  const bool needs_all = argc > 2 && std::string(argv[2]) == "all";
  return tally.faults == 0 && (needs_all ? read == files.size() && read > 0 : files.empty() || read > 0) ? 0 : 1;
}

}  // namespace simbatch::peers
