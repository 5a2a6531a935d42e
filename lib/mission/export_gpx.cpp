// Each track is a GPX track, each POINT section a waypoint.
#include <fmt/format.h>

#include "formats/gpx/gpx.hpp"
#include "lib/mission/export_detail.hpp"

namespace simbatch::mission::detail {

std::string write_gpx(const Job& job) {
  gpx::Document document;
  document.name = "mission";
  for (const Track& track : job.tracks) {
    gpx::Path path{vehicle_name(track), {}};
    for (const Vertex& vertex : polyline(track, job.options.max_gap)) path.points.push_back({place_of(job, vertex.at), {}});
    for (const medusa::Section& s : track.sections)
      if (s.kind == medusa::Kind::point)
        document.waypoints.push_back({fmt::format("POINT, line {}, {}", s.line, path.name), {place_of(job, {s.xe, s.ye}), {}}});
    if (path.points.size() >= 2) document.tracks.push_back(std::move(path));
  }
  return gpx::write_gpx(document);
}

}  // namespace simbatch::mission::detail
