// AutoCAD R12 (AC1009) polylines in grid meters; arcs stay arcs as bulges, the tangent of a quarter of their angle.
#include <fmt/format.h>

#include <cmath>

#include "lib/mission/export_detail.hpp"

namespace simbatch::mission::detail {

using medusa::Kind;
using medusa::Section;

namespace {

class Drawing {
 public:
  explicit Drawing(const Job& job) : job_(job), origin_(grid_origin(job)) {}

  std::string write() {
    out_ = "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1009\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n";
    for (const Track& track : job_.tracks) {
      layer_ = track.vehicle < 0 ? "VEHICLE_ALL" : "VEHICLE_" + std::to_string(track.vehicle);
      for (const Section& section : track.sections) add(section);
      close_polyline();
    }
    return out_ + "0\nENDSEC\n0\nEOF\n";
  }

 private:
  void add(const Section& section) {
    if (section.kind == Kind::point) {
      close_polyline();
      out_ += fmt::format("0\nPOINT\n8\n{}\n10\n{}\n20\n{}\n30\n0\n", layer_, meters_text(origin_.x + section.xe),
                          meters_text(origin_.y + section.ye));
    }
    const auto segment = Segment::of(section);
    if (!segment) return;
    if (open_ && distance(last_, segment->start()) > kJoined) close_polyline();
    if (!open_) out_ += fmt::format("0\nPOLYLINE\n8\n{}\n66\n1\n10\n0\n20\n0\n30\n0\n70\n0\n", layer_);
    open_ = true;
    if (segment->is_arc()) {
      // Split in two: a bulge is finite only below 360 degrees.
      const double bulge = std::tan(segment->sweep() / 8);
      add_vertex(segment->start(), bulge);
      add_vertex(segment->at(segment->length() / 2).at, bulge);
    } else {
      add_vertex(segment->start(), 0);
    }
    last_ = segment->end();
  }

  void add_vertex(Point p, double bulge) {
    out_ += fmt::format("0\nVERTEX\n8\n{}\n10\n{}\n20\n{}\n30\n0\n42\n{}\n", layer_, meters_text(origin_.x + p.x),
                        meters_text(origin_.y + p.y), number_or_null(bulge));
  }

  void close_polyline() {
    if (!open_) return;
    add_vertex(last_, 0);
    out_ += fmt::format("0\nSEQEND\n8\n{}\n", layer_);
    open_ = false;
  }

  const Job& job_;
  Point origin_;
  std::string out_, layer_;
  Point last_;         // end of the open polyline
  bool open_ = false;  // a polyline is
};

}  // namespace

std::string write_dxf(const Job& job) { return Drawing(job).write(); }

}  // namespace simbatch::mission::detail
