// Painter's order: zones, lanes, goal paths, objects. A user unit is a meter; north is up, so y is minus north.
#include <algorithm>

#include "formats/svg/svg.hpp"
#include "lib/traffic/export_detail.hpp"

namespace simbatch::traffic {
namespace {

constexpr int kDecimals = 3;             // millimeters
constexpr double kMargin = 10;           // m around everything
constexpr double kDefaultLaneWidth = 3;  // m, for lanes without a width
constexpr double kMinObjectSize = 0.2;   // m, so that every object is visible
constexpr std::string_view kColorOfType[] = {"#d33682", "#268bd2", "#586e75", "#859900"};

class Picture {
 public:
  explicit Picture(const ObjectMap& map) : map_(map), writer_(view_box(map), {{"width", 1000}}, kDecimals) {}

  std::string draw() {
    for (const rndf::Zone& zone : map_.network.zones)
      writer_.element("path", {{"d", path(zone.perimeter, true)}, {"fill", "#eee8d5"}, {"stroke", "#93a1a1"}});
    for (const rndf::Segment& segment : map_.network.segments)
      for (const rndf::Lane& lane : segment.lanes) draw_lane(lane);
    for (const PlacedObject& p : map_.placed.objects) draw_goals(p);
    for (const PlacedObject& p : map_.placed.objects) draw_object(p);
    return writer_.take();
  }

 private:
  static svg::ViewBox view_box(const ObjectMap& map) {
    const geo::LocalFrame& frame = map.placed.frame;
    bool any = false;
    double west = 0, east = 0, south = 0, north = 0;
    const auto extend = [&](double x, double z) {
      west = any ? std::min(west, x) : x, east = any ? std::max(east, x) : x;
      south = any ? std::min(south, z) : z, north = any ? std::max(north, z) : z;
      any = true;
    };
    const auto extend_all = [&](const std::vector<rndf::Waypoint>& points) {
      for (const rndf::Waypoint& w : points) {
        const geo::EastNorth at = frame.to_plane(detail::place_of(w));
        extend(at.east, at.north);
      }
    };
    for (const rndf::Segment& segment : map.network.segments)
      for (const rndf::Lane& lane : segment.lanes) extend_all(lane.waypoints);
    for (const rndf::Zone& zone : map.network.zones) extend_all(zone.perimeter);
    for (const PlacedObject& p : map.placed.objects) {
      extend(p.position.x, p.position.z);
      for (const Target& target : p.targets) extend(target.to.x, target.to.z);
    }
    return {west - kMargin, -north - kMargin, east - west + 2 * kMargin, north - south + 2 * kMargin};
  }

  svg::Path path(const std::vector<rndf::Waypoint>& points, bool close) const {
    svg::Path path(kDecimals);
    for (const rndf::Waypoint& w : points) {
      const geo::EastNorth at = map_.placed.frame.to_plane(detail::place_of(w));
      path.empty() ? path.move_to(at.east, -at.north) : path.line_to(at.east, -at.north);
    }
    return close && !path.empty() ? path.close() : path;
  }

  void draw_lane(const rndf::Lane& lane) {
    const double width = lane.width_ft && *lane.width_ft > 0 ? *lane.width_ft * rndf::kMetersPerFoot : kDefaultLaneWidth;
    writer_.element("path", {{"d", path(lane.waypoints, false)},
                             {"fill", "none"},
                             {"stroke", "#bbb"},
                             {"stroke-linejoin", "round"},
                             {"stroke-width", width}});
  }

  void draw_goals(const PlacedObject& p) {
    if (p.targets.empty()) return;
    svg::Path path(kDecimals);
    path.move_to(p.position.x, -p.position.z);
    for (const Target& target : p.targets) path.line_to(target.to.x, -target.to.z);
    writer_.element("path",
                    {{"d", path}, {"fill", "none"}, {"stroke", "#268bd2"}, {"stroke-width", 0.5}, {"stroke-dasharray", "2 1"}});
  }

  void draw_object(const PlacedObject& p) {
    const cajunbot::Object& o = map_.file.objects[p.index];
    const std::string transform = svg::translate_rotate(p.position.x, -p.position.z, detail::heading_deg(p.heading), kDecimals);
    writer_.start("g", {{"transform", transform}});
    writer_.text("title", {}, detail::name_of(o, p.index));
    const double width = std::max(o.size.x, kMinObjectSize), length = std::max(o.size.y, kMinObjectSize);
    writer_.element("rect", {{"x", -width / 2},
                             {"y", -length / 2},
                             {"width", width},
                             {"height", length},
                             {"fill", kColorOfType[static_cast<int>(o.type)]}});
    writer_.end();
  }

  const ObjectMap& map_;
  svg::Writer writer_;
};

}  // namespace

std::string to_svg(const ObjectMap& map) { return Picture(map).draw(); }

}  // namespace simbatch::traffic
