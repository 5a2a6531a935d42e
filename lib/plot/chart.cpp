#include "lib/plot/chart.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/core/number.hpp"
#include "formats/svg/svg.hpp"

namespace simbatch::plot {
namespace {

// Okabe and Ito's eight colors (2008), which color-blind readers can distinguish; black last.
constexpr const char* kColors[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000"};

constexpr const char* kPlanColor = "#444444";

const char* color_of(std::size_t series) { return kColors[series % std::size(kColors)]; }

// Values beyond this break a line as NaN does: the extent of the data must be a number.
bool is_drawable(double value) { return std::abs(value) <= 1e300; }

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void add(double value) {
    if (!is_drawable(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// Never empty, and slightly wider than the data.
  void finish() {
    if (low > high) low = 0, high = 1;
    const double margin = high > low ? 0.04 * (high - low) : std::max(0.5, 0.04 * std::abs(low));
    low -= margin;
    high += margin;
  }
  double size() const { return high - low; }
};

/// A text's rectangle (pixels).
struct TextBox {
  double left = 0, top = 0, right = 0, bottom = 0;
  bool is_left = false;  ///< of its mark
  /// Whether a straight line enters it: Liang and Barsky, A new concept and method for line clipping (1984).
  bool crosses(double x0, double y0, double x1, double y1) const {
    double from = 0, to = 1;
    const auto clip = [&](double p, double q) {
      if (p == 0) return q >= 0;
      const double t = q / p;
      if (p < 0) from = std::max(from, t);
      if (p > 0) to = std::min(to, t);
      return from <= to;
    };
    return clip(x0 - x1, x0 - left) && clip(x1 - x0, right - x0) && clip(y0 - y1, y0 - top) && clip(y1 - y0, bottom - y0);
  }
};

class Panel {
 public:
  Panel(const Chart& chart, double left, double top, double width, double height)
      : chart_(chart), left_(left + 58), top_(top + 30), width_(width - 74), height_(height - 76), right_(left + width - 16) {
    for (const Series& s : chart.series) {
      for (const double v : s.x) x_.add(v);
      for (const double v : s.y) y_.add(v);
    }
    for (const Mark& m : chart.marks) {
      x_.add(m.x);
      y_.add(m.y);
    }
    x_.finish();
    y_.finish();
    equalize();
    make_room();
    equalize();
  }

  /// @param number  of the chart in its picture
  void draw(svg::Writer& out, std::size_t number) const {
    const double right = left_ + width_, bottom = top_ + height_;
    out.text("text", {{"class", "title"}, {"x", left_}, {"y", top_ - 10 - title_up_}}, chart_.title);
    draw_legend(out);
    if (!chart_.ground.empty()) draw_ground(out, number);
    for (const double tick : nice_ticks(x_.low, x_.high, 6)) {
      out.element("path", {{"class", "grid"}, {"d", svg::Path(1).move_to(px(tick), top_).line_to(px(tick), bottom)}});
      out.text("text", {{"class", "tick"}, {"x", px(tick)}, {"y", bottom + 14}, {"text-anchor", "middle"}}, number_text(tick));
    }
    for (const double tick : nice_ticks(y_.low, y_.high, 5)) {
      out.element("path", {{"class", "grid"}, {"d", svg::Path(1).move_to(left_, py(tick)).line_to(right, py(tick))}});
      out.text("text", {{"class", "tick"}, {"x", left_ - 6}, {"y", py(tick) + 3.5}, {"text-anchor", "end"}}, number_text(tick));
    }
    out.text("text", {{"class", "label"}, {"x", left_ + width_ / 2}, {"y", bottom + 32}, {"text-anchor", "middle"}},
             chart_.x_label);
    out.text("text",
             {{"class", "label"},
              {"transform", svg::translate_rotate(left_ - label_space_, top_ + height_ / 2, -90, 1)},
              {"text-anchor", "middle"}},
             chart_.y_label);
    out.element("rect", {{"class", "frame"}, {"x", left_}, {"y", top_}, {"width", width_}, {"height", height_}});
    for (const bool dashed : {true, false})
      for (std::size_t i = 0; i < chart_.series.size(); ++i)
        if (chart_.series[i].dashed == dashed) draw_line(out, chart_.series[i], color_of(i));
    std::vector<TextBox> texts;
    for (const Mark& m : chart_.marks)
      if (is_drawable(m.x) && is_drawable(m.y)) draw_mark(out, m, texts);
  }

 private:
  void equalize() {
    if (!chart_.equal_scales) return;
    const double unit = std::max(x_.size() / width_, y_.size() / height_);
    const auto widen = [](Extent& e, double size) {
      const double more = (size - e.size()) / 2;
      e.low -= more;
      e.high += more;
    };
    widen(x_, unit * width_);
    widen(y_, unit * height_);
  }

  PlanFrame plan_frame() const { return {left_, top_, width_, height_, x_.low, y_.high, width_ / x_.size()}; }

  void draw_ground(svg::Writer& out, std::size_t number) const {
    const std::string id = "frame" + number_text(number);
    out.start("clipPath", {{"id", id}});
    out.element("rect", {{"x", left_}, {"y", top_}, {"width", width_}, {"height", height_}});
    out.end();
    out.start("g", {{"clip-path", "url(#" + id + ")"}});
    draw_plan(chart_.ground, plan_frame(), out);
    out.end();
  }

  /// Moves the frame's edges to where ticks and legend have room; neither gets more than half of the chart.
  void make_room() {
    std::size_t longest = 0;
    for (const double tick : nice_ticks(y_.low, y_.high, 5)) longest = std::max(longest, number_text(tick).size());
    const double more = std::clamp(kLetter * static_cast<double>(longest) + 20 - label_space_, 0.0, width_ / 2);
    label_space_ += more;
    left_ += more;
    width_ -= more;
    // Names that do not fit beside the title go below it.
    double x = left_ + kTitleLetter * static_cast<double>(chart_.title.size()) + 14, y = top_ - 10;
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < chart_.series.size(); ++i)
      entries.push_back({chart_.series[i].name, chart_.series[i].dashed ? kPlanColor : color_of(i), false, 0, 0});
    if (!chart_.ground.empty()) {
      svg::Writer unused({});
      for (auto& [name, color] : draw_plan(chart_.ground, plan_frame(), unused))
        entries.push_back({std::move(name), std::move(color), true, 0, 0});
    }
    for (Entry& entry : entries) {
      const std::string& name = entry.name;
      if (name.empty()) continue;
      const double size = kSample + 4 + kLetter * static_cast<double>(name.size());
      if (x + size > right_ && x > left_) {
        x = left_;
        y += kLine;
      }
      if (y - (top_ - 10) > height_ / 2) break;
      entry.x = x, entry.y = y;
      legend_.push_back(std::move(entry));
      x += size + 12;
    }
    if (legend_.empty()) return;
    const double rows = legend_.back().y - (top_ - 10);
    top_ += rows;
    height_ -= rows;
    title_up_ = rows;
  }

  void draw_legend(svg::Writer& out) const {
    for (const Entry& entry : legend_) {
      const svg::Path sample = svg::Path(1).move_to(entry.x, entry.y - 3.5).line_to(entry.x + kSample, entry.y - 3.5);
      out.element("path", {{"d", sample}, {"stroke", entry.color}, {"stroke-width", entry.is_area ? 8 : 2}});
      out.text("text", {{"class", "tick"}, {"x", entry.x + kSample + 4}, {"y", entry.y}}, entry.name);
    }
  }

  /// A point and its text, inside the frame, where it crosses the fewest lines and no text before it.
  void draw_mark(svg::Writer& out, const Mark& mark, std::vector<TextBox>& texts) const {
    const double x = px(mark.x), y = py(mark.y), length = kLetter * static_cast<double>(mark.text.size());
    out.element("circle", {{"cx", x}, {"cy", y}, {"r", 2.5}});
    if (mark.text.empty()) return;
    TextBox best;
    int least = std::numeric_limits<int>::max();
    for (const double aside : {0, -15, 15, -30, 30, -45, 45, -60, 60, -75, 75})
      for (const double down : {-4, 12, -18, 26, -32, 40, -46, 54, -60, 68})
        for (const bool to_the_left : {false, true}) {
          const double left = (to_the_left ? x - 5 - length : x + 5) + aside;
          const TextBox box{left, y + down - 9, left + length, y + down + 2, to_the_left};
          const int crossed = cost_of(box, texts);
          if (crossed >= least) continue;
          least = crossed;
          best = box;
        }
    out.text("text",
             {{"class", "tick rim"},
              {"x", best.is_left ? best.right : best.left},
              {"y", best.bottom - 2},
              {"text-anchor", best.is_left ? "end" : "start"}},
             mark.text);
    texts.push_back(best);
  }

  /// What a text at a place hides, in lines.
  int cost_of(const TextBox& box, const std::vector<TextBox>& texts) const {
    constexpr int kOutside = 64, kText = 16, kBound = 8;
    int cost = box.left < left_ || box.right > right_ - 3 || box.top < top_ || box.bottom > top_ + height_ ? kOutside : 0;
    for (const TextBox& other : texts)
      if (box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom) cost += kText;
    for (const Series& s : chart_.series) {
      bool crosses = false;
      for (std::size_t i = 1; i < std::min(s.x.size(), s.y.size()) && !crosses; ++i)
        crosses = is_drawable(s.y[i - 1]) && is_drawable(s.y[i]) && is_drawable(s.x[i - 1]) && is_drawable(s.x[i]) &&
                  box.crosses(px(s.x[i - 1]), py(s.y[i - 1]), px(s.x[i]), py(s.y[i]));
      if (crosses) cost += s.is_bound ? kBound : 1;
    }
    return cost;
  }

  double px(double x) const { return left_ + (x - x_.low) / x_.size() * width_; }
  double py(double y) const { return top_ + height_ - (y - y_.low) / y_.size() * height_; }

  void draw_line(svg::Writer& out, const Series& s, const char* color) const {
    svg::Path d(1);
    const std::size_t n = std::min(s.x.size(), s.y.size());
    bool pen = false;
    const auto point = [&](std::size_t i) {
      pen ? d.line_to(px(s.x[i]), py(s.y[i])) : d.move_to(px(s.x[i]), py(s.y[i]));
      pen = true;
    };
    // A map's line may run back over its own columns, so only charts over an ascending x are thinned.
    const bool thin =
        !chart_.equal_scales && n > static_cast<std::size_t>(4 * width_) && std::is_sorted(s.x.begin(), s.x.end());
    for (std::size_t i = 0; i < n;) {
      if (!is_drawable(s.x[i]) || !is_drawable(s.y[i])) {
        pen = false;
        ++i;
        continue;
      }
      if (!thin) {
        point(i++);
        continue;
      }
      const double column = std::floor(px(s.x[i]));
      std::size_t end = i, low = i, high = i;
      for (; end < n && is_drawable(s.y[end]) && std::floor(px(s.x[end])) <= column; ++end) {
        if (s.y[end] < s.y[low]) low = end;
        if (s.y[end] > s.y[high]) high = end;
      }
      point(std::min(low, high));
      if (low != high) point(std::max(low, high));
      i = end;
    }
    if (d.empty()) return;
    if (s.dashed) {
      out.element("path", {{"class", "line"}, {"stroke", kPlanColor}, {"stroke-dasharray", "4 3"}, {"d", d}});
      return;
    }
    out.element("path", {{"class", s.faint ? "line faint" : "line"}, {"stroke", color}, {"d", d}});
  }

  /// A name of the legend: its line begins at x, its text is on y.
  struct Entry {
    std::string name, color;
    bool is_area;
    double x, y;
  };
  // Letter sizes are those of common sans-serif fonts, rounded up, since the reader's font is unknown.
  static constexpr double kLetter = 5.8, kTitleLetter = 8, kSample = 14, kLine = 13;  // pixels

  const Chart& chart_;
  double left_, top_, width_, height_, right_;
  double label_space_ = 44, title_up_ = 0;
  std::vector<Entry> legend_;
  Extent x_, y_;
};

}  // namespace

// Steps of 1, 2 or 5 times a power of ten: P. Heckbert, Nice numbers for graph labels, Graphics Gems (1990).
std::vector<double> nice_ticks(double low, double high, int count) {
  const double rough = (high - low) / std::max(1, count);
  if (!(rough > 0) || !std::isfinite(rough)) return {low, low + 1};
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double part = rough / power;
  const int nice = part < 1.5 ? 1 : part < 3 ? 2 : part < 7 ? 5 : 10;
  // Multiples are printed from integers times a decimal unit, so that 3 * 0.1 is 0.3.
  const double first = std::ceil(low / (nice * power)), last = std::floor(high / (nice * power));
  std::vector<double> ticks;
  for (double k = first; k <= last && ticks.size() < 50; ++k) {
    const double value = k * nice + 0.0;  // -0 becomes 0
    ticks.push_back(power >= 1 ? value * power : value / std::round(1 / power));
  }
  if (ticks.size() < 2) return {low, high};
  return ticks;
}

std::string svg(std::span<const Chart> charts, int columns, int width, int height) {
  columns = std::max(1, std::min(columns, static_cast<int>(charts.size())));
  const int rows = (static_cast<int>(charts.size()) + columns - 1) / columns;
  const double all_width = columns * width, all_height = std::max(1, rows) * height;
  svg::Writer out({0, 0, all_width, all_height}, {{"width", all_width}, {"height", all_height}, {"font-family", "sans-serif"}},
                  1);
  out.text("style", {},
           ".title{font-size:13px;font-weight:bold;fill:#222}.label{font-size:11px;fill:#444}.tick{font-size:10px;fill:#555}"
           ".grid{stroke:#e4e4e4;fill:none}.rim{paint-order:stroke;stroke:#fff;stroke-width:3px}"
           ".frame{fill:none;stroke:#888}.line{fill:none;stroke-width:1.4px;stroke-linejoin:round}.faint{stroke-opacity:0.35}");
  out.element("rect", {{"width", "100%"}, {"height", "100%"}, {"fill", "#fff"}});
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const int column = static_cast<int>(i) % columns, row = static_cast<int>(i) / columns;
    Panel(charts[i], column * width, row * height, width, height).draw(out, i);
  }
  return out.take();
}

}  // namespace simbatch::plot
