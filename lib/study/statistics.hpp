#pragma once
/// What many runs say together. Internal to this room; wilson() is in study.hpp.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lib/study/table.hpp"

namespace simbatch::study::detail {

/// The value below which the share `p` of a sample lies: linear between order statistics (R. Hyndman, Y. Fan, Sample quantiles in statistical packages,
/// The American Statistician 50, 1996, definition 7, which R, NumPy and pandas have). @pre sorted, not empty; 0 <= p <= 1
double quantile(std::span<const double> sorted, double p);

/// How a column's finite values are spread; absent values and infinite margins are left out.
struct Spread {
  std::int64_t n = 0;
  double mean = 0, least = 0, low = 0, quarter = 0, median = 0, three_quarters = 0, high = 0,
         greatest = 0;  ///< low, high: 5 %, 95 %
};
Spread spread_of(std::vector<double> values);

/// Runs that have the same value of a parameter, or one in the same fifth of its range.
struct Group {
  std::string label;  ///< "0.9", "wet", "0.2 to 0.36"
  std::int64_t n = 0, pass = 0;
};
/// Of a parameter, in ascending order; without those that no run is in.
std::vector<Group> groups_of(const Study& study, std::size_t parameter, const std::vector<TableRow>& rows);

/// A row's least margin; empty: it has none (the run broke). Broken runs are worst of all.
std::optional<double> least_margin(const TableRow& row);
/// Indices of the rows that do not pass, broken ones first, then by their least margin, then by run; at most `most`.
std::vector<std::size_t> worst_of(const std::vector<TableRow>& rows, std::size_t most);

}  // namespace simbatch::study::detail
