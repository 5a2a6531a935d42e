#include "lib/town/preview_legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/core/number.hpp"
#include "lib/town/preview_paint.hpp"

namespace simbatch::town::detail {
namespace {
/// 12345 -> "12 345"
std::string grouped(std::uint64_t n) {
  std::string digits = number_text(n);
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, 1, ' ');
  return digits;
}
}  // namespace

std::string legend(const Town& town, const PlacedHouses& placed, const std::string& title, const PreviewFrame& frame) {
  std::string out;
  std::vector<std::pair<std::string, std::string>> rows;  // color, text
  std::uint64_t all = 0;
  for (const UseCount& use : placed.uses)
    if (use.placed > 0) {
      rows.emplace_back(house_paint(use.use), fmt::format("{}: {}", use.use, grouped(use.placed)));
      all += use.placed;
    }
  rows.emplace_back("#cfc5b8", fmt::format("mapped buildings: {}", grouped(town.buildings)));
  const std::string head = title.empty() ? "osmgen" : title;
  std::size_t longest = head.size() + 4;
  for (const auto& row : rows) longest = std::max(longest, row.second.size() + 4);
  const double w = 40 + 8.2 * static_cast<double>(std::max<std::size_t>(longest, 22));
  const double h = 58 + 22 * static_cast<double>(rows.size());
  const double x = frame.margin + 14, y = frame.margin + 14;
  out += fmt::format(
      "<g transform=\"translate({} {})\"><rect width=\"{:.0f}\" height=\"{:.0f}\" rx=\"6\" fill=\"#ffffff\" "
      "fill-opacity=\".92\" stroke=\"#8c8578\" stroke-opacity=\".5\"/>\n"
      "<text x=\"14\" y=\"25\" font-size=\"16\" font-weight=\"bold\" fill=\"#2f2a24\">{}</text>\n"
      "<text x=\"14\" y=\"44\" font-size=\"12\" fill=\"#6b645a\">{} houses and trees placed</text>\n",
      x, y, w, h, escaped(head), grouped(all));
  double at = 66;
  for (const auto& [color, text] : rows) {
    out += fmt::format(
        "<rect x=\"14\" y=\"{:.0f}\" width=\"14\" height=\"12\" rx=\"2\" fill=\"{}\" stroke=\"#3b2a20\" "
        "stroke-opacity=\".5\" stroke-width=\".6\"/><text x=\"36\" y=\"{:.0f}\" font-size=\"13\" "
        "fill=\"#2f2a24\">{}</text>\n",
        at - 10, color, at + 1, escaped(text));
    at += 22;
  }
  out += "</g>\n";
  return out;
}

std::string scale_bar(bool credit_osm, const PreviewFrame& frame) {
  std::string out;
  // The roundest length that takes about a sixth of the width.
  double meters_long = 1;
  for (const double decade : {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6})
    for (const double step : {1.0, 2.0, 5.0})
      if (decade * step * frame.scale <= frame.width / 6) meters_long = decade * step;
  const double w = meters_long * frame.scale;
  const double x = frame.margin + frame.width - w - 30, y = frame.margin + frame.height - 26;
  const std::string text =
      meters_long >= 1000 ? fmt::format("{:g} km", meters_long / 1000) : fmt::format("{:g} m", meters_long);
  out += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"44\" rx=\"6\" fill=\"#ffffff\" "
      "fill-opacity=\".88\"/>\n",
      x - 14, y - 26, w + 28);
  for (int i = 0; i < 4; ++i)
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"6\" fill=\"{}\" stroke=\"#2f2a24\" "
        "stroke-width=\".8\"/>\n",
        x + i * w / 4, y, w / 4, i % 2 == 0 ? "#2f2a24" : "#ffffff");
  out += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" fill=\"#2f2a24\">0</text>"
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" text-anchor=\"end\" fill=\"#2f2a24\">{}</text>\n",
      x, y - 8, x + w, y - 8, text);
  // North arrow.
  const double ax = frame.margin + frame.width - 34, ay = frame.margin + 34;
  out += fmt::format(
      "<g transform=\"translate({:.0f} {:.0f})\"><circle r=\"20\" fill=\"#ffffff\" fill-opacity=\".88\"/>"
      "<path d=\"M0-15L6 8L0 4Z\" fill=\"#2f2a24\"/><path d=\"M0-15L-6 8L0 4Z\" fill=\"#ffffff\" "
      "stroke=\"#2f2a24\" stroke-width=\".8\"/><text y=\"18\" font-size=\"9\" text-anchor=\"middle\" "
      "fill=\"#2f2a24\">N</text></g>\n",
      ax, ay);
  if (credit_osm)
    out += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"11\" fill=\"#4b453d\" paint-order=\"stroke\" "
        "stroke=\"#ffffff\" stroke-width=\"3\" stroke-opacity=\".8\">Map data © OpenStreetMap contributors</text>\n",
        frame.margin + 10, frame.margin + frame.height - 10);
  return out;
}

}  // namespace simbatch::town::detail
