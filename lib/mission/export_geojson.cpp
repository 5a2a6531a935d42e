// Each track is a line whose property "sections" maps its coordinates to sections; each POINT section is a point.
#include "formats/geojson/geojson.hpp"
#include "lib/mission/export_detail.hpp"

namespace simbatch::mission::detail {

using medusa::Kind;
using medusa::Section;

namespace {

void add_sections(geojson::Writer& writer, const Track& track, const std::vector<Vertex>& line) {
  writer.start_list("sections");
  std::size_t at = 0;
  for (std::size_t i = 0; i < track.sections.size(); ++i) {
    const Section& s = track.sections[i];
    if (!Segment::of(s)) continue;
    // If a section is joined to the one before, its coordinates begin at their shared vertex.
    const std::size_t own = at;
    while (at < line.size() && line[at].section == i) ++at;
    const std::size_t begin = own > 0 && distance(line[own - 1].at, {s.xi, s.yi}) <= kJoined ? own - 1 : own;
    writer.start_object();
    writer.property("line", s.line);
    writer.property("kind", medusa::keyword(s.kind));
    writer.property("speed", s.velocity);
    writer.property("gamma_s", s.gamma_s);
    writer.property("gamma_e", s.gamma_e);
    if (s.kind == Kind::arc) {
      writer.property("radius", s.radius);
      writer.property("direction", s.direction);
    }
    writer.property("first", begin);
    writer.property("last", at - 1);
    writer.end_object();
  }
  writer.end_list();
}

}  // namespace

std::string write_geojson(const Job& job) {
  geojson::Writer writer;
  for (const Track& track : job.tracks) {
    const std::vector<Vertex> line = polyline(track, job.options.max_gap);
    if (line.size() >= 2) {
      writer.line(places_of(job, line));
      writer.property("vehicle", track.vehicle);
      add_sections(writer, track, line);
    }
    for (const Section& s : track.sections) {
      if (s.kind != Kind::point) continue;
      writer.point(place_of(job, {s.xe, s.ye}));
      writer.property("vehicle", track.vehicle);
      writer.property("line", s.line);
      writer.property("kind", "POINT");
      writer.property("radius", s.radius);
      writer.property("speed", s.velocity);
      writer.property("heading", s.heading);
      writer.property("time", s.time);
    }
  }
  return writer.take();
}

}  // namespace simbatch::mission::detail
