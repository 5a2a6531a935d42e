// A picture of a study: the margin of the deciding expectation over each parameter, and the pass rate over the two parameters
// with the strongest joint influence.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "formats/svg/svg.hpp"
#include "lib/plot/chart.hpp"
#include "lib/study/report.hpp"
#include "lib/study/statistics.hpp"

namespace simbatch::study::detail {
namespace {

constexpr double kWidth = 330, kHeight = 250, kLeft = 60, kRight = 14, kTop = 26, kBottom = 42, kHead = 40;
constexpr const char *kPassing = "#0b7a4b", *kFailing = "#c32530";
constexpr std::size_t kMaxPanels = 11, kMaxDots = 5'000;

/// The position of a panel, and its axes.
struct Axis {
  double low = 0, high = 1;
  bool is_log = false;
  double share(double v) const {
    if (!(high > low)) return 0.5;
    return is_log ? (std::log(v) - std::log(low)) / (std::log(high) - std::log(low)) : (v - low) / (high - low);
  }
};

Axis axis_of(const Parameter& parameter, std::size_t index, const std::vector<TableRow>& rows) {
  if (!parameter.choices.empty()) return {-0.5, static_cast<double>(parameter.choices.size()) - 0.5};
  Axis axis{rows.empty() ? 0 : rows[0].values[index], rows.empty() ? 1 : rows[0].values[index]};
  for (const TableRow& row : rows) {
    axis.low = std::min(axis.low, row.values[index]);
    axis.high = std::max(axis.high, row.values[index]);
  }
  axis.is_log = parameter.scale == Parameter::Scale::log && axis.low > 0;
  if (!parameter.values.empty()) {  // some space on either side of the first and the last
    const double edge = 0.06 * (axis.high - axis.low);
    if (!axis.is_log) axis = {axis.low - edge, axis.high + edge};
  }
  return axis;
}

struct Frame {
  double x0 = 0, x1 = 0, y0 = 0, y1 = 0;  // y0 is below
  Frame(double left, double top) : x0(left + kLeft), x1(left + kWidth - kRight), y0(top + kHeight - kBottom), y1(top + kTop) {}
  double x(double share) const { return x0 + (x1 - x0) * share; }
  double y(double share) const { return y0 + (y1 - y0) * share; }
};

/// The last characters of a text that fit.
std::string fitting(const std::string& text, double width) {
  const auto most = static_cast<std::size_t>(std::max(width / 6.2, 4.0));
  if (text.size() <= most) return text;
  std::size_t begin = text.size() - most + 1;
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) ++begin;
  return "\u2026" + text.substr(begin);
}

/// Where an axis is labeled, and how.
std::vector<std::pair<double, std::string>> labels(const Parameter& parameter, const Axis& axis, double width) {
  std::vector<std::pair<double, std::string>> list;
  if (!parameter.choices.empty()) {
    const double each = width / static_cast<double>(parameter.choices.size());
    for (std::size_t i = 0; i < parameter.choices.size(); ++i)
      list.emplace_back(static_cast<double>(i), fitting(parameter.choices[i], each));
    return list;
  }
  if (axis.is_log) {
    const int first = static_cast<int>(std::ceil(std::log10(axis.low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(axis.high) + 1e-9));
    for (int e = first; e <= last; ++e) list.emplace_back(std::pow(10.0, e), fmt::format("1e{}", e));
    return list;
  }
  for (const double tick : plot::nice_ticks(axis.low, axis.high, 4))
    if (tick >= axis.low && tick <= axis.high) list.emplace_back(tick, fmt::format("{:.4g}", tick));
  return list;
}

/// Below an axis.
void write_name(svg::Writer& out, const Frame& frame, const std::string& name) {
  out.text("text", {{"x", (frame.x0 + frame.x1) / 2}, {"y", frame.y0 + 33}, {"text-anchor", "middle"}, {"fill", "#444"}}, name);
}

void draw_x(svg::Writer& out, const Frame& frame, const Parameter& parameter, const Axis& x) {
  for (const auto& [at, text] : labels(parameter, x, frame.x1 - frame.x0))
    out.text("text", {{"x", frame.x(x.share(at))}, {"y", frame.y0 + 16}, {"text-anchor", "middle"}}, text);
  write_name(out, frame, parameter.name);
}

/// Dots of the same choice, or of one of a few values, are spread sideways; the offset depends on the run alone (multiples of
/// the golden ratio).
double beside(const TableRow& row) {
  const double turns = 0.6180339887498949 * static_cast<double>(row.run);
  return turns - std::floor(turns) - 0.5;
}

void draw_scatter(svg::Writer& out, const Frame& frame, const Study& study, std::size_t parameter,
                  const std::vector<TableRow>& rows, std::size_t margin) {
  const Parameter& p = study.parameters[parameter];
  const Axis x = axis_of(p, parameter, rows);
  Axis y{0, 0};
  for (const TableRow& row : rows)
    if (row.margins[margin] && std::isfinite(*row.margins[margin])) {
      y.low = std::min(y.low, *row.margins[margin]);
      y.high = std::max(y.high, *row.margins[margin]);
    }
  for (const double tick : plot::nice_ticks(y.low, y.high, 4)) {
    if (tick < y.low || tick > y.high) continue;
    const double at = frame.y(y.share(tick));
    out.element("path",
                {{"d", svg::Path().move_to(frame.x0, at).line_to(frame.x1, at)}, {"stroke", tick == 0 ? "#333" : "#e2e2e2"}});
    out.text("text", {{"x", frame.x0 - 6}, {"y", at + 4}, {"text-anchor", "end"}}, fmt::format("{:.4g}", tick));
  }
  draw_x(out, frame, p, x);
  const bool spread = !p.choices.empty() || !p.values.empty();
  const double room = p.choices.empty() ? 0.05 : 0.5 / static_cast<double>(p.choices.size());
  const std::size_t stride = std::max<std::size_t>(1, (rows.size() + kMaxDots - 1) / kMaxDots);
  for (std::size_t i = 0; i < rows.size(); i += stride) {
    const TableRow& row = rows[i];
    if (!row.margins[margin] || !std::isfinite(*row.margins[margin])) continue;
    const double share = x.share(row.values[parameter]) + (spread ? room * beside(row) : 0);
    out.element("circle", {{"cx", frame.x(share)},
                           {"cy", frame.y(y.share(*row.margins[margin]))},
                           {"r", rows.size() > 1000 ? 1.5 : 2.2},
                           {"fill", row.verdict == RunVerdict::pass ? kPassing : kFailing},
                           {"fill-opacity", 0.6}});
  }
}

/// From dark blue over green to yellow, as in the report.
std::string paint_of(double share) {
  constexpr std::array<std::array<int, 3>, 5> kStops{
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  const double place = std::clamp(share, 0.0, 1.0) * 4;
  const auto i = std::min<std::size_t>(static_cast<std::size_t>(place), 3);
  const double t = place - static_cast<double>(i);
  std::string color = "#";
  for (std::size_t k = 0; k < 3; ++k)
    color += fmt::format("{:02x}", static_cast<int>(std::lround(kStops[i][k] + t * (kStops[i + 1][k] - kStops[i][k]))));
  return color;
}

struct Cell {
  std::int64_t n = 0, pass = 0;
};
using Cells = std::map<std::pair<std::size_t, std::size_t>, Cell>;

/// A parameter as an axis of cells: a cell for each choice or value, if there are few, or parts of a range.
struct CellAxis {
  Axis axis;
  std::vector<double> listed;  // in ascending order; empty: a range
  std::size_t n = 1;
  std::size_t cell(double value) const {
    if (!listed.empty())
      return static_cast<std::size_t>(std::lower_bound(listed.begin(), listed.end() - 1, value) - listed.begin());
    return static_cast<std::size_t>(std::clamp(axis.share(value) * static_cast<double>(n), 0.0, static_cast<double>(n) - 1));
  }
  double share(double value) const {
    return listed.empty() ? axis.share(value) : (static_cast<double>(cell(value)) + 0.5) / static_cast<double>(n);
  }
};

/// @param most  parts of a range
CellAxis cell_axis(const Parameter& parameter, std::size_t index, const std::vector<TableRow>& rows, std::size_t most) {
  CellAxis axis{axis_of(parameter, index, rows), {}, most};
  for (std::size_t i = 0; i < parameter.choices.size(); ++i) axis.listed.push_back(static_cast<double>(i));
  if (parameter.choices.empty()) {
    constexpr std::size_t kFew = 16;
    std::set<double> values(parameter.values.begin(), parameter.values.end());
    for (std::size_t i = 0; i < rows.size() && values.size() <= kFew; ++i) values.insert(rows[i].values[index]);
    if (values.size() <= kFew && (!parameter.values.empty() || rows.size() > 2 * values.size()))
      axis.listed.assign(values.begin(), values.end());
  }
  if (!axis.listed.empty()) axis.n = axis.listed.size();
  return axis;
}

/// @param each  room for the label of each cell of a list
std::vector<std::pair<double, std::string>> cell_labels(const Parameter& parameter, const CellAxis& axis, double each) {
  if (axis.listed.empty()) return labels(parameter, axis.axis, each);
  std::vector<std::pair<double, std::string>> list;
  for (const double value : axis.listed) {
    const bool is_number = parameter.choices.empty();  // of a grid, such as 0.6000000000000001
    list.emplace_back(value, is_number ? fmt::format("{:.4g}", value) : fitting(value_text(parameter, value), each));
  }
  return list;
}

Cells cells_of(const CellAxis& x, const CellAxis& y, std::pair<std::size_t, std::size_t> parameters,
               const std::vector<TableRow>& rows) {
  Cells cells;
  for (const TableRow& row : rows) {
    Cell& cell = cells[{x.cell(row.values[parameters.first]), y.cell(row.values[parameters.second])}];
    ++cell.n;
    cell.pass += row.verdict == RunVerdict::pass;
  }
  return cells;
}

void draw_heat(svg::Writer& out, const Frame& frame, const Study& study, std::pair<std::size_t, std::size_t> parameters,
               const std::vector<TableRow>& rows) {
  const Parameter &px = study.parameters[parameters.first], &py = study.parameters[parameters.second];
  const auto most = static_cast<std::size_t>(std::clamp(std::sqrt(static_cast<double>(rows.size()) / 4), 3.0, 16.0));
  const CellAxis x = cell_axis(px, parameters.first, rows, most), y = cell_axis(py, parameters.second, rows, most);
  const double w = (frame.x1 - frame.x0) / static_cast<double>(x.n), h = (frame.y0 - frame.y1) / static_cast<double>(y.n);
  for (const auto& [place, cell] : cells_of(x, y, parameters, rows))
    out.element("rect", {{"x", frame.x0 + w * static_cast<double>(place.first)},
                         {"y", frame.y0 - h * static_cast<double>(place.second + 1)},
                         {"width", w},
                         {"height", h},
                         {"fill", paint_of(static_cast<double>(cell.pass) / static_cast<double>(cell.n))}});
  for (const auto& [at, text] : cell_labels(px, x, w))
    out.text("text", {{"x", frame.x(x.share(at))}, {"y", frame.y0 + 16}, {"text-anchor", "middle"}}, text);
  write_name(out, frame, px.name);
  for (const auto& [at, text] : cell_labels(py, y, kLeft))
    out.text("text", {{"x", frame.x0 - 6}, {"y", frame.y(y.share(at)) + 4}, {"text-anchor", "end"}}, text);
  out.text("text", {{"x", frame.x0 - 50}, {"y", frame.y1 - 8}}, "share that passes");
  out.text("text",
           {{"transform", svg::translate_rotate(frame.x0 - 46, (frame.y0 + frame.y1) / 2, -90)},
            {"text-anchor", "middle"},
            {"fill", "#444"}},
           py.name);
  constexpr int kSteps = 5;
  for (int i = 0; i < kSteps; ++i) {
    const double share = static_cast<double>(i) / (kSteps - 1), at = frame.x1 - 170 + 36 * i;
    out.element("rect", {{"x", at}, {"y", frame.y1 - 16}, {"width", 10}, {"height", 10}, {"fill", paint_of(share)}});
    out.text("text", {{"x", at + 12}, {"y", frame.y1 - 8}, {"font-size", 9}}, fmt::format("{:.0f}%", 100 * share));
  }
}

/// Below the title: what a dot means. @param height  what its height means
void write_legend(svg::Writer& out, const std::string& height) {
  out.element("circle", {{"cx", 16}, {"cy", 32}, {"r", 3}, {"fill", kPassing}});
  out.text("text", {{"x", 23}, {"y", 36}, {"fill", "#444"}}, "passes");
  out.element("circle", {{"cx", 72}, {"cy", 32}, {"r", 3}, {"fill", kFailing}});
  out.text("text", {{"x", 79}, {"y", 36}, {"fill", "#444"}}, "does not");
  out.text("text", {{"x", 140}, {"y", 36}, {"fill", "#444"}}, "height: " + height);
}

}  // namespace

std::size_t deciding_margin(const std::vector<TableRow>& rows) {
  std::size_t best = 0;
  std::pair<std::int64_t, std::int64_t> most{-1, -1};  // failing, finite
  for (std::size_t i = 0; !rows.empty() && i < rows[0].margins.size(); ++i) {
    std::pair<std::int64_t, std::int64_t> count{0, 0};
    for (const TableRow& row : rows)
      if (row.margins[i] && std::isfinite(*row.margins[i])) {
        count.first += *row.margins[i] < 0;
        ++count.second;
      }
    if (count > most) {
      most = count;
      best = i;
    }
  }
  return best;
}

std::optional<std::pair<std::size_t, std::size_t>> deciding_parameters(const Study& study, const std::vector<TableRow>& rows) {
  constexpr std::size_t kParts = 4, kMaxLooked = 12;
  std::optional<std::pair<std::size_t, std::size_t>> best;
  double most = -HUGE_VAL;
  std::int64_t pass = 0;
  for (const TableRow& row : rows) pass += row.verdict == RunVerdict::pass;
  const double all = static_cast<double>(pass) / std::max(static_cast<double>(rows.size()), 1.0);
  const std::size_t n = std::min(study.parameters.size(), kMaxLooked);
  std::vector<CellAxis> axes;
  for (std::size_t i = 0; i < n; ++i) axes.push_back(cell_axis(study.parameters[i], i, rows, kParts));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i + 1; k < n; ++k) {
      if (study.parameters[i].path == "seed" || study.parameters[k].path == "seed") continue;
      const Cells cells = cells_of(axes[i], axes[k], {i, k}, rows);
      double between = 0;
      for (const auto& [place, cell] : cells) {
        const double share = static_cast<double>(cell.pass) / static_cast<double>(cell.n);
        between += static_cast<double>(cell.n) * (share - all) * (share - all);
      }
      // Minus the value expected by chance, which grows with the number of cells.
      const double score = between - (static_cast<double>(cells.size()) - 1) * all * (1 - all);
      if (score <= most) continue;
      most = score;
      best = {i, k};
    }
  return best;
}

std::string report_svg(const Study& study, const Points& points, const std::vector<TableRow>& rows) {
  std::vector<std::size_t> panels;
  for (std::size_t i = 0; i < study.parameters.size() && panels.size() < kMaxPanels; ++i)
    if (study.parameters[i].path != "seed" && !points.margins().empty()) panels.push_back(i);
  const auto pair = deciding_parameters(study, rows);
  const std::size_t n = panels.size() + (pair ? 1 : 0), columns = std::clamp<std::size_t>(n, 1, 3);
  const double width = kWidth * static_cast<double>(columns),
               height = kHead + kHeight * std::ceil(static_cast<double>(n) / static_cast<double>(columns));
  svg::Writer out({0, 0, width, height}, {{"width", width}, {"font-family", "sans-serif"}, {"font-size", 11}});
  out.element("rect", {{"width", width}, {"height", height}, {"fill", "#fff"}});
  std::int64_t pass = 0;
  for (const TableRow& row : rows) pass += row.verdict == RunVerdict::pass;
  out.text("text", {{"x", 12}, {"y", 18}, {"font-size", 14}},
           fmt::format("{}: {} of {} runs pass", study.name, pass, rows.size()));
  const std::size_t margin = deciding_margin(rows);
  if (!panels.empty()) {
    const PointColumn& column = points.margins()[margin];
    write_legend(out, "margin of \u201c" + column.name + "\u201d" + (column.unit.empty() ? "" : " (" + column.unit + ")"));
  }
  const auto frame = [&](std::size_t k) {
    const std::size_t row = k / columns, column = k % columns;
    return Frame(kWidth * static_cast<double>(column), kHead + kHeight * static_cast<double>(row));
  };
  for (std::size_t k = 0; k < panels.size(); ++k) draw_scatter(out, frame(k), study, panels[k], rows, margin);
  if (pair) draw_heat(out, frame(panels.size()), study, *pair, rows);
  return out.take();
}

}  // namespace simbatch::study::detail
