#pragma once
/// Journals: results of a study's finished runs as text files, which survive crashes (docs/studies.md). Internal to this room.
///
/// A journal begins with header lines for all inputs of the results ("# NAME DIGEST"), followed by one line per run, in order
/// of completion: its row of the table, and the wall clock time that it took (s).

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/study/point.hpp"

namespace simbatch::study::detail {

/// A run's row of the table.
struct JournalRow {
  std::string text;    ///< with its line end
  double seconds = 0;  ///< of wall clock, >= 0, to the millisecond; not part of the results, which are the same every time
  friend bool operator==(const JournalRow&, const JournalRow&) = default;
};
/// The rows of a study by run number.
using Rows = std::map<std::int64_t, JournalRow>;

/// Number of values in a row after its state hash.
struct RowShape {
  std::size_t metrics = 0, margins = 0;
};

/// Finds the runs of a study that a row belongs to. The rows of a grid or a table are identified by their values alone, so that
/// a design keeps its results, under new run numbers, when values are added; all others must match in number as well.
class RowFinder {
 public:
  /// @param study  must outlive this
  RowFinder(const Study& study, RowShape shape) : study_(study), shape_(shape) {}
  /// Adds the row to `rows` for each run that has its values and no row yet. A line that is not a row of this study (in an
  /// edited journal) is ignored.
  void take(const JournalRow& row, Rows& rows);

 private:
  const Study& study_;
  RowShape shape_;
  std::map<std::string, std::vector<std::int64_t>> by_values_;  // made for the first row whose number is another run's
};

/// The header line of the table.
std::string header_row(const Study& study, const Points& points);
/// The part of a row after the parameters: verdict, message, steps, state hash, metrics, margins.
std::string row_end(const PointResult& result);
/// @param end  row_end()
std::string whole_row(const Study& study, std::int64_t run, const std::string& end);
/// The verdict of a row. @param parameters  number of them
RunVerdict verdict_of(const std::string& row, const Study& study);

/// The line of a journal.
std::string journal_line(const JournalRow& row);
/// The header lines of the journal.
std::string journal_head(const Study& study, const Points& points);
/// Reads the rows from a journal's text. @param file  for messages
/// @return false if the journal belongs to another study, which is reported along with what differs
bool read_journal(std::string_view text, const std::string& file, const std::string& head, RowFinder& finder, Rows& rows,
                  Diagnostics& problems);
/// Reads the rows of all journals in a folder. A last line without a line end, left by a killed process, is ignored, and so is
/// a line that is not a row of this study (in an edited journal).
/// @return false if journals belong to another study, which is reported along with what differs
bool read_journals(const std::string& folder, const std::string& head, const Study& study, const Points& points, Rows& rows,
                   Diagnostics& problems);
/// Removes all journals in the folder.
void remove_journals(const std::string& folder);

/// Appends rows to a journal; flushes after each row.
class Journal {
 public:
  /// Opens or creates a journal. An existing one is continued after its last complete line.
  /// @throws IoError
  Journal(const std::string& path, const std::string& head);
  /// @throws IoError
  void append(const std::string& text);

 private:
  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace simbatch::study::detail
