// GeoJSON and KML.

#include <fmt/format.h>

#include <iterator>

#include "lib/mission/export_detail.hpp"

namespace simbatch::mission::detail {

using medusa::Kind;
using medusa::Section;

namespace {

/// "lon, lat" of a place that is known to be on earth.
void put_position(std::string& out, const Job& job, mission::Point p, std::string_view separator) {
  const geo::LatLon at = job.placement->at(p).value_or(geo::LatLon{});
  out += degrees_text(at.lon);
  out += separator;
  out += degrees_text(at.lat);
}

std::string track_name(const Track& track) {
  return track.vehicle == medusa::kAllVehicles ? "all vehicles" : "vehicle " + std::to_string(track.vehicle);
}

}  // namespace

std::string write_geojson(const Job& job) {
  std::string out = "{\"type\": \"FeatureCollection\", \"features\": [";
  bool first = true;
  const auto feature = [&] {
    out += first ? "\n" : ",\n";
    first = false;
    out += "{\"type\": \"Feature\", \"geometry\": ";
  };
  for (const Track& track : job.tracks) {
    const std::vector<Vertex> line = polyline(track, job.options.max_gap);
    if (line.size() >= 2) {
      feature();
      out += "{\"type\": \"LineString\", \"coordinates\": [";
      for (std::size_t i = 0; i < line.size(); ++i) {
        out += i == 0 ? "[" : ", [";
        put_position(out, job, line[i].at, ", ");
        out += "]";
      }
      out += fmt::format("]}}, \"properties\": {{\"vehicle\": {}, \"sections\": [", track.vehicle);
      std::size_t at = 0;
      bool first_section = true;
      for (std::size_t i = 0; i < track.sections.size(); ++i) {
        const Section& s = track.sections[i];
        if (!mission::Segment::of(s)) continue;
        // The coordinates of a section: from the vertex before its own first one, if it is joined to that.
        const std::size_t own = at;
        while (at < line.size() && line[at].section == i) ++at;
        const std::size_t begin = own > 0 && mission::distance(line[own - 1].at, {s.xi, s.yi}) <= 0.02 ? own - 1 : own;
        out += fmt::format("{}{{\"line\": {}, \"kind\": \"{}\", \"speed\": {}, \"gamma_s\": {}, \"gamma_e\": {}, ",
                           first_section ? "" : ", ", s.line, medusa::keyword(s.kind), number_or_null(s.velocity),
                           number_or_null(s.gamma_s), number_or_null(s.gamma_e));
        if (s.kind == Kind::arc)
          out += fmt::format("\"radius\": {}, \"direction\": {}, ", number_or_null(s.radius), s.direction);
        out += fmt::format("\"first\": {}, \"last\": {}}}", begin, at - 1);
        first_section = false;
      }
      out += "]}}";
    }
    for (const Section& s : track.sections) {
      if (s.kind != Kind::point) continue;
      feature();
      out += "{\"type\": \"Point\", \"coordinates\": [";
      put_position(out, job, {s.xe, s.ye}, ", ");
      out += fmt::format(
          "]}}, \"properties\": {{\"vehicle\": {}, \"line\": {}, \"kind\": \"POINT\", \"radius\": {}, \"speed\": {}, "
          "\"heading\": {}, \"time\": {}}}}}",
          track.vehicle, s.line, number_or_null(s.radius), number_or_null(s.velocity), number_or_null(s.heading),
          number_or_null(s.time));
    }
  }
  return out + "\n]}\n";
}

std::string write_kml(const Job& job) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n  <Document>\n    "
      "<name>mission</name>\n";
  for (const Track& track : job.tracks) {
    const std::vector<Vertex> line = polyline(track, job.options.max_gap);
    if (line.size() >= 2) {
      out += fmt::format(
          "    <Placemark>\n      <name>{}</name>\n      <LineString>\n        <tessellate>1</tessellate>\n        "
          "<coordinates>\n",
          track_name(track));
      for (const Vertex& v : line) {
        out += "          ";
        put_position(out, job, v.at, ",");
        out += ",0\n";
      }
      out += "        </coordinates>\n      </LineString>\n    </Placemark>\n";
    }
    for (const Section& s : track.sections) {
      if (s.kind != Kind::point) continue;
      out += fmt::format("    <Placemark>\n      <name>POINT, line {}, {}</name>\n      <Point>\n        <coordinates>", s.line,
                         track_name(track));
      put_position(out, job, {s.xe, s.ye}, ",");
      out += ",0</coordinates>\n      </Point>\n    </Placemark>\n";
    }
  }
  return out + "  </Document>\n</kml>\n";
}

}  // namespace simbatch::mission::detail
