// Water that is not an area is sampled in squares of some pixels; squares of a row are joined.
#include "lib/plot/ground_plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace simbatch::plot {
namespace {

constexpr double kSquare = 4;  // pixels, of sampled water
constexpr double kThinnest = 1;
constexpr const char* kRoadColor = "#d8d8d8";
struct KindLook {
  const char* name;
  const char* color;
};
/// In the order of GroundPlan::Kind.
constexpr KindLook kLooks[] = {{"water", "#cfe2f3"}, {"houses", "#e3cfa8"}, {"trees", "#c3ddb3"}, {"obstacles", "#a89c8c"}};

class PlanDrawer {
 public:
  PlanDrawer(const PlanFrame& frame, svg::Writer& out) : frame_(frame), out_(out) {}

  bool sampled_water(const std::function<bool(double, double)>& is_water) {
    svg::Path path(1);
    for (int row = 0; row * kSquare < frame_.height; ++row) {
      const double y = row * kSquare;
      double from = -1;
      for (int column = 0; column * kSquare < frame_.width + kSquare; ++column) {
        const double x = column * kSquare;
        const bool wet = x < frame_.width && is_water(frame_.x_low + (x + kSquare / 2) / frame_.scale,
                                                      frame_.y_high - (y + kSquare / 2) / frame_.scale);
        if (wet && from < 0) from = x;
        if (wet || from < 0) continue;
        rectangle(from, y, x, y + kSquare, path);
        from = -1;
      }
    }
    return fill(path, kLooks[0].color);
  }

  bool areas(const GroundPlan& plan, GroundPlan::Kind kind) {
    svg::Path path(1);
    for (const GroundPlan::Area& area : plan.areas)
      if (area.kind == kind && touches(area.outline, 0)) outline(area.outline, path);
    return fill(path, kLooks[static_cast<std::size_t>(kind)].color);
  }

  bool roads(const std::vector<GroundPlan::Road>& roads) {
    std::map<double, svg::Path> by_width;  // pixels, to a tenth
    for (const GroundPlan::Road& road : roads) {
      if (road.line.size() < 2 || !touches(road.line, road.width / 2)) continue;
      const double width = std::max(kThinnest, std::round(10 * road.width * frame_.scale) / 10);
      svg::Path& path = by_width.try_emplace(width, 1).first->second;
      for (std::size_t i = 0; i < road.line.size(); ++i)
        i == 0 ? path.move_to(px(road.line[i]), py(road.line[i])) : path.line_to(px(road.line[i]), py(road.line[i]));
    }
    for (const auto& [width, path] : by_width)
      out_.element("path", {{"fill", "none"},
                            {"stroke", kRoadColor},
                            {"stroke-width", width},
                            {"stroke-linecap", "round"},
                            {"stroke-linejoin", "round"},
                            {"d", path}});
    return !by_width.empty();
  }

 private:
  double px(const GroundPlan::Point& p) const { return frame_.left + (p[0] - frame_.x_low) * frame_.scale; }
  double py(const GroundPlan::Point& p) const { return frame_.top + (frame_.y_high - p[1]) * frame_.scale; }

  bool touches(const std::vector<GroundPlan::Point>& points, double margin) const {
    double x_low = 1e300, x_high = -1e300, y_low = 1e300, y_high = -1e300;
    for (const GroundPlan::Point& p : points) {
      if (!std::isfinite(p[0] + p[1])) return false;
      x_low = std::min(x_low, p[0]), x_high = std::max(x_high, p[0]);
      y_low = std::min(y_low, p[1]), y_high = std::max(y_high, p[1]);
    }
    return x_low - margin < frame_.x_low + frame_.width / frame_.scale && x_high + margin > frame_.x_low &&
           y_low - margin < frame_.y_high && y_high + margin > frame_.y_high - frame_.height / frame_.scale;
  }

  void rectangle(double x0, double y0, double x1, double y1, svg::Path& path) const {
    x0 += frame_.left, x1 += frame_.left, y0 += frame_.top, y1 += frame_.top;
    path.move_to(x0, y0).line_to(x1, y0).line_to(x1, y1).line_to(x0, y1).close();
  }

  /// In one direction, so that areas that overlap do not cancel each other.
  void outline(const std::vector<GroundPlan::Point>& points, svg::Path& path) const {
    double area = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const GroundPlan::Point &a = points[i], &b = points[(i + 1) % points.size()];
      area += (a[0] - points[0][0]) * (b[1] - points[0][1]) - (b[0] - points[0][0]) * (a[1] - points[0][1]);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      const GroundPlan::Point& p = points[area < 0 ? points.size() - 1 - i : i];
      i == 0 ? path.move_to(px(p), py(p)) : path.line_to(px(p), py(p));
    }
    path.close();
  }

  bool fill(const svg::Path& path, const char* color) {
    if (path.empty()) return false;
    out_.element("path", {{"fill", color}, {"d", path}});
    return true;
  }

  const PlanFrame& frame_;
  svg::Writer& out_;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> draw_plan(const GroundPlan& plan, const PlanFrame& frame, svg::Writer& out) {
  using Kind = GroundPlan::Kind;
  PlanDrawer drawer(frame, out);
  std::vector<std::pair<std::string, std::string>> drawn;
  const auto note = [&](Kind kind) {
    const KindLook& look = kLooks[static_cast<std::size_t>(kind)];
    drawn.emplace_back(look.name, look.color);
  };
  const bool sampled = plan.is_water && drawer.sampled_water(plan.is_water);
  if (drawer.areas(plan, Kind::water) || sampled) note(Kind::water);
  if (drawer.roads(plan.roads)) drawn.emplace_back("roads", kRoadColor);
  for (const Kind kind : {Kind::tree, Kind::house, Kind::obstacle})
    if (drawer.areas(plan, kind)) note(kind);
  return drawn;
}

}  // namespace simbatch::plot
