#include "lib/town/preview_legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/core/number.hpp"
#include "lib/town/preview_paint.hpp"

namespace simbatch::town::detail {
namespace {
constexpr const char* kInk = "#2f2a24";

/// 12345 -> "12 345"
std::string grouped(std::uint64_t n) {
  std::string digits = number_text(n);
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, 1, ' ');
  return digits;
}
}  // namespace

void draw_legend(svg::Writer& out, const Town& town, const PlacedHouses& placed, const std::string& title,
                 const PreviewFrame& frame) {
  struct Row {
    std::string_view color;
    std::string text;
  };
  std::vector<Row> rows;
  std::uint64_t all = 0;
  for (const UseCount& use : placed.uses)
    if (use.placed > 0) {
      rows.push_back({house_paint(use.use), fmt::format("{}: {}", use.use, grouped(use.placed))});
      all += use.placed;
    }
  rows.push_back({"#cfc5b8", fmt::format("mapped buildings: {}", grouped(town.buildings))});
  const std::string head = title.empty() ? "osmgen" : title;
  std::size_t longest = head.size() + 4;
  for (const Row& row : rows) longest = std::max(longest, row.text.size() + 4);
  const double w = std::round(40 + 8.2 * static_cast<double>(std::max<std::size_t>(longest, 22)));
  const double h = 58 + 22 * static_cast<double>(rows.size());
  out.start("g", {{"transform", fmt::format("translate({0} {0})", frame.margin + 14)}});
  out.element("rect", {{"width", w},
                       {"height", h},
                       {"rx", 6},
                       {"fill", "#ffffff"},
                       {"fill-opacity", ".92"},
                       {"stroke", "#8c8578"},
                       {"stroke-opacity", ".5"}});
  out.text("text", {{"x", 14}, {"y", 25}, {"font-size", 16}, {"font-weight", "bold"}, {"fill", kInk}}, head);
  out.text("text", {{"x", 14}, {"y", 44}, {"font-size", 12}, {"fill", "#6b645a"}},
           grouped(all - placed.small) + " houses and trees placed");
  double at = 66;
  for (const Row& row : rows) {
    out.element("rect", {{"x", 14},
                         {"y", at - 10},
                         {"width", 14},
                         {"height", 12},
                         {"rx", 2},
                         {"fill", row.color},
                         {"stroke", "#3b2a20"},
                         {"stroke-opacity", ".5"},
                         {"stroke-width", ".6"}});
    out.text("text", {{"x", 36}, {"y", at + 1}, {"font-size", 13}, {"fill", kInk}}, row.text);
    at += 22;
  }
  out.end();
}

void draw_scale_bar(svg::Writer& out, const PreviewFrame& frame) {
  // The roundest length of about a sixth of the width.
  double meters_long = 1;
  for (const double decade : {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6})
    for (const double step : {1.0, 2.0, 5.0})
      if (decade * step * frame.scale <= frame.width / 6) meters_long = decade * step;
  const double w = meters_long * frame.scale;
  const double x = frame.margin + frame.width - w - 30, y = frame.margin + frame.height - 26;
  out.element("rect", {{"x", x - 14},
                       {"y", y - 26},
                       {"width", w + 28},
                       {"height", 44},
                       {"rx", 6},
                       {"fill", "#ffffff"},
                       {"fill-opacity", ".88"}});
  for (int i = 0; i < 4; ++i)
    out.element("rect", {{"x", x + i * w / 4},
                         {"y", y},
                         {"width", w / 4},
                         {"height", 6},
                         {"fill", i % 2 == 0 ? kInk : "#ffffff"},
                         {"stroke", kInk},
                         {"stroke-width", ".8"}});
  out.text("text", {{"x", x}, {"y", y - 8}, {"font-size", 12}, {"fill", kInk}}, "0");
  out.text("text", {{"x", x + w}, {"y", y - 8}, {"font-size", 12}, {"text-anchor", "end"}, {"fill", kInk}},
           meters_long >= 1000 ? fmt::format("{:g} km", meters_long / 1000) : fmt::format("{:g} m", meters_long));
}

void draw_north_arrow(svg::Writer& out, const PreviewFrame& frame) {
  out.start("g", {{"transform", svg::translate_rotate(frame.margin + frame.width - 34, frame.margin + 34, 0)}});
  out.element("circle", {{"r", 20}, {"fill", "#ffffff"}, {"fill-opacity", ".88"}});
  out.element("path", {{"d", "M0-15L6 8L0 4Z"}, {"fill", kInk}});
  out.element("path", {{"d", "M0-15L-6 8L0 4Z"}, {"fill", "#ffffff"}, {"stroke", kInk}, {"stroke-width", ".8"}});
  out.text("text", {{"y", 18}, {"font-size", 9}, {"text-anchor", "middle"}, {"fill", kInk}}, "N");
  out.end();
}

void draw_credit(svg::Writer& out, const PreviewFrame& frame) {
  out.text("text",
           {{"x", frame.margin + 10},
            {"y", frame.margin + frame.height - 10},
            {"font-size", 11},
            {"fill", "#4b453d"},
            {"paint-order", "stroke"},
            {"stroke", "#ffffff"},
            {"stroke-width", 3},
            {"stroke-opacity", ".8"}},
           "Map data © OpenStreetMap contributors");
}

}  // namespace simbatch::town::detail
