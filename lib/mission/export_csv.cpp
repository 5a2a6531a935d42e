// Samples along the path, in mission and grid meters and, where the mission has a zone, in degrees.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/mission/export_detail.hpp"

namespace simbatch::mission::detail {

using medusa::Kind;
using medusa::Section;

std::string write_csv(const Job& job) {
  std::string out = "vehicle,line,kind,x,y,east,north,lat,lon,heading_deg,curvature,speed,gamma,t\n";
  const mission::Point origin = grid_origin(job);
  for (const Track& track : job.tracks) {
    double t = 0;
    bool timed = true;  // time is known only while all speeds are
    const auto row = [&](const Section& s, const mission::PathPose& pose, double gamma, bool has_heading) {
      std::string lat, lon;
      if (job.georeference != nullptr)
        if (const auto at = job.georeference->at(pose.at)) lat = degrees_text(at->lat), lon = degrees_text(at->lon);
      double heading = 90 - geo::degrees(pose.yaw);
      heading -= 360 * std::floor(heading / 360);
      const std::string heading_text = meters_text(heading);
      out += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", track.vehicle, s.line, medusa::keyword(s.kind), meters_text(pose.at.x),
          meters_text(pose.at.y), meters_text(origin.x + pose.at.x), meters_text(origin.y + pose.at.y), lat, lon,
          has_heading ? (heading_text == "360" ? "0" : heading_text) : "", has_heading ? number_or_null(pose.curvature) : "",
          number_or_null(s.velocity), meters_text(gamma), timed ? meters_text(t) : "");
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
      for (std::int64_t i = 0; static_cast<double>(i) <= pieces; ++i) {
        const double part = static_cast<double>(i) / pieces;
        if (timed) t = begin + part * segment->length() / s.velocity;
        row(s, segment->at(part * segment->length()), s.gamma_s + part * (s.gamma_e - s.gamma_s), true);
      }
    }
  }
  return out;
}

}  // namespace simbatch::mission::detail
