#include "lib/town/houses_geojson.hpp"

#include <array>
#include <utility>

#include "formats/geojson/geojson.hpp"

namespace simbatch::town {

std::string houses_geojson(Town& town, const PlacedHouses& placement) {
  geojson::Writer out;
  for (const House& house : placement.houses) {
    const autosim::HouseModel& model = *town.models[house.model];
    const Vec2 front = direction_of(house.heading), side{front.z, -front.x};
    std::array<geo::LatLon, 4> corners;
    std::size_t k = 0;
    for (const auto& [a, b] : {std::pair(1, 1), std::pair(-1, 1), std::pair(-1, -1), std::pair(1, -1)}) {
      const osm::LatLon p = town.plane.to_geographic(
          millimeters(meters(house.center) + side * (a * model.box_size.x / 2) + front * (b * model.box_size.z / 2)));
      corners[k++] = {p.lat_deg(), p.lon_deg()};
    }
    out.polygon(corners);
    const std::string& use = land_use_of(town, house);
    // As in a town's GeoJSON (lib/roads): trees of a land use have no kind of their own.
    const bool is_small = house.model >= town.first_small;
    out.property("kind", is_small ? std::string_view(model.type) : use == "forest" || use == "wood" ? "tree" : "house");
    out.property("height", model.box_size.y);
    out.property("base_height", 0);
    out.property("landuse", use);
    out.property("name", model.name);
    out.property("filePath", model.file.path);
    out.property("fileType", model.file.type);
    out.property("rotY", house.heading / 100.0);
    out.property("sizeX", model.box_size.x);
    out.property("sizeY", model.box_size.y);
    out.property("sizeZ", model.box_size.z);
  }
  return out.take();
}

}  // namespace simbatch::town
