// Each track is a line, each POINT section a point.
#include <fmt/format.h>

#include "formats/kml/kml.hpp"
#include "lib/mission/export_detail.hpp"

namespace simbatch::mission::detail {

std::string write_kml(const Job& job) {
  kml::Writer writer("mission");
  for (const Track& track : job.tracks) {
    const std::string name = vehicle_name(track);
    const std::vector<Vertex> vertices = polyline(track, job.options.max_gap);
    if (vertices.size() >= 2) writer.line(name, places_of(job, vertices));
    for (const medusa::Section& s : track.sections)
      if (s.kind == medusa::Kind::point)
        writer.point(fmt::format("POINT, line {}, {}", s.line, name), place_of(job, {s.xe, s.ye}));
  }
  return writer.take();
}

}  // namespace simbatch::mission::detail
