#include "lib/town/houses_geojson.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/core/number.hpp"

namespace simbatch::town {
namespace {
std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}
}  // namespace

std::string houses_geojson(Town& town, const PlacedHouses& placement) {
  std::string out = "{\"type\":\"FeatureCollection\",\"features\":[";
  bool first = true;
  for (const House& house : placement.houses) {
    const autosim::HouseModel& model = *town.models[house.model];
    const Vec2 front = direction_of(house.heading), side{front.z, -front.x};
    out += first ? "\n" : ",\n";
    first = false;
    out += R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[)";
    // RFC 7946 wants the outer ring counter-clockwise, the first corner again at the end.
    for (const auto& [a, b] : {std::pair(1, 1), std::pair(-1, 1), std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1)}) {
      const osm::LatLon p = town.plane.to_geographic(
          millimeters(meters(house.center) + side * (a * model.box_size.x / 2) + front * (b * model.box_size.z / 2)));
      if (out.back() == ']') out += ',';
      out += fmt::format("[{:.7f},{:.7f}]", p.lon_deg(), p.lat_deg());
    }
    out += fmt::format(
        R"(]]}},"properties":{{"landuse":{},"name":{},"filePath":{},"fileType":{},"rotY":{},"sizeX":{},"sizeY":{},"sizeZ":{}}}}})",
        json_text(land_use_of(town, house)), json_text(model.name), json_text(model.file.path), json_text(model.file.type),
        number_text(house.heading / 100.0), number_text(model.box_size.x), number_text(model.box_size.y),
        number_text(model.box_size.z));
  }
  return out + "\n]}\n";
}

}  // namespace simbatch::town
