// The data of the page is JSON in a script element; report_page.cpp contains the page that draws it.

#include "lib/study/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/core/number.hpp"
#include "base/json/write_json.hpp"
#include "formats/svg/svg.hpp"
#include "lib/plot/chart.hpp"
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

void write_spread(json::Writer& out, const std::string& name, const std::string& unit, const Spread& s) {
  out.open_array().value(name).value(unit).value(s.n);
  for (const double v : {s.mean, s.least, s.low, s.quarter, s.median, s.three_quarters, s.high, s.greatest}) out.value(v);
  out.close();
}

void write_spreads(json::Writer& out, const Points& points, const std::vector<TableRow>& rows) {
  out.key("spreads").open_array();
  const auto write = [&](const std::string& name, const std::string& unit, auto get) {
    std::vector<double> values;
    for (const TableRow& row : rows)
      if (const std::optional<double>& value = get(row)) values.push_back(*value);
    write_spread(out, name, unit, spread_of(std::move(values)));
  };
  for (std::size_t i = 0; i < points.metrics().size(); ++i)
    write(points.metrics()[i].name, points.metrics()[i].unit,
          [i](const TableRow& row) -> const std::optional<double>& { return row.metrics[i]; });
  for (std::size_t i = 0; i < points.margins().size(); ++i)
    write("margin of " + points.margins()[i].name, points.margins()[i].unit,
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
                 const std::string& file) {
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
    out.member("command", write + " && " + points.command(scenario, row.values) + " --trace " + run + ".json; simrun replay " +
                              run + ".json --scenario " + shell_word(scenario) + " -o " + run + ".html");
    out.close();
  }
  out.close();
}

}  // namespace

std::string report_html(const Study& study, const Points& points, const std::vector<TableRow>& rows, const std::string& file) {
  json::Writer out;
  out.open_object();
  write_summary(out, study, rows, file);
  write_columns(out, study, points, rows);
  write_spreads(out, points, rows);
  write_groups(out, study, rows);
  write_worst(out, study, points, rows, file);
  out.close();
  // Escaped so that no text can end the script element.
  std::string data;
  for (const char c : out.text()) data += c == '<' ? std::string("\\u003c") : std::string(1, c);
  std::string page(kReportPage);
  const std::string_view mark = "/*DATA*/";
  return page.replace(page.find(mark), mark.size(), data);
}

namespace {

constexpr double kWidth = 320, kHeight = 240, kLeft = 56, kRight = 12, kTop = 14, kBottom = 40;
constexpr std::size_t kMaxPanels = 12, kMaxDots = 5'000;

struct Axis {
  double low = 0, high = 1;
  void include(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
  double share(double v) const { return high > low ? (v - low) / (high - low) : 0.5; }
};

Axis axis_of(const std::vector<double>& values) {
  Axis axis{values.empty() ? 0 : values.front(), values.empty() ? 1 : values.front()};
  for (const double v : values) axis.include(v);
  return axis;
}

struct Dot {
  double x = 0, y = 0;
  bool is_pass = false;
};

void draw_panel(svg::Writer& out, double left, double top, const Parameter& parameter, const std::vector<Dot>& dots) {
  std::vector<double> xs, ys{0};
  for (const Dot& dot : dots) {
    xs.push_back(dot.x);
    ys.push_back(dot.y);
  }
  const Axis x = axis_of(xs), y = axis_of(ys);
  const double x0 = left + kLeft, x1 = left + kWidth - kRight, y0 = top + kHeight - kBottom, y1 = top + kTop;
  const auto at_x = [&](double v) { return x0 + (x1 - x0) * x.share(v); };
  const auto at_y = [&](double v) { return y0 + (y1 - y0) * y.share(v); };
  for (const double tick : plot::nice_ticks(y.low, y.high, 4)) {
    if (tick < y.low || tick > y.high) continue;
    out.element("path",
                {{"d", svg::Path().move_to(x0, at_y(tick)).line_to(x1, at_y(tick))}, {"stroke", tick == 0 ? "#555" : "#ddd"}});
    out.text("text", {{"x", x0 - 6}, {"y", at_y(tick) + 4}, {"text-anchor", "end"}}, fmt::format("{:.4g}", tick));
  }
  for (const double tick : plot::nice_ticks(x.low, x.high, 4)) {
    if (tick < x.low || tick > x.high) continue;
    const bool is_choice = !parameter.choices.empty();
    if (is_choice && tick != std::floor(tick)) continue;
    out.text("text", {{"x", at_x(tick)}, {"y", y0 + 16}, {"text-anchor", "middle"}},
             is_choice ? value_text(parameter, tick) : fmt::format("{:.4g}", tick));
  }
  for (const Dot& dot : dots)
    out.element("circle", {{"cx", at_x(dot.x)},
                           {"cy", at_y(dot.y)},
                           {"r", 2},
                           {"fill", dot.is_pass ? "#0b7a4b" : "#c32530"},
                           {"fill-opacity", 0.6}});
  out.text("text", {{"x", (x0 + x1) / 2}, {"y", y0 + 33}, {"text-anchor", "middle"}}, parameter.name);
}

}  // namespace

std::string report_svg(const Study& study, const std::vector<TableRow>& rows) {
  std::vector<std::size_t> panels;
  for (std::size_t i = 0; i < study.parameters.size() && panels.size() < kMaxPanels; ++i)
    if (study.parameters[i].path != "seed") panels.push_back(i);
  const std::size_t columns = std::clamp<std::size_t>(panels.size(), 1, 3);
  const double width = kWidth * static_cast<double>(columns),
               height = kHeight * std::ceil(static_cast<double>(panels.size()) / static_cast<double>(columns)) + 30;
  svg::Writer out({0, 0, width, height}, {{"width", width}, {"font-family", "sans-serif"}, {"font-size", 11}});
  out.element("rect", {{"width", width}, {"height", height}, {"fill", "#fff"}});
  out.text("text", {{"x", 12}, {"y", 18}, {"font-size", 13}}, study.name + ": least margin of each run");
  const std::size_t stride = std::max<std::size_t>(1, (rows.size() + kMaxDots - 1) / kMaxDots);
  for (std::size_t k = 0; k < panels.size(); ++k) {
    std::vector<Dot> dots;
    for (std::size_t i = 0; i < rows.size(); i += stride)
      if (const auto margin = least_margin(rows[i]); margin && std::isfinite(*margin))
        dots.push_back({rows[i].values[panels[k]], *margin, rows[i].verdict == RunVerdict::pass});
    draw_panel(out, kWidth * static_cast<double>(k % columns), 24 + kHeight * static_cast<double>(k / columns),
               study.parameters[panels[k]], dots);
  }
  return out.take();
}

}  // namespace simbatch::study::detail
