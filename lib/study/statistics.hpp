#pragma once
/// Statistics over many runs. Internal to this room; wilson() is in study.hpp.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lib/study/table.hpp"

namespace simbatch::study::detail {

/// The p-quantile of a sample, linearly interpolated between order statistics (R. Hyndman, Y. Fan, Sample quantiles in
/// statistical packages, The American Statistician 50, 1996, definition 7, the default of R, NumPy and pandas). @pre sorted,
/// not empty; 0 <= p <= 1
double quantile(std::span<const double> sorted, double p);

/// Distribution of a column's finite values; absent values and infinite margins are excluded.
struct Spread {
  std::int64_t n = 0;
  double mean = 0, least = 0, low = 0, quarter = 0, median = 0, three_quarters = 0, high = 0,
         greatest = 0;  ///< low, high: 5 %, 95 %
};
Spread spread_of(std::vector<double> values);

/// Runs with the same value of a parameter, or with values in the same fifth of its range.
struct Group {
  std::string label;  ///< "0.9", "wet", "0.2 to 0.36"
  std::int64_t n = 0, pass = 0;
};
/// The nonempty groups of a parameter, in ascending order.
std::vector<Group> groups_of(const Study& study, std::size_t parameter, const std::vector<TableRow>& rows);

/// A row's least margin; empty if it has none (a broken run). Broken runs rank as the worst.
std::optional<double> least_margin(const TableRow& row);
/// Indices of the rows that do not pass, at most `most`: broken ones first, then by their least margin, then by their second
/// least (the margin of a failed event is minus infinity), then by run.
std::vector<std::size_t> worst_of(const std::vector<TableRow>& rows, std::size_t most);

}  // namespace simbatch::study::detail
