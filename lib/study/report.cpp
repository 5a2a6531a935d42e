// The data of the page is JSON in a script element; report_page.cpp contains the page that draws it.

#include "lib/study/report.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/core/number.hpp"
#include "base/core/shell_word.hpp"
#include "base/json/write_json.hpp"
#include "lib/study/report_page.hpp"
#include "lib/study/scenario_tests.hpp"
#include "lib/study/statistics.hpp"
#include "simbatch_version.hpp"

namespace simbatch::study::detail {
namespace {

void write_share(json::Writer& out, std::int64_t pass, std::int64_t n) {
  const Share share = n > 0 ? wilson(pass, n) : Share{};
  out.open_array().value(share.share).value(share.low).value(share.high).close();
}

void write_summary(json::Writer& out, const Study& study, const std::vector<TableRow>& rows, const std::string& file) {
  constexpr const char* kDesigns[] = {"grid", "random", "latin", "sobol", "table"};
  std::int64_t pass = 0, fail = 0;
  for (const TableRow& row : rows) {
    pass += row.verdict == RunVerdict::pass;
    fail += row.verdict == RunVerdict::fail;
  }
  const auto runs = static_cast<std::int64_t>(rows.size());
  out.member("name", study.name)
      .member("file", file)
      .member("scenario", study.scenario)
      .member("seed", number_text(study.seed));
  out.member("design", kDesigns[static_cast<std::size_t>(study.design)]);
  out.member("generator", std::string("simbatch ") + SIMBATCH_VERSION);
  out.member("runs", runs).member("pass", pass).member("fail", fail).member("broken", runs - pass - fail);
  out.key("share");
  write_share(out, pass, runs);
}

/// Writes a column that can be an axis: its values in the chosen rows. Infinite and absent values become null.
template <class Get>
void write_column(json::Writer& out, const std::string& name, const std::string& unit, const char* role,
                  const std::vector<TableRow>& rows, std::size_t stride, Get get) {
  out.open_object().member("name", name).member("unit", unit).member("role", role);
  out.key("values").open_array();
  for (std::size_t i = 0; i < rows.size(); i += stride) out.value(get(rows[i]));
  out.close();
}

void write_columns(json::Writer& out, const Study& study, const Points& points, const std::vector<TableRow>& rows) {
  using Number = std::optional<double>;
  const std::size_t stride = std::max<std::size_t>(1, (rows.size() + kMaxPoints - 1) / kMaxPoints);
  out.member("stride", stride);
  out.key("run").open_array();
  for (std::size_t i = 0; i < rows.size(); i += stride) out.value(rows[i].run);
  out.close().key("verdict").open_array();
  for (std::size_t i = 0; i < rows.size(); i += stride) out.value(static_cast<int>(rows[i].verdict));
  out.close().key("columns").open_array();
  for (std::size_t i = 0; i < study.parameters.size(); ++i) {
    const Parameter& p = study.parameters[i];
    write_column(out, p.name, "", "parameter", rows, stride, [i](const TableRow& row) -> Number { return row.values[i]; });
    out.member("log", p.scale == Parameter::Scale::log);
    out.key("choices").open_array();
    for (const std::string& choice : p.choices) out.value(choice);
    out.close().close();
  }
  for (std::size_t i = 0; i < points.metrics().size(); ++i) {
    const PointColumn& c = points.metrics()[i];
    write_column(out, c.name, c.unit, "metric", rows, stride, [i](const TableRow& row) { return row.metrics[i]; });
    out.close();
  }
  for (std::size_t i = 0; i < points.margins().size(); ++i) {
    const PointColumn& c = points.margins()[i];
    write_column(out, "margin of " + c.name, c.unit, "margin", rows, stride,
                 [i](const TableRow& row) { return row.margins[i]; });
    out.close();
  }
  out.close();
}

/// @param failing  runs whose margin is negative; empty for a metric
void write_spread(json::Writer& out, const std::string& name, const std::string& unit, const Spread& s,
                  std::optional<std::int64_t> failing) {
  out.open_array().value(name).value(unit).value(failing).value(s.n);
  for (const double v : {s.mean, s.least, s.low, s.quarter, s.median, s.three_quarters, s.high, s.greatest}) out.value(v);
  out.close();
}

void write_spreads(json::Writer& out, const Points& points, const std::vector<TableRow>& rows) {
  out.key("spreads").open_array();
  const auto write = [&](const std::string& name, const std::string& unit, bool is_margin, auto get) {
    std::vector<double> values;
    for (const TableRow& row : rows)
      if (const std::optional<double>& value = get(row)) values.push_back(*value);
    const auto failing = std::count_if(values.begin(), values.end(), [](double v) { return v < 0; });
    write_spread(out, name, unit, spread_of(std::move(values)),
                 is_margin ? std::optional<std::int64_t>(failing) : std::nullopt);
  };
  for (std::size_t i = 0; i < points.metrics().size(); ++i)
    write(points.metrics()[i].name, points.metrics()[i].unit, false,
          [i](const TableRow& row) -> const std::optional<double>& { return row.metrics[i]; });
  for (std::size_t i = 0; i < points.margins().size(); ++i)
    write("margin of " + points.margins()[i].name, points.margins()[i].unit, true,
          [i](const TableRow& row) -> const std::optional<double>& { return row.margins[i]; });
  out.close();
}

void write_groups(json::Writer& out, const Study& study, const std::vector<TableRow>& rows) {
  out.key("groups").open_array();
  for (std::size_t i = 0; i < study.parameters.size() && !rows.empty(); ++i) {
    if (study.parameters[i].path == "seed") continue;
    out.open_array().value(study.parameters[i].name).open_array();
    for (const Group& group : groups_of(study, i, rows)) {
      out.open_array().value(group.label).value(group.n).value(group.pass);
      write_share(out, group.pass, group.n);
      out.close();
    }
    out.close().close();
  }
  out.close();
}

void write_worst(json::Writer& out, const Study& study, const Points& points, const std::vector<TableRow>& rows,
                 const std::string& file, const std::vector<std::int64_t>& replays) {
  out.key("worst").open_array();
  for (const std::size_t i : worst_of(rows, kMaxWorst)) {
    const TableRow& row = rows[i];
    const std::string run = "run" + number_text(row.run);
    const std::string scenario = (std::filesystem::path(study.scenario).parent_path() / (run + ".xml")).string();
    out.open_object().member("run", row.run).member("verdict", to_text(row.verdict)).member("message", row.message);
    out.key("values").open_array();
    for (std::size_t p = 0; p < row.values.size(); ++p) out.value(value_text(study.parameters[p], row.values[p]));
    out.close();
    const std::string write =
        "simrun study " + shell_word(file) + " --scenario-of " + number_text(row.run) + " -o " + shell_word(scenario);
    if (std::find(replays.begin(), replays.end(), row.run) != replays.end()) out.member("replay", "worst/" + run + ".html");
    out.member("command", write + " && " + points.command(scenario, row.values) + " --trace " + run + ".json; simrun replay " +
                              run + ".json --scenario " + shell_word(scenario) + " -o " + run + ".html");
    out.close();
  }
  out.close();
}

}  // namespace

std::vector<std::int64_t> replayed(const std::vector<TableRow>& rows, std::size_t most) {
  std::vector<std::int64_t> runs;
  for (const std::size_t i : worst_of(rows, rows.size())) {
    if (runs.size() == most) break;
    const TableRow& row = rows[i];
    if (row.steps > 0 && (row.verdict == RunVerdict::fail || row.verdict == RunVerdict::error)) runs.push_back(row.run);
  }
  return runs;
}

std::string report_html(const Study& study, const Points& points, const std::vector<TableRow>& rows, const std::string& file,
                        const std::vector<std::int64_t>& replays) {
  json::Writer out;
  out.open_object();
  write_summary(out, study, rows, file);
  write_columns(out, study, points, rows);
  if (const auto pair = deciding_parameters(study, rows))
    out.key("heat").open_array().value(pair->first).value(pair->second).close();
  write_spreads(out, points, rows);
  write_groups(out, study, rows);
  write_worst(out, study, points, rows, file, replays);
  out.close();
  // Escaped so that no text can end the script element.
  std::string data;
  for (const char c : out.text()) data += c == '<' ? std::string("\\u003c") : std::string(1, c);
  std::string page(kReportPage);
  const std::string_view mark = "/*DATA*/";
  return page.replace(page.find(mark), mark.size(), data);
}

}  // namespace simbatch::study::detail
