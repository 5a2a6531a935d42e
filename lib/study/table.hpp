#pragma once
/// The tables of a completed study. Internal to this room.

#include <optional>
#include <string>
#include <vector>

#include "lib/study/journal.hpp"

namespace simbatch::study::detail {

/// A parsed row.
struct TableRow {
  std::int64_t run = 0;
  std::vector<double> values;  ///< of the parameters
  RunVerdict verdict = RunVerdict::error;
  std::string message;
  std::int64_t steps = 0;
  std::string state_hash;
  std::vector<std::optional<double>> metrics, margins;
  double seconds = 0;  ///< of wall clock; read_row() does not know it
};
/// Empty if the row is not, byte for byte, what whole_row() writes for this study, e.g. in an edited journal.
/// @param text  including its line end
std::optional<TableRow> read_row(const std::string& text, const Study& study, RowShape shape);
std::optional<TableRow> read_row(const std::string& text, const Study& study, const Points& points);

/// Writes results.csv, results.parquet, report.html, report.svg, and JUnit XML if the options want it. @throws IoError
/// @return the runs that the report links
std::vector<std::int64_t> write_tables(const Study& study, const Points& points, const Rows& rows, const StudyOptions& options);
/// The results as JUnit XML: a testcase for each run or, if there are more than kMaxCases, one for each expectation and one for
/// broken runs. StudyOptions::min_pass adds one for the pass rate; if that is high enough, runs that do not pass are marked as
/// skipped, with their messages, so that the report shows no failure when the exit code is 0.
std::string study_junit(const Study& study, const Points& points, const std::vector<TableRow>& rows,
                        const StudyOptions& options);
inline constexpr std::size_t kMaxCases = 1000;
std::string results_csv(const Study& study, const Points& points, const Rows& rows);
std::string results_parquet(const Study& study, const Points& points, const std::vector<TableRow>& rows);

}  // namespace simbatch::study::detail
