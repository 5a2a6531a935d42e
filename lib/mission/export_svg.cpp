// CSV samples, SVG and DXF: local metres (DXF: grid metres), no earth needed.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/mission/export_detail.hpp"

namespace simbatch::mission::detail {

using medusa::Kind;
using medusa::Section;

namespace {

mission::Point grid_origin(const Job& job) {
  if (job.placement != nullptr) return {job.placement->reference().easting, job.placement->reference().northing};
  if (job.mission.reference) return {job.mission.reference->easting, job.mission.reference->northing};
  return {};
}

}  // namespace

std::string write_csv(const Job& job) {
  std::string out = "vehicle,line,kind,x,y,east,north,lat,lon,heading_deg,curvature,speed,gamma,t\n";
  const mission::Point origin = grid_origin(job);
  for (const Track& track : job.tracks) {
    double t = 0;
    bool timed = true;  // the time is known as long as every speed is
    const auto row = [&](const Section& s, const mission::PathPose& pose, double gamma, bool has_heading) {
      std::string lat, lon;
      if (job.placement != nullptr)
        if (const auto at = job.placement->at(pose.at)) lat = degrees_text(at->lat), lon = degrees_text(at->lon);
      double heading = 90 - geo::degrees(pose.yaw);
      heading -= 360 * std::floor(heading / 360);
      const std::string heading_text = metres_text(heading);
      out += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", track.vehicle, s.line, medusa::keyword(s.kind), metres_text(pose.at.x),
          metres_text(pose.at.y), metres_text(origin.x + pose.at.x), metres_text(origin.y + pose.at.y), lat, lon,
          has_heading ? (heading_text == "360" ? "0" : heading_text) : "", has_heading ? number_or_null(pose.curvature) : "",
          number_or_null(s.velocity), metres_text(gamma), timed ? metres_text(t) : "");
    };
    for (const Section& s : track.sections) {
      if (s.kind == Kind::point) {
        row(s, {{s.xe, s.ye}, 0, 0}, 0, false);
        if (s.time > 0)
          t += s.time;
        else if (s.time < 0)
          timed = false;
        continue;
      }
      const auto segment = mission::Segment::of(s);
      if (!segment) continue;
      timed = timed && s.velocity > 0;
      const double pieces = std::max(1.0, std::ceil(segment->length() / job.options.step));
      const double begin = t;
      for (double i = 0; i <= pieces; ++i) {
        const double part = i / pieces;
        if (timed) t = begin + part * segment->length() / s.velocity;
        row(s, segment->at(part * segment->length()), s.gamma_s + part * (s.gamma_e - s.gamma_s), true);
      }
    }
  }
  return out;
}

std::string write_svg(const Job& job) {
  static constexpr const char* kColors[] = {"#1f6fb2", "#c0392b", "#2e8b57", "#8e44ad", "#d98200", "#16808a"};
  double x0 = 1e300, y0 = 1e300, x1 = -1e300, y1 = -1e300;
  const auto include = [&](mission::Point p) {
    x0 = std::min(x0, p.x), x1 = std::max(x1, p.x), y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
  };
  for (const Track& track : job.tracks)
    for (const Section& s : track.sections) {
      if (s.kind == Kind::point) include({s.xe, s.ye});
      if (const auto segment = mission::Segment::of(s))
        for (const mission::Point p : mission::chords(*segment, std::max(job.options.max_gap, segment->length() / 500)))
          include(p);
    }
  if (x0 > x1) x0 = y0 = 0, x1 = y1 = 1;
  const double margin = 0.05 * std::max({x1 - x0, y1 - y0, 1.0});
  const double width = x1 - x0 + 2 * margin, height = y1 - y0 + 2 * margin, stroke = std::max(width, height) / 300;
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" "
      "height=\"{}\" viewBox=\"{} {} {} {}\">\n"
      "  <title>mission: metres east and north of the reference point</title>\n",
      metres_text(800 * std::min(1.0, width / height)), metres_text(800 * std::min(1.0, height / width)),
      metres_text(x0 - margin), metres_text(-y1 - margin), metres_text(width), metres_text(height));
  for (std::size_t k = 0; k < job.tracks.size(); ++k) {
    const Track& track = job.tracks[k];
    const char* color = kColors[k % std::size(kColors)];
    std::string d, circles;
    mission::Point last{1e300, 1e300};
    for (const Section& s : track.sections) {
      if (s.kind == Kind::point)
        circles += fmt::format("  <circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
                               metres_text(s.xe), metres_text(-s.ye), metres_text(std::max(s.radius, stroke)), color,
                               metres_text(stroke));
      const auto segment = mission::Segment::of(s);
      if (!segment) continue;
      const mission::Point a = segment->start();
      if (mission::distance(a, last) > 0.02)
        d += fmt::format("{}M {} {}", d.empty() ? "" : " ", metres_text(a.x), metres_text(-a.y));
      if (segment->is_arc()) {
        // Two arcs of at most 180 degrees; the picture's y points down, so counter-clockwise is SVG's sweep 0.
        for (const double part : {0.5, 1.0}) {
          const mission::Point b = part == 1.0 ? segment->end() : segment->at(segment->length() / 2).at;
          const double r = (segment->start_radius() + segment->end_radius()) / 2;
          d += fmt::format(" A {0} {0} 0 0 {1} {2} {3}", metres_text(r), segment->sweep() > 0 ? 0 : 1, metres_text(b.x),
                           metres_text(-b.y));
        }
      } else {
        d += fmt::format(" L {} {}", metres_text(segment->end().x), metres_text(-segment->end().y));
      }
      last = segment->end();
    }
    if (!d.empty())
      out += fmt::format("  <path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n", d, color, metres_text(stroke));
    out += circles;
  }
  return out + "</svg>\n";
}

std::string write_dxf(const Job& job) {
  const mission::Point origin = grid_origin(job);
  std::string out = "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1009\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n";
  for (const Track& track : job.tracks) {
    const std::string layer = track.vehicle < 0 ? "VEHICLE_ALL" : "VEHICLE_" + std::to_string(track.vehicle);
    const auto vertex = [&](mission::Point p, double bulge) {
      out += fmt::format("0\nVERTEX\n8\n{}\n10\n{}\n20\n{}\n30\n0\n42\n{}\n", layer, metres_text(origin.x + p.x),
                         metres_text(origin.y + p.y), number_or_null(bulge));
    };
    bool open = false;
    mission::Point last{};
    const auto close = [&] {
      if (!open) return;
      vertex(last, 0);
      out += fmt::format("0\nSEQEND\n8\n{}\n", layer);
      open = false;
    };
    for (const Section& s : track.sections) {
      if (s.kind == Kind::point)
        out.insert(out.size(), open ? ""
                                    : fmt::format("0\nPOINT\n8\n{}\n10\n{}\n20\n{}\n30\n0\n", layer,
                                                  metres_text(origin.x + s.xe), metres_text(origin.y + s.ye)));
      const auto segment = mission::Segment::of(s);
      if (!segment) {
        if (s.kind == Kind::point && open) {
          close();
          out += fmt::format("0\nPOINT\n8\n{}\n10\n{}\n20\n{}\n30\n0\n", layer, metres_text(origin.x + s.xe),
                             metres_text(origin.y + s.ye));
        }
        continue;
      }
      if (open && mission::distance(last, segment->start()) > 0.02) close();
      if (!open) out += fmt::format("0\nPOLYLINE\n8\n{}\n66\n1\n10\n0\n20\n0\n30\n0\n70\n0\n", layer);
      open = true;
      if (segment->is_arc()) {
        // Halves: a bulge is finite only below 360 degrees.
        const double bulge = std::tan(segment->sweep() / 8);
        vertex(segment->start(), bulge);
        vertex(segment->at(segment->length() / 2).at, bulge);
      } else {
        vertex(segment->start(), 0);
      }
      last = segment->end();
    }
    close();
  }
  return out + "0\nENDSEC\n0\nEOF\n";
}

}  // namespace simbatch::mission::detail
