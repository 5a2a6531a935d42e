// Painter's order: ground, land use, water, open places, railways, road casings, roads, buildings, houses, frame, legend.
#include "lib/town/preview.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "formats/osm/rings.hpp"
#include "formats/svg/svg.hpp"
#include "lib/roads/waterways.hpp"
#include "lib/town/preview_legend.hpp"
#include "lib/town/preview_paint.hpp"
#include "lib/town/tag_meaning.hpp"

namespace simbatch::town {
namespace {
using detail::TagRole;

class Picture {
 public:
  Picture(const osm::Model& map, Town& town, const PlacedHouses& placement, const PreviewOptions& options)
      : map_(map),
        town_(town),
        placed_(placement),
        options_(options),
        meanings_(detail::meanings(map, town.rules)),
        out_(start()) {}

  std::string draw() {
    land();
    lines();
    roads();
    buildings();
    houses();
    out_.end();
    const double w = options_.width, h = height_;
    out_.element("rect",
                 {{"x", kMargin}, {"y", kMargin}, {"width", w}, {"height", h}, {"fill", "none"}, {"stroke", "#8c8578"}});
    const detail::PreviewFrame frame{kMargin, w, h, scale_};
    detail::draw_legend(out_, town_, placed_, options_.title, frame);
    detail::draw_scale_bar(out_, frame);
    detail::draw_north_arrow(out_, frame);
    if (options_.credit_osm) detail::draw_credit(out_, frame);
    return out_.take();
  }

 private:
  static constexpr double kMargin = 16;

  /// Writes the picture's head, up to the group clipped to the map.
  svg::Writer start() {
    choose_frame();
    const double w = std::round(options_.width + 2 * kMargin), h = std::round(height_ + 2 * kMargin);
    svg::Writer out({0, 0, w, h}, {{"width", w}, {"height", h}, {"font-family", "'DejaVu Sans',Helvetica,Arial,sans-serif"}},
                    1);
    out.text("title", {}, options_.title);
    out.start("defs");
    out.start("clipPath", {{"id", "map"}});
    out.element("rect", {{"x", kMargin}, {"y", kMargin}, {"width", options_.width}, {"height", height_}});
    out.end();
    out.end();
    out.element("rect", {{"width", "100%"}, {"height", "100%"}, {"fill", "#ffffff"}});
    out.start("g", {{"clip-path", "url(#map)"}});
    out.element("rect", {{"width", "100%"}, {"height", "100%"}, {"fill", "#f6f3ee"}});
    return out;
  }

  void choose_frame() {
    Vec2 low{HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL};
    const auto take = [&](Vec2 p) {
      low = {std::min(low.x, p.x), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.z, p.z)};
    };
    for (const auto& [a, b] : town_.bounds)
      for (const osm::LatLon corner : {a, b, osm::LatLon{a.lat_e7, b.lon_e7}, osm::LatLon{b.lat_e7, a.lon_e7}})
        if (const auto at = town_.plane.to_plane(corner)) take(meters(*at));
    // In many files roads extend far beyond the bounds: only a margin around the bounds is shown.
    if (!(low.x < high.x) || !(low.z < high.z)) {
      for (const TownRoad& road : town_.roads)
        for (std::uint32_t k = town_.kinds[road.kind].in_setup ? 0 : road.count; k < road.count; ++k)
          take(meters(town_.points[road.first + k]));
      for (const House& house : placed_.houses) take(meters(house.center));
    }
    if (!(low.x <= high.x)) low = {-100, -100}, high = {100, 100};
    const double pad = 0.02 * std::max(high.x - low.x, high.z - low.z) + 10;
    low_ = low - Vec2{pad, pad};
    high_ = high + Vec2{pad, pad};
    const double extent = std::max(high_.x - low_.x, (high_.z - low_.z) * 0.75);
    scale_ = options_.width / extent;
    const double slack = (extent - (high_.x - low_.x)) / 2;
    low_.x -= slack;
    high_.x += slack;
    height_ = (high_.z - low_.z) * scale_;
  }
  double px(double x) const { return kMargin + (x - low_.x) * scale_; }
  double pz(double z) const { return kMargin + (high_.z - z) * scale_; }
  bool seen(std::span<const Point> points) const {
    double x0 = HUGE_VAL, x1 = -HUGE_VAL, z0 = HUGE_VAL, z1 = -HUGE_VAL;
    for (const Point p : points) {
      x0 = std::min(x0, p.x * 1e-3);
      x1 = std::max(x1, p.x * 1e-3);
      z0 = std::min(z0, p.z * 1e-3);
      z1 = std::max(z1, p.z * 1e-3);
    }
    return x1 >= low_.x && x0 <= high_.x && z1 >= low_.z && z0 <= high_.z;
  }
  void append_path(svg::Path& d, std::span<const Point> points, bool close) const {
    double last_x = 1e300, last_z = 1e300;
    bool first = true;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double x = px(points[i].x * 1e-3), z = pz(points[i].z * 1e-3);
      const bool end = i + 1 == points.size();
      // Corners closer than half a pixel are invisible.
      if (!first && !end && std::fabs(x - last_x) < 0.4 && std::fabs(z - last_z) < 0.4) continue;
      first ? d.move_to(x, z) : d.line_to(x, z);
      first = false;
      last_x = x;
      last_z = z;
    }
    if (close && !first) d.close();
  }

  std::vector<Point> points_of(std::span<const std::uint32_t> nodes) {
    std::vector<Point> points;
    for (const std::uint32_t node : nodes)
      if (const auto at = town_.plane.to_plane(map_.node_positions[node])) points.push_back(*at);
    return points;
  }

  /// Areas by kind: land use, water, buildings.
  void land() {
    struct Shape {
      double size = 0;
      std::string_view fill;
      svg::Path d{1};
    };
    std::vector<Shape> shapes;
    for (std::uint32_t a = 0; a < town_.areas.size(); ++a) {
      const AreaIndex::Meaning meaning = town_.areas.meaning(a);
      Shape shape;
      shape.size = town_.areas.square_meters(a);
      if (meaning.blocks) {
        if (static_cast<Reason>(meaning.reason) != Reason::water) continue;  // buildings are drawn above the roads
        shape.fill = "#b9d7e8";
      } else {
        shape.fill = detail::ground_paint(town_.uses[meaning.use].name);
      }
      bool any = false;
      for (std::size_t r = 0; r < town_.areas.ring_count(a); ++r) {
        any = any || seen(town_.areas.ring(a, r));
        append_path(shape.d, town_.areas.ring(a, r), true);
      }
      if (any) shapes.push_back(std::move(shape));
    }
    std::stable_sort(shapes.begin(), shapes.end(), [](const Shape& a, const Shape& b) { return a.size > b.size; });
    out_.start("g", {{"fill-rule", "evenodd"}, {"stroke", "#000"}, {"stroke-opacity", ".06"}, {"stroke-width", ".8"}});
    for (const Shape& shape : shapes) out_.element("path", {{"fill", shape.fill}, {"d", shape.d}});
    out_.end();
  }

  struct Object {
    bool building = false, water = false, tunnel = false, water_area = false;
    int water_line = -1, railway = -1;
  };
  Object object(std::span<const osm::TagId> tags) const {
    Object result;
    for (const osm::TagId tag : tags) {
      const detail::Meaning meaning = meanings_.of_tag[tag];
      if (meaning.role == TagRole::building) result.building = true;
      if (meaning.role == TagRole::water_area) result.water_area = true;
      if (meaning.role == TagRole::tunnel) result.tunnel = true;
      if (meaning.role == TagRole::water_line) result.water_line = meaning.detail;
      if (meaning.role == TagRole::railway) result.railway = meaning.detail;
    }
    return result;
  }

  void lines() {
    struct River {
      double width = 0;
      svg::Path d{1};
    };
    std::vector<River> rivers;
    svg::Path small_water(1), rail(1);
    for (std::size_t w = 0; w < map_.ways.size(); ++w) {
      const Object what = object(map_.tags_of_way(w));
      if (what.tunnel || (what.water_line < 0 && what.railway < 0 && !what.water_area)) continue;
      std::vector<std::uint32_t> nodes;
      for (const osm::Ref ref : map_.refs_of(w))
        if (!ref.is_missing()) nodes.push_back(ref.number());
      const std::vector<Point> points = points_of(nodes);
      if (points.size() < 2 || !seen(points)) continue;
      if (what.water_area && map_.is_closed(w)) append_path(small_water, points, true);
      if (what.water_line > 0) {
        const double width = roads::waterway_width(map_, map_.tags_of_way(w)).value_or(what.water_line * 0.1);
        append_path(rivers.emplace_back(River{std::max(0.8, width * scale_)}).d, points, false);
      }
      if (what.railway > 0) append_path(rail, points, false);
    }
    if (!small_water.empty()) out_.element("path", {{"fill", "#b9d7e8"}, {"d", small_water}});
    out_.start("g", {{"fill", "none"}, {"stroke", "#b9d7e8"}, {"stroke-linecap", "round"}});
    for (const River& river : rivers) out_.element("path", {{"stroke-width", river.width}, {"d", river.d}});
    out_.end();
    if (rail.empty()) return;
    const double w = std::max(1.0, 2.2 * scale_);
    out_.element("path", {{"fill", "none"}, {"stroke", "#8f8a86"}, {"stroke-width", w}, {"d", rail}});
    out_.element("path", {{"fill", "none"},
                          {"stroke", "#ffffff"},
                          {"stroke-width", w * 0.55},
                          {"stroke-dasharray", std::max(4.0, 10 * scale_)},
                          {"d", rail}});
  }

  void roads() {
    struct Layer {
      svg::Path d{1}, tunnels{1};
      double width = 0, pavement = 0;
      std::string_view fill = "#ffffff", casing = "#c4bdb2";
      int rank = 2;
      bool path = false;
    };
    std::vector<Layer> layers(town_.kinds.size());
    for (std::size_t k = 0; k < layers.size(); ++k) {
      const RoadKind& kind = town_.kinds[k];
      layers[k].width = std::max(kind.path ? 0.7 : 1.0, kind.width * scale_);
      layers[k].pavement = kind.half() * 2 * scale_;
      layers[k].path = kind.path;
      if (kind.path) layers[k].rank = 0;
      if (const detail::RoadPaint* const paint = detail::road_paint(kind.name); paint != nullptr) {
        layers[k].fill = paint->fill;
        layers[k].casing = paint->casing;
        layers[k].rank = paint->rank;
      }
    }
    for (const TownRoad& road : town_.roads) {
      const std::span<const Point> points = std::span(town_.points).subspan(road.first, road.count);
      if (seen(points)) append_path(road.is(TownRoad::tunnel) ? layers[road.kind].tunnels : layers[road.kind].d, points, false);
    }
    std::stable_sort(layers.begin(), layers.end(), [](const Layer& a, const Layer& b) { return a.rank < b.rank; });
    out_.start("g", {{"fill", "none"}, {"stroke-linecap", "round"}, {"stroke-linejoin", "round"}});
    // Pavements and casings below all carriageways, so that crossings are open.
    for (const Layer& layer : layers) {
      if (layer.d.empty() || layer.path) continue;
      if (layer.pavement > layer.width)
        out_.element("path", {{"stroke", "#d9d3c8"}, {"stroke-width", layer.pavement}, {"d", layer.d}});
      out_.element("path", {{"stroke", layer.casing}, {"stroke-width", layer.width + 1.1}, {"d", layer.d}});
    }
    for (const Layer& layer : layers) {
      if (!layer.tunnels.empty())
        out_.element("path", {{"stroke", layer.casing},
                              {"stroke-opacity", ".55"},
                              {"stroke-width", layer.width},
                              {"stroke-dasharray", "5 4"},
                              {"stroke-linecap", "butt"},
                              {"d", layer.tunnels}});
      if (layer.d.empty()) continue;
      if (layer.path)
        out_.element("path", {{"stroke", "#c98d74"},
                              {"stroke-width", layer.width},
                              {"stroke-dasharray", "2.2 2.2"},
                              {"stroke-linecap", "butt"},
                              {"d", layer.d}});
      else
        out_.element("path", {{"stroke", layer.fill}, {"stroke-width", layer.width}, {"d", layer.d}});
    }
    out_.end();
  }

  void buildings() {
    svg::Path d(1);
    for (std::size_t w = 0; w < map_.ways.size(); ++w) {
      if (!map_.is_closed(w) || !object(map_.tags_of_way(w)).building) continue;
      const std::vector<Point> points = points_of(osm::ring_of_way(map_, w));
      if (seen(points)) append_path(d, points, true);
    }
    svg::Path rings(1);
    for (std::uint32_t a = 0; a < town_.areas.size(); ++a) {
      const AreaIndex::Meaning meaning = town_.areas.meaning(a);
      if (!meaning.blocks || static_cast<Reason>(meaning.reason) != Reason::building) continue;
      if (town_.areas.ring_count(a) < 2) continue;  // already drawn as a way
      for (std::size_t r = 0; r < town_.areas.ring_count(a); ++r)
        if (seen(town_.areas.ring(a, r))) append_path(rings, town_.areas.ring(a, r), true);
    }
    out_.start("g", {{"fill", "#cfc5b8"}, {"stroke", "#a99c8b"}, {"stroke-width", ".6"}});
    if (!d.empty()) out_.element("path", {{"d", d}});
    if (!rings.empty()) out_.element("path", {{"fill-rule", "evenodd"}, {"d", rings}});
    out_.end();
  }

  void houses() {
    struct Crown {
      double x = 0, y = 0, radius = 0;
    };
    struct Shapes {
      std::vector<Crown> crowns;
      svg::Path boxes{1}, fronts{1};
    };
    std::map<std::string, Shapes> by_use;
    for (const House& house : placed_.houses) {
      const Vec2 middle = meters(house.center);
      if (middle.x < low_.x || middle.x > high_.x || middle.z < low_.z || middle.z > high_.z) continue;
      const autosim::HouseModel& model = *town_.models[house.model];
      Shapes& shapes = by_use[land_use_of(town_, house)];
      if (model.is_tree()) {
        const double r = std::max({model.box_size.x / 2, 1.4}) * scale_;
        shapes.crowns.push_back({px(middle.x), pz(middle.z), std::max(0.8, r)});
        continue;
      }
      const Vec2 front = direction_of(house.heading), side{front.z, -front.x};
      const auto corner = [&](double a, double b) {
        const Vec2 p = middle + side * (a * model.box_size.x / 2) + front * (b * model.box_size.z / 2);
        return Vec2{px(p.x), pz(p.z)};
      };
      const Vec2 a = corner(1, 1), b = corner(-1, 1), c = corner(-1, -1), d = corner(1, -1);
      shapes.boxes.move_to(a.x, a.z).line_to(b.x, b.z).line_to(c.x, c.z).line_to(d.x, d.z).close();
      if (house.model >= town_.first_small || scale_ * model.box_size.x <= 2) continue;
      const Vec2 from = corner(0.8, 0.72), to = corner(-0.8, 0.72);
      shapes.fronts.move_to(from.x, from.z).line_to(to.x, to.z);
    }
    const svg::Value line(std::clamp(0.08 * scale_, 0.25, 1.0), 2), front_line(std::clamp(0.5 * scale_, 0.5, 2.0), 2);
    for (const auto& [use, shapes] : by_use) {
      out_.start(
          "g", {{"fill", detail::house_paint(use)}, {"stroke", "#3b2a20"}, {"stroke-opacity", ".55"}, {"stroke-width", line}});
      if (!shapes.boxes.empty()) out_.element("path", {{"d", shapes.boxes}});
      for (const Crown& crown : shapes.crowns) out_.element("circle", {{"cx", crown.x}, {"cy", crown.y}, {"r", crown.radius}});
      out_.end();
      if (!shapes.fronts.empty())
        out_.element("path", {{"fill", "none"},
                              {"stroke", "#ffffff"},
                              {"stroke-opacity", ".75"},
                              {"stroke-width", front_line},
                              {"d", shapes.fronts}});
    }
  }

  const osm::Model& map_;
  Town& town_;
  const PlacedHouses& placed_;
  const PreviewOptions& options_;
  detail::TagMeanings meanings_;
  Vec2 low_, high_;
  double scale_ = 1, height_ = 0;
  svg::Writer out_;  // last: start() sets the members above
};

}  // namespace

std::string preview_svg(const osm::Model& map, Town& town, const PlacedHouses& placement, const PreviewOptions& options) {
  return Picture(map, town, placement, options).draw();
}

}  // namespace simbatch::town
