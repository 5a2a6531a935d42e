#pragma once
/// Journals: what the finished runs of a study gave, as text that survives the program (docs/studies.md). Internal to this room.
///
/// A journal begins with lines that say what the results depend on ("# NAME DIGEST"), then has a line for each run, in the order in which they ended.

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/study/point.hpp"

namespace simbatch::study::detail {

/// The rows of a study by their runs' numbers, each with its line end.
using Rows = std::map<std::int64_t, std::string>;

/// The table's first line.
std::string header_row(const Study& study, const Points& points);
/// A row's part after the parameters: verdict, message, steps, state hash, metrics, margins.
std::string row_end(const PointResult& result);
/// @param end  row_end()
std::string whole_row(const Study& study, std::int64_t run, const std::string& end);
/// The verdict of a row. @param parameters  number of them
RunVerdict verdict_of(const std::string& row, const Study& study);

/// The journal's first lines.
std::string journal_head(const Study& study, const Points& points);
/// Takes the rows of all journals of a folder. A last line without its end was cut by a kill and does not count.
/// A line that is not a row of this study (an edited journal) does not either.
/// @return false after journals of another study, which are reported with what differs
bool read_journals(const std::string& folder, const std::string& head, const Study& study, const Points& points, Rows& rows,
                   Diagnostics& problems);
/// Removes them.
void remove_journals(const std::string& folder);

/// Appends rows to a journal; each is given to the system before the next.
class Journal {
 public:
  /// A journal whose last line was cut goes on after its last whole line.
  /// @throws IoError
  Journal(const std::string& path, const std::string& head);
  /// @throws IoError
  void append(const std::string& text);

 private:
  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace simbatch::study::detail
