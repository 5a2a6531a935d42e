// A picture in meters east and north of the reference point; y points down, so it is minus north. Arcs stay arcs.
#include <algorithm>
#include <iterator>

#include "formats/svg/svg.hpp"
#include "lib/mission/export_detail.hpp"

namespace simbatch::mission::detail {

using medusa::Kind;
using medusa::Section;

namespace {

constexpr const char* kColors[] = {"#1f6fb2", "#c0392b", "#2e8b57", "#8e44ad", "#d98200", "#16808a"};
constexpr int kDecimals = 4;          // 0.1 mm
constexpr double kPictureSize = 800;  // the longer side, in pixels

struct Bounds {
  double x0 = 0, y0 = 0, x1 = 1, y1 = 1;
  bool any = false;
  void add(Point p) {
    x0 = any ? std::min(x0, p.x) : p.x, x1 = any ? std::max(x1, p.x) : p.x;
    y0 = any ? std::min(y0, p.y) : p.y, y1 = any ? std::max(y1, p.y) : p.y;
    any = true;
  }
};

Bounds bounds_of(const Job& job) {
  Bounds bounds;
  for (const Track& track : job.tracks)
    for (const Section& s : track.sections) {
      if (s.kind == Kind::point) bounds.add({s.xe, s.ye});
      if (const auto segment = Segment::of(s))
        for (const Point p : chords(*segment, std::max(job.options.max_gap, segment->length() / 500))) bounds.add(p);
    }
  return bounds;
}

svg::Path path_of(const Track& track) {
  svg::Path path(kDecimals);
  std::optional<Point> last;
  for (const Section& s : track.sections) {
    const auto segment = Segment::of(s);
    if (!segment) continue;
    const Point a = segment->start(), b = segment->end();
    if (!last || distance(a, *last) > kJoined) path.move_to(a.x, -a.y);
    if (segment->is_arc()) {
      // Two halves, so that neither is more than half a turn.
      const double radius = (segment->start_radius() + segment->end_radius()) / 2;
      const Point middle = segment->at(segment->length() / 2).at;
      for (const Point p : {middle, b}) path.arc_to(radius, segment->sweep() <= 0, p.x, -p.y);
    } else {
      path.line_to(b.x, -b.y);
    }
    last = b;
  }
  return path;
}

}  // namespace

std::string write_svg(const Job& job) {
  const Bounds b = bounds_of(job);
  const double margin = 0.05 * std::max({b.x1 - b.x0, b.y1 - b.y0, 1.0});
  const double width = b.x1 - b.x0 + 2 * margin, height = b.y1 - b.y0 + 2 * margin, stroke = std::max(width, height) / 300;
  svg::Writer writer(
      {b.x0 - margin, -b.y1 - margin, width, height},
      {{"width", kPictureSize * std::min(1.0, width / height)}, {"height", kPictureSize * std::min(1.0, height / width)}},
      kDecimals);
  writer.text("title", {}, "mission: meters east and north of the reference point");
  for (std::size_t k = 0; k < job.tracks.size(); ++k) {
    const Track& track = job.tracks[k];
    const char* color = kColors[k % std::size(kColors)];
    if (const svg::Path path = path_of(track); !path.empty())
      writer.element("path", {{"d", path}, {"fill", "none"}, {"stroke", color}, {"stroke-width", stroke}});
    for (const Section& s : track.sections)
      if (s.kind == Kind::point)
        writer.element("circle", {{"cx", s.xe},
                                  {"cy", -s.ye},
                                  {"r", std::max(s.radius, stroke)},
                                  {"fill", "none"},
                                  {"stroke", color},
                                  {"stroke-width", stroke}});
  }
  return writer.take();
}

}  // namespace simbatch::mission::detail
