// Computes every row at every rate, fails where an error exceeds its bound or grows as dt falls, and compares the table with
// the page.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "tests/closed_forms/table.hpp"

using namespace simbatch::closed_forms;

namespace {

constexpr std::string_view kBegin = "<!-- closed forms: test_closed_forms --update -->\n",
                           kEnd = "<!-- end of closed forms -->\n";

struct Result {
  std::vector<double> values, errors;  // per rate; errors as a share of the scale
};

Result compute(const Row& row) {
  Result r;
  const double scale = row.scale > 0 ? row.scale : std::abs(row.exact);
  for (const double hz : kRates) {
    r.values.push_back(row.value(hz));
    r.errors.push_back(std::abs(r.values.back() - row.exact) / scale);
  }
  return r;
}

std::string number(double v) { return fmt::format("{:.5g}", v == 0 ? 0.0 : v); }

std::string order(const Row& row, const Result& r) {
  const double first = r.errors.front(), last = r.errors.back();
  if (first < row.rounding) return "exact";
  if (last < row.rounding) return "> 3";
  return fmt::format("{:.1f}", std::log(first / last) / std::log(kRates[3] / kRates[0]));
}

std::string line(const Row& row, const Result& r) {
  std::string text =
      fmt::format("| {} | {} | {}{}{} |", row.what, row.formula, number(row.exact), row.unit.empty() ? "" : " ", row.unit);
  for (std::size_t i = 0; i < r.values.size(); ++i)
    text += r.errors[i] < row.rounding ? fmt::format(" {} |", number(row.exact))
                                       : fmt::format(" {} ({:.2g} %) |", number(r.values[i]), 100 * r.errors[i]);
  return text + " " + order(row, r) + " |\n";
}

// Complaints about a row; empty if it holds.
std::string judge(const Row& row, const Result& r) {
  std::string text;
  for (std::size_t i = 0; i < r.errors.size(); ++i) {
    const bool finite = std::isfinite(r.errors[i]);
    const double bound = kRates[i] < 240 ? row.bound : row.bound / 3;  // what of first order falls to a quarter
    if (!finite || r.errors[i] > std::max(bound, row.rounding))
      text += fmt::format("{}: error {:.3g} at {} Hz is over its bound {:.3g}\n", row.what, r.errors[i], kRates[i], bound);
    if (finite && i > 0 && r.errors[i] > std::max(row.scatter * r.errors[i - 1], row.rounding))
      text +=
          fmt::format("{}: error grows from {:.3g} to {:.3g} at {} Hz\n", row.what, r.errors[i - 1], r.errors[i], kRates[i]);
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const bool update = argc == 3 && std::strcmp(argv[1], "--update") == 0;
  if (argc != (update ? 3 : 2)) {
    std::cerr << "test_closed_forms [--update] PAGE\n";
    return 2;
  }
  const char* path = argv[argc - 1];
  Table table;
  add_falls(table);
  add_contacts(table);
  add_rotations(table);
  add_links(table);
  add_fluids(table);
  std::string text =
      "| what | closed form | exact | 60 Hz | 120 Hz | 240 Hz | 1000 Hz | order |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  std::string complaints;
  for (const Row& row : table) {
    const Result r = compute(row);
    text += line(row, r);
    complaints += judge(row, r);
  }
  std::ifstream in(path, std::ios::binary);
  const std::string page(std::istreambuf_iterator<char>(in), {});
  const std::size_t begin = page.find(kBegin), end = page.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos) complaints += "the page has no place for the table\n";
  if (!complaints.empty()) {
    std::cerr << complaints << text;
    return 1;
  }
  const std::string wanted = page.substr(0, begin + kBegin.size()) + text + page.substr(end);
  if (update) {
    std::ofstream(path, std::ios::binary) << wanted;
  } else if (wanted != page) {
    std::cerr << "the table of the page is not what the simulator computes; test_closed_forms --update " << path << " writes:\n"
              << text;
    return 1;
  }
}
