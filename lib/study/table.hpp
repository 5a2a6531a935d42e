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
};
/// Empty if the row does not fit the study (from an edited journal).
std::optional<TableRow> read_row(const std::string& row, const Study& study, const Points& points);

/// Writes results.csv, results.parquet, report.html and report.svg. @throws IoError
void write_tables(const Study& study, const Points& points, const Rows& rows, const std::string& folder);
std::string results_csv(const Study& study, const Points& points, const Rows& rows);
std::string results_parquet(const Study& study, const Points& points, const std::vector<TableRow>& rows);

}  // namespace simbatch::study::detail
