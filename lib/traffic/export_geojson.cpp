#include "lib/traffic/maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/core/text.hpp"
#include "base/xml/xml.hpp"

namespace simbatch::traffic {
namespace {

/// Degrees: nine decimals are 0.1 mm.
std::string degrees_text(double value) {
  std::string text = fmt::format("{:.9f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

/// A JSON string; what is not UTF-8 becomes '?'.
std::string json_text(std::string_view text) {
  const bool clean = find_invalid_utf8(text) == std::string_view::npos;
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (byte < 0x20)
      out += fmt::format("\\u{:04x}", byte);
    else if (byte >= 0x80 && !clean)
      out += '?';
    else
      out += c;
  }
  return out + '"';
}

std::string position(double lat, double lon) { return "[" + degrees_text(lon) + "," + degrees_text(lat) + "]"; }

class Features {
 public:
  void add(std::string_view type, const std::string& coordinates, const std::string& properties) {
    out_ += fmt::format(
        "{}\n    {{\"type\":\"Feature\",\"geometry\":{{\"type\":\"{}\",\"coordinates\":{}}},\"properties\":{{{}}}}}",
        first_ ? "" : ",", type, coordinates, properties);
    first_ = false;
  }
  std::string take() {
    return "{\n  \"type\": \"FeatureCollection\",\n  \"features\": [" + out_ + (first_ ? "" : "\n  ") + "]\n}\n";
  }

 private:
  std::string out_;
  bool first_ = true;
};

std::string line_of(const std::vector<rndf::Waypoint>& points, bool close = false) {
  std::string out = "[";
  for (const auto& w : points) out += (out.size() > 1 ? "," : "") + position(w.lat, w.lon);
  if (close && !points.empty()) out += "," + position(points[0].lat, points[0].lon);
  return out + "]";
}

/// RFC 7946 wants the outer ring counter-clockwise.
std::vector<rndf::Waypoint> counter_clockwise(std::vector<rndf::Waypoint> ring) {
  double area = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const auto &a = ring[i], &b = ring[(i + 1) % ring.size()];
    area += (a.lon - ring[0].lon) * (b.lat - ring[0].lat) - (b.lon - ring[0].lon) * (a.lat - ring[0].lat);
  }
  if (area < 0) std::reverse(ring.begin(), ring.end());
  return ring;
}

std::string name_of(const cajunbot::Object& o, std::size_t index) {
  if (o.name && !o.name->empty()) return *o.name;
  return fmt::format("Object {}", o.id ? *o.id : static_cast<std::int32_t>(index + 1));
}

double heading_deg(double heading) {
  double degrees = std::fmod(geo::degrees(heading), 360);
  if (degrees < 0) degrees += 360;
  return degrees;
}

}  // namespace

std::string to_geojson(const rndf::Rndf& network) {
  Features features;
  const rndf::Index index(network);
  const auto exits = [&](const std::vector<rndf::Exit>& list) {
    for (const rndf::Exit& e : list) {
      const auto *from = index.find(e.from), *to = index.find(e.to);
      if (from == nullptr || to == nullptr) continue;
      features.add("LineString", "[" + position(from->lat, from->lon) + "," + position(to->lat, to->lon) + "]",
                   fmt::format("\"kind\":\"exit\",\"from\":\"{}\",\"to\":\"{}\"", to_text(e.from), to_text(e.to)));
    }
  };
  const auto points = [&](const auto& list, const char* kind, auto id) {
    for (const auto& p : list)
      if (const auto* w = index.find(p.at))
        features.add("Point", position(w->lat, w->lon),
                     fmt::format("\"kind\":\"{}\",\"waypoint\":\"{}\"{}", kind, to_text(p.at), id(p)));
  };
  const auto checkpoint_id = [](const rndf::Checkpoint& c) { return fmt::format(",\"checkpoint\":{}", c.id); };
  const auto no_id = [](const rndf::Stop&) { return std::string(); };
  for (const rndf::Segment& segment : network.segments) {
    for (const rndf::Lane& lane : segment.lanes) {
      std::string properties = fmt::format(
          "\"kind\":\"lane\",\"lane\":\"{}.{}\",\"segment_name\":{},\"left_boundary\":\"{}\",\"right_boundary\":\"{}\"",
          lane.segment, lane.number, json_text(segment.name), to_text(lane.left), to_text(lane.right));
      if (lane.width_ft) properties += fmt::format(",\"width_m\":{}", *lane.width_ft * rndf::kMetresPerFoot);
      // A lane of one waypoint is a point: RFC 7946 wants two positions in a line.
      if (lane.waypoints.size() >= 2)
        features.add("LineString", line_of(lane.waypoints), properties);
      else if (lane.waypoints.size() == 1)
        features.add("Point", position(lane.waypoints[0].lat, lane.waypoints[0].lon), properties);
      points(lane.checkpoints, "checkpoint", checkpoint_id);
      points(lane.stops, "stop", no_id);
      exits(lane.exits);
    }
  }
  for (const rndf::Zone& zone : network.zones) {
    if (zone.perimeter.size() >= 3)
      features.add("Polygon", "[" + line_of(counter_clockwise(zone.perimeter), true) + "]",
                   fmt::format("\"kind\":\"zone\",\"zone\":{},\"name\":{}", zone.id, json_text(zone.name)));
    exits(zone.exits);
    for (const rndf::Spot& spot : zone.spots) {
      if (spot.waypoints.size() >= 2)
        features.add("LineString", line_of(spot.waypoints),
                     fmt::format("\"kind\":\"spot\",\"spot\":\"{}.{}\"", spot.zone, spot.number));
      points(spot.checkpoints, "checkpoint", checkpoint_id);
    }
  }
  return features.take();
}

std::string to_geojson(const ObjectMap& map) {
  Features features;
  for (const traffic::Placed& p : map.resolved.objects) {
    const cajunbot::Object& o = map.file.objects[p.index];
    const std::string name = json_text(name_of(o, p.index));
    features.add(
        "Point", position(p.place.lat, p.place.lon),
        fmt::format("\"kind\":\"object\",\"name\":{},\"type\":\"{}\",\"shape\":\"{}\",\"heading_deg\":{:.6g},\"start\":\"{}\"",
                    name, to_text(o.type), to_text(o.shape), heading_deg(p.heading), to_text(o.start)));
    if (p.target_places.empty()) continue;
    const traffic::Motion motion = p.motion();
    std::string line = "[" + position(p.place.lat, p.place.lon);
    for (const geo::LatLon& to : p.target_places) line += "," + position(to.lat, to.lon);
    features.add("LineString", line + "]",
                 fmt::format("\"kind\":\"goals\",\"name\":{},\"goals\":{}", name, p.target_places.size()));
    for (std::size_t k = 0; k < p.target_places.size(); ++k)
      features.add("Point", position(p.target_places[k].lat, p.target_places[k].lon),
                   fmt::format("\"kind\":\"goal\",\"name\":{},\"goal\":{},\"speed\":{},\"pause\":{},\"arrival\":{}", name,
                               k + 1, p.targets[k].speed, p.targets[k].pause,
                               std::isfinite(motion.arrival(k)) ? fmt::format("{:.6f}", motion.arrival(k)) : "null"));
  }
  return features.take();
}

std::string to_kml(const ObjectMap& map) {
  xml::Writer w;
  w.start("kml");
  w.attribute("xmlns", "http://www.opengis.net/kml/2.2");
  w.start("Document");
  const auto leaf = [&](std::string_view name, std::string_view text) {
    w.start(name);
    w.text(text);
    w.end();
  };
  const auto placemark = [&](std::string_view name, std::string_view geometry, const std::string& coordinates) {
    w.start("Placemark");
    leaf("name", name);
    if (geometry == "Polygon") {
      w.start("Polygon");
      w.start("outerBoundaryIs");
      w.start("LinearRing");
      leaf("coordinates", coordinates);
      w.end();
      w.end();
    } else {
      w.start(geometry);
      if (geometry == "LineString") leaf("tessellate", "1");
      leaf("coordinates", coordinates);
    }
    w.end();
    w.end();
  };
  const auto at = [](double lat, double lon) { return degrees_text(lon) + "," + degrees_text(lat); };
  const auto line = [&](const std::vector<rndf::Waypoint>& points) {
    std::string out;
    for (const auto& p : points) out += (out.empty() ? "" : " ") + at(p.lat, p.lon);
    return out;
  };
  leaf("name", map.file.name.value_or("objects"));
  w.start("Folder");
  leaf("name", "network");
  for (const auto& segment : map.network.segments)
    for (const auto& lane : segment.lanes)
      if (lane.waypoints.size() >= 2)
        placemark(fmt::format("lane {}.{}", lane.segment, lane.number), "LineString", line(lane.waypoints));
  for (const auto& zone : map.network.zones)
    if (zone.perimeter.size() >= 3) {
      auto ring = counter_clockwise(zone.perimeter);
      ring.push_back(ring.front());
      placemark(fmt::format("zone {}", zone.id), "Polygon", line(ring));
    }
  w.end();
  w.start("Folder");
  leaf("name", "objects");
  for (const traffic::Placed& p : map.resolved.objects) {
    const std::string name = name_of(map.file.objects[p.index], p.index);
    placemark(name, "Point", at(p.place.lat, p.place.lon));
    if (p.target_places.empty()) continue;
    std::string path = at(p.place.lat, p.place.lon);
    for (const geo::LatLon& to : p.target_places) path += " " + at(to.lat, to.lon);
    placemark(name + ": goals", "LineString", path);
  }
  w.end();
  w.end();
  w.end();
  return w.take();
}

std::string to_svg(const ObjectMap& map) {
  const geo::LocalFrame& frame = map.resolved.frame;
  double west = 1e300, east = -1e300, south = 1e300, north = -1e300;
  const auto extend = [&](geo::EastNorth p) {
    west = std::min(west, p.east), east = std::max(east, p.east);
    south = std::min(south, p.north), north = std::max(north, p.north);
  };
  const auto each_point = [&](const auto& use) {
    for (const auto& s : map.network.segments)
      for (const auto& l : s.lanes) use(l.waypoints);
    for (const auto& z : map.network.zones) use(z.perimeter);
  };
  each_point([&](const std::vector<rndf::Waypoint>& points) {
    for (const auto& p : points) extend(frame.to_plane({p.lat, p.lon}));
  });
  for (const auto& p : map.resolved.objects) {
    extend({p.position.x, p.position.z});
    for (const auto& t : p.targets) extend({t.to.x, t.to.z});
  }
  if (west > east) west = east = south = north = 0;
  constexpr double kMargin = 10;
  xml::Writer w;
  w.start("svg");
  w.attribute("xmlns", "http://www.w3.org/2000/svg");
  w.attribute("viewBox", fmt::format("{:.3f} {:.3f} {:.3f} {:.3f}", west - kMargin, -north - kMargin, east - west + 2 * kMargin,
                                     north - south + 2 * kMargin));
  w.attribute("width", 1000);
  const auto poly = [&](std::string_view element, const std::string& points, std::string_view style) {
    w.start(element);
    w.attribute("points", points);
    w.attribute("style", style);
    w.end();
  };
  const auto plane = [&](const std::vector<rndf::Waypoint>& points) {
    std::string out;
    for (const auto& p : points) {
      const auto e = frame.to_plane({p.lat, p.lon});
      out += fmt::format("{}{:.3f},{:.3f}", out.empty() ? "" : " ", e.east, -e.north);
    }
    return out;
  };
  for (const auto& zone : map.network.zones) poly("polygon", plane(zone.perimeter), "fill:#eee8d5;stroke:#93a1a1");
  for (const auto& segment : map.network.segments)
    for (const auto& lane : segment.lanes)
      poly("polyline", plane(lane.waypoints),
           fmt::format("fill:none;stroke:#bbb;stroke-linejoin:round;stroke-width:{:.3f}",
                       lane.width_ft && *lane.width_ft > 0 ? *lane.width_ft * rndf::kMetresPerFoot : 3.0));
  for (const auto& p : map.resolved.objects) {
    if (p.targets.empty()) continue;
    std::string points = fmt::format("{:.3f},{:.3f}", p.position.x, -p.position.z);
    for (const auto& t : p.targets) points += fmt::format(" {:.3f},{:.3f}", t.to.x, -t.to.z);
    poly("polyline", points, "fill:none;stroke:#268bd2;stroke-width:0.5;stroke-dasharray:2 1");
  }
  constexpr std::string_view kColours[] = {"#d33682", "#268bd2", "#586e75", "#859900"};
  for (const auto& p : map.resolved.objects) {
    const cajunbot::Object& o = map.file.objects[p.index];
    w.start("g");
    w.attribute("transform",
                fmt::format("translate({:.3f} {:.3f}) rotate({:.3f})", p.position.x, -p.position.z, heading_deg(p.heading)));
    w.start("title");
    w.text(name_of(o, p.index));
    w.end();
    w.start("rect");
    const double width = std::max(o.size.x, 0.2), length = std::max(o.size.y, 0.2);
    w.attribute("x", fmt::format("{:.3f}", -width / 2));
    w.attribute("y", fmt::format("{:.3f}", -length / 2));
    w.attribute("width", fmt::format("{:.3f}", width));
    w.attribute("height", fmt::format("{:.3f}", length));
    w.attribute("fill", kColours[static_cast<int>(o.type)]);
    w.end();
    w.end();
  }
  w.end();
  return w.take();
}

std::string to_table(const ObjectMap& map) {
  std::string out = "object\tgoal\tname\twaypoint\teast_m\tnorth_m\tup_m\theading_deg\tlatitude\tlongitude\tarrival_s\n";
  for (const traffic::Placed& p : map.resolved.objects) {
    const cajunbot::Object& o = map.file.objects[p.index];
    const std::string name = name_of(o, p.index);
    out += fmt::format("{}\t0\t{}\t{}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.4f}\t{}\t{}\t0\n", p.index + 1, name, to_text(o.start),
                       p.position.x, p.position.z, p.position.y, heading_deg(p.heading), degrees_text(p.place.lat),
                       degrees_text(p.place.lon));
    const traffic::Motion motion = p.motion();
    for (std::size_t k = 0; k < p.targets.size(); ++k) {
      const traffic::State s = motion.at(motion.arrival(k));
      out += fmt::format("{}\t{}\t{}\t{}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.4f}\t{}\t{}\t{:.4f}\n", p.index + 1, k + 1, name,
                         k < o.goals.size() ? to_text(o.goals[k].to) : "-", p.targets[k].to.x, p.targets[k].to.z,
                         p.targets[k].to.y, heading_deg(s.heading), degrees_text(p.target_places[k].lat),
                         degrees_text(p.target_places[k].lon), motion.arrival(k));
    }
  }
  return out;
}

}  // namespace simbatch::traffic
