// Export and import of the design as a table for people and other programs.

#include <algorithm>
#include <cmath>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "lib/study/codes.hpp"
#include "lib/study/csv.hpp"
#include "lib/study/study.hpp"

namespace simbatch::study {

std::string plan_csv(const Study& study) {
  std::string out = "run";
  for (const Parameter& parameter : study.parameters) out += "," + parameter.name;
  out += "\r\n";
  for (std::int64_t run = 0; run < run_count(study); ++run) {
    out += number_text(run);
    const std::vector<double> values = values_of(study, run);
    for (std::size_t i = 0; i < values.size(); ++i) out += "," + csv_cell(value_text(study.parameters[i], values[i]));
    out += "\r\n";
  }
  return out;
}

namespace {

class PlanReader {
 public:
  PlanReader(std::string_view text, const Study& study, Diagnostics& problems)
      : reader_(without_byte_order_mark(text)), study_(study), problems_(problems) {}

  std::vector<std::vector<double>> read() {
    std::vector<std::vector<double>> rows;
    if (!read_head()) return rows;
    std::vector<std::string> cells;
    while (reader_.next(cells)) {
      if (cells.size() == 1 && trimmed(cells[0]).empty()) continue;
      if (cells.size() != columns_) {
        report(0, "the row has " + number_text(cells.size()) + " cells, expected " + number_text(columns_) +
                      " as in the first line");
        continue;
      }
      if (rows.size() == static_cast<std::size_t>(kMaxRuns)) {
        report(0, "the table has more than " + number_text(kMaxRuns) + " runs");
        break;
      }
      std::vector<double>& row = rows.emplace_back();
      for (std::size_t i = 0; i < study_.parameters.size(); ++i) row.push_back(value(study_.parameters[i], places_[i], cells));
    }
    if (rows.empty() && !problems_.has_errors())
      problems_.report(code::kDesign, {1, 1}, "the table has no runs, expected a line for each below the names");
    return rows;
  }

 private:
  void report(std::size_t cell, std::string message) {
    const std::uint32_t column = cell < reader_.columns().size() ? reader_.columns()[cell] : 1;
    problems_.report(code::kDesign, {std::max(reader_.line(), 1u), column}, std::move(message));
  }

  bool read_head() {
    std::vector<std::string> names;
    reader_.next(names);
    columns_ = names.size();
    if (columns_ == 1 && names[0].find(';') != std::string::npos) {
      report(0, "the cells are separated by semicolons, expected commas");
      return false;
    }
    std::vector<std::string_view> known{"run"};
    for (const Parameter& parameter : study_.parameters) known.push_back(parameter.name);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string name(trimmed(names[i]));
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        const std::string_view near = nearest(name, known);
        report(i, "no parameter is called " + quoted(name) + (near.empty() ? "" : ", did you mean " + quoted(near) + "?"));
      }
    }
    for (const Parameter& parameter : study_.parameters) {
      const auto is_it = [&](const std::string& name) { return trimmed(name) == parameter.name; };
      const auto place = std::find_if(names.begin(), names.end(), is_it);
      if (place == names.end()) report(0, "the table has no column for the parameter " + quoted(parameter.name));
      if (std::count_if(names.begin(), names.end(), is_it) > 1)
        report(0, "the table has two columns " + quoted(parameter.name));
      places_.push_back(static_cast<std::size_t>(place - names.begin()));
    }
    return !problems_.has_errors();
  }

  double value(const Parameter& parameter, std::size_t cell, const std::vector<std::string>& cells) {
    const std::string_view text = trimmed(cells[cell]);
    if (!parameter.choices.empty()) {
      const auto choice = std::find(parameter.choices.begin(), parameter.choices.end(), text);
      if (choice == parameter.choices.end())
        report(cell, quoted(text) + " is not among the choices of " + quoted(parameter.name));
      return static_cast<double>(choice - parameter.choices.begin());
    }
    const auto number = parse_double(text);
    if (!number) {
      report(cell, quoted(text) + " is not a number, as " + quoted(parameter.name) + " is");
      return 0;
    }
    if (parameter.path == "seed" &&
        (number.value < 0 || number.value > 9007199254740992.0 || number.value != std::floor(number.value)))
      report(cell, "a seed is a whole number from 0 to 2^53, found " + number_text(number.value));
    else if ((parameter.path == "dt" || parameter.path == "duration") && !(number.value > 0))
      report(cell, parameter.path + " is in seconds, expected more than 0, found " + number_text(number.value));
    return number.value;
  }

  detail::CsvReader reader_;
  const Study& study_;
  Diagnostics& problems_;
  std::size_t columns_ = 0;
  std::vector<std::size_t> places_;  // column indices of the parameters
};

}  // namespace

Parsed<std::vector<std::vector<double>>> read_plan(std::string_view text, const std::string& file, const Study& study) {
  Parsed<std::vector<std::vector<double>>> result{std::nullopt, Diagnostics(file)};
  result.value = PlanReader(text, study, result.diagnostics).read();
  return result;
}

}  // namespace simbatch::study
