#include "lib/study/table.hpp"

#include <filesystem>

#include "base/core/atomic_file.hpp"
#include "base/core/number.hpp"
#include "base/parquet/write.hpp"
#include "lib/study/csv.hpp"
#include "lib/study/report.hpp"
#include "simbatch_version.hpp"

namespace simbatch::study::detail {
namespace {

/// One parquet column of the values that `get` takes from each row.
template <class Values, class Get>
parquet::Column column_of(const std::string& name, const std::vector<TableRow>& rows, Get get) {
  Values values;
  values.reserve(rows.size());
  for (const TableRow& row : rows) values.push_back(get(row));
  return {name, std::move(values)};
}

/// "town.osm 0123456789abcdef", one per line.
std::string lines_of(const std::vector<Points::Input>& inputs) {
  std::string text;
  for (const Points::Input& input : inputs) text += input.name + " " + input.digest + "\n";
  return text;
}

}  // namespace

std::optional<TableRow> read_row(const std::string& text, const Study& study, RowShape shape) {
  constexpr std::size_t kFixed = 5;  // run, verdict, message, steps, state_hash
  CsvReader reader(text);
  std::vector<std::string> cells;
  reader.next(cells);
  const std::size_t parameters = study.parameters.size();
  if (cells.size() != kFixed + parameters + shape.metrics + shape.margins) return std::nullopt;
  TableRow row;
  const auto run = parse_integer<std::int64_t>(cells[0]);
  if (!run || run.value < 0 || run.value >= run_count(study)) return std::nullopt;
  row.run = run.value;
  row.values = values_of(study, row.run);
  // The row is copied verbatim, so it must be valid CSV: an unclosed quote would swallow the rows after it.
  std::string end;
  for (std::size_t i = 1 + parameters; i < cells.size(); ++i) end += (i == 1 + parameters ? "" : ",") + csv_cell(cells[i]);
  if (whole_row(study, row.run, end) != text) return std::nullopt;
  std::size_t at = 1 + parameters;
  row.verdict = verdict_of(text, study);
  row.message = cells[at + 1];
  const auto steps = parse_integer<std::int64_t>(cells[at + 2]);
  row.state_hash = cells[at + 3];
  const bool is_hash = row.state_hash.empty() || (row.state_hash.size() == 16 &&
                                                  row.state_hash.find_first_not_of("0123456789abcdef") == std::string::npos);
  if (to_text(row.verdict) != cells[at] || !steps || steps.value < 0 || !is_hash) return std::nullopt;
  row.steps = steps.value;
  at += 4;
  const auto numbers = [&](std::size_t n, std::vector<std::optional<double>>& out) {
    for (std::size_t i = 0; i < n; ++i, ++at) {
      out.push_back(read_csv_number(cells[at]));
      if (csv_number(out.back()) != cells[at]) return false;
    }
    return true;
  };
  return numbers(shape.metrics, row.metrics) && numbers(shape.margins, row.margins) ? std::optional(std::move(row))
                                                                                    : std::nullopt;
}

std::optional<TableRow> read_row(const std::string& text, const Study& study, const Points& points) {
  return read_row(text, study, RowShape{points.metrics().size(), points.margins().size()});
}

std::string results_csv(const Study& study, const Points& points, const Rows& rows) {
  std::string table = header_row(study, points);
  for (const auto& [run, row] : rows) table += row.text;
  return table;
}

std::string results_parquet(const Study& study, const Points& points, const std::vector<TableRow>& rows) {
  using parquet::Integers, parquet::Numbers, parquet::Texts;
  using Text = std::optional<std::string>;
  parquet::Table table;
  auto& columns = table.columns;
  columns.push_back(column_of<Integers>("run", rows, [](const TableRow& row) { return row.run; }));
  for (std::size_t i = 0; i < study.parameters.size(); ++i) {
    const Parameter& parameter = study.parameters[i];
    if (parameter.choices.empty())
      columns.push_back(column_of<Numbers>(parameter.name, rows, [i](const TableRow& row) { return row.values[i]; }));
    else
      columns.push_back(column_of<Texts>(parameter.name, rows,
                                         [&, i](const TableRow& row) -> Text { return value_text(parameter, row.values[i]); }));
  }
  columns.push_back(
      column_of<Texts>("verdict", rows, [](const TableRow& row) -> Text { return std::string(to_text(row.verdict)); }));
  columns.push_back(column_of<Texts>("message", rows, [](const TableRow& row) -> Text { return row.message; }));
  columns.push_back(column_of<Integers>("steps", rows, [](const TableRow& row) { return row.steps; }));
  columns.push_back(column_of<Texts>(
      "state_hash", rows, [](const TableRow& row) { return row.state_hash.empty() ? Text() : Text(row.state_hash); }));
  std::string units;
  for (std::size_t i = 0; i < points.metrics().size(); ++i) {
    const PointColumn& metric = points.metrics()[i];
    columns.push_back(column_of<Numbers>(metric.name, rows, [i](const TableRow& row) { return row.metrics[i]; }));
    units += metric.name + "\t" + metric.unit + "\n";
  }
  for (std::size_t i = 0; i < points.margins().size(); ++i) {
    const PointColumn& margin = points.margins()[i];
    columns.push_back(
        column_of<Numbers>("margin of " + margin.name, rows, [i](const TableRow& row) { return row.margins[i]; }));
    units += "margin of " + margin.name + "\t" + margin.unit + "\n";
  }
  table.created_by = std::string("simbatch ") + SIMBATCH_VERSION;
  table.metadata = {{"simbatch.study", study.name},
                    {"simbatch.scenario", study.scenario},
                    {"simbatch.seed", number_text(study.seed)},
                    {"simbatch.units", units},
                    {"simbatch.inputs", lines_of(points.inputs())}};
  return parquet::write(table);
}

std::vector<std::int64_t> write_tables(const Study& study, const Points& points, const Rows& rows,
                                       const StudyOptions& options) {
  const std::filesystem::path place(options.folder);
  write_file((place / "results.csv").string(), results_csv(study, points, rows));
  std::vector<TableRow> read;
  read.reserve(rows.size());
  for (const auto& [run, row] : rows)
    if (auto one = read_row(row.text, study, points)) {
      one->seconds = row.seconds;
      read.push_back(std::move(*one));
    }
  std::vector<std::int64_t> replays = replayed(read, options.replays);
  write_file((place / "results.parquet").string(), results_parquet(study, points, read));
  write_file((place / "report.html").string(), report_html(study, points, read, points.file_name(), replays));
  write_file((place / "report.svg").string(), report_svg(study, points, read));
  if (!options.junit.empty()) write_file(options.junit, study_junit(study, points, read, options));
  return replays;
}

}  // namespace simbatch::study::detail
