#include "lib/study/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace simbatch::study {

Share wilson(std::int64_t successes, std::int64_t n) {
  constexpr double z = 1.959963984540054;  // 97.5 % quantile of the normal distribution
  const auto count = static_cast<double>(n);
  const double p = static_cast<double>(successes) / count;
  const double middle = (p + z * z / (2 * count)) / (1 + z * z / count);
  const double half = z / (1 + z * z / count) * std::sqrt(p * (1 - p) / count + z * z / (4 * count * count));
  // For p = 0 and 1 the exact limits are 0 and 1, which rounding would miss.
  return {p, successes == 0 ? 0 : std::max(0.0, middle - half), successes == n ? 1 : std::min(1.0, middle + half)};
}

bool enough_pass(std::int64_t pass, std::int64_t n, const std::optional<double>& share) {
  // 0.7 of 10 is 7, although 0.7 * 10 is slightly more.
  constexpr double kSlack = 1e-9;
  return share ? static_cast<double>(pass) >= *share * static_cast<double>(n) - kSlack : pass == n;
}

namespace detail {

double quantile(std::span<const double> sorted, double p) {
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

Spread spread_of(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  Spread spread;
  if (values.empty()) return spread;
  for (const double v : values) spread.mean += v / static_cast<double>(values.size());
  std::sort(values.begin(), values.end());
  spread.n = static_cast<std::int64_t>(values.size());
  spread.least = values.front();
  spread.low = quantile(values, 0.05);
  spread.quarter = quantile(values, 0.25);
  spread.median = quantile(values, 0.5);
  spread.three_quarters = quantile(values, 0.75);
  spread.high = quantile(values, 0.95);
  spread.greatest = values.back();
  return spread;
}

namespace {

constexpr std::size_t kMaxSingleValueGroups = 12;  // up to this many distinct values of a parameter form groups of their own
constexpr int kParts = 5;

std::vector<Group> by_value(const Parameter& parameter, std::size_t index, const std::vector<TableRow>& rows) {
  std::map<double, Group> groups;
  for (const TableRow& row : rows) {
    Group& group = groups[row.values[index]];
    if (group.n++ == 0) group.label = value_text(parameter, row.values[index]);
    group.pass += row.verdict == RunVerdict::pass;
  }
  std::vector<Group> list;
  for (auto& [value, group] : groups) list.push_back(std::move(group));
  return list;
}

}  // namespace

std::vector<Group> groups_of(const Study& study, std::size_t parameter, const std::vector<TableRow>& rows) {
  const Parameter& p = study.parameters[parameter];
  std::map<double, int> values;
  for (const TableRow& row : rows)
    if (values.size() <= kMaxSingleValueGroups) values[row.values[parameter]] = 0;
  if (values.size() <= kMaxSingleValueGroups) return by_value(p, parameter, rows);
  double low = rows.front().values[parameter], high = low;
  for (const TableRow& row : rows) {
    low = std::min(low, row.values[parameter]);
    high = std::max(high, row.values[parameter]);
  }
  const bool is_log = p.scale == Parameter::Scale::log && low > 0;
  const auto place = [is_log](double v) { return is_log ? std::log(v) : v; };
  const auto edge = [&](int i) {
    const double at = place(low) + (place(high) - place(low)) * i / kParts;
    return is_log ? std::exp(at) : at;
  };
  std::vector<Group> groups(kParts);
  for (int i = 0; i < kParts; ++i)
    groups[static_cast<std::size_t>(i)].label = fmt::format("{:.4g} to {:.4g}", edge(i), edge(i + 1));
  for (const TableRow& row : rows) {
    const double share = (place(row.values[parameter]) - place(low)) / (place(high) - place(low));
    Group& group = groups[static_cast<std::size_t>(std::clamp(static_cast<int>(share * kParts), 0, kParts - 1))];
    ++group.n;
    group.pass += row.verdict == RunVerdict::pass;
  }
  std::erase_if(groups, [](const Group& group) { return group.n == 0; });
  return groups;
}

std::optional<double> least_margin(const TableRow& row) {
  std::optional<double> least;
  for (const auto& margin : row.margins)
    if (margin && (!least || *margin < *least)) least = margin;
  return least;
}

std::vector<std::size_t> worst_of(const std::vector<TableRow>& rows, std::size_t most) {
  std::vector<std::size_t> worst;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].verdict != RunVerdict::pass) worst.push_back(i);
  const auto is_broken = [&](std::size_t i) { return rows[i].verdict != RunVerdict::fail; };
  std::vector<std::vector<double>> margins(rows.size());  // least first
  for (const std::size_t i : worst) {
    for (const auto& margin : rows[i].margins)
      if (margin) margins[i].push_back(*margin);
    std::sort(margins[i].begin(), margins[i].end());
    if (margins[i].empty()) margins[i].push_back(-std::numeric_limits<double>::infinity());
  }
  std::stable_sort(worst.begin(), worst.end(), [&](std::size_t a, std::size_t b) {
    if (is_broken(a) != is_broken(b)) return is_broken(a);
    return margins[a] < margins[b];
  });
  worst.resize(std::min(worst.size(), most));
  return worst;
}

}  // namespace detail
}  // namespace simbatch::study
