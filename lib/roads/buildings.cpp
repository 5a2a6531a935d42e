// Heights: OpenStreetMap wiki, Simple 3D Buildings (height, building:levels).
#include "lib/roads/buildings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/osm/rings.hpp"
#include "lib/roads/codes.hpp"
#include "lib/roads/tag_values.hpp"
#include "lib/roads/triangulate.hpp"

namespace simbatch::roads {
namespace {
using detail::contains;
using detail::EastNorth;
using detail::Polygon;

std::pair<double, Prism::Height> height_of(const osm::Model& map, std::span<const osm::TagId> tags) {
  if (const auto height = detail::tag_meters(map, tags, "height")) return {*height, Prism::Height::tagged};
  if (const auto levels = detail::tag_meters(map, tags, "building:levels"))
    return {std::min(detail::kMostLength, *levels * kStory), Prism::Height::by_levels};
  return {kDefaultHeight, Prism::Height::assumed};
}

/// How far the underside of a building is above the ground (m).
double lift_of(const osm::Model& map, std::span<const osm::TagId> tags, double height) {
  std::optional<double> lift = detail::tag_meters(map, tags, "min_height");
  if (!lift)
    if (const auto levels = detail::tag_meters(map, tags, "building:min_level")) lift = *levels * kStory;
  return lift && *lift < height ? *lift : 0;
}

enum class Solid { no_building, not_solid, solid };
Solid is_solid(const osm::Model& map, std::span<const osm::TagId> tags) {
  const auto building = map.value_of(tags, "building");
  if (!building || *building == "no") return Solid::no_building;
  const auto location = map.value_of(tags, "location");
  const auto layer = map.value_of(tags, "layer");
  if (*building == "roof" || *building == "carport" || *building == "bridge" || (location && *location == "underground") ||
      (layer && layer->starts_with('-')))
    return Solid::not_solid;
  return Solid::solid;
}

struct Builder {
  const osm::Model& map;
  const geo::LocalFrame& frame;
  const HeightGrid& terrain;
  BuildingSelection selection;

  /// The ring through these nodes, in the given direction; empty if they do not form a ring.
  Polygon ring(const std::vector<std::uint32_t>& nodes, bool counter_clockwise) const {
    Polygon polygon;
    for (const std::uint32_t node : nodes) {
      const osm::LatLon at = map.node_positions[node];
      if (std::fabs(at.lon_deg() - frame.origin().lon) > 60) return {};
      polygon.push_back(frame.to_plane({at.lat_deg(), at.lon_deg()}));
    }
    const double area = detail::twice_area(polygon);
    if (polygon.size() < 3 || std::fabs(area) < 1) return {};
    if ((area > 0) != counter_clockwise) std::reverse(polygon.begin(), polygon.end());
    return polygon;
  }

  std::string address_of(std::span<const osm::TagId> tags) const {
    const auto street = map.value_of(tags, "addr:street"), number = map.value_of(tags, "addr:housenumber");
    return street && number ? std::string(*street) + " " + std::string(*number) : std::string();
  }

  void add(osm::Kind kind, osm::Id id, Polygon outer, std::vector<Polygon> holes, std::span<const osm::TagId> tags) {
    double low = 1e300, high = -1e300;
    bool is_over = false;
    for (const EastNorth p : outer) {
      const double h = height_at(terrain, p.east, p.north);
      low = std::min(low, h);
      high = std::max(high, h);
      is_over = is_over || terrain.contains(p.east, p.north);
    }
    if (!is_over) {
      ++selection.outside;
      return;
    }
    const auto [height, from] = height_of(map, tags);
    if (from == Prism::Height::assumed) ++selection.default_height;
    const double lift = lift_of(map, tags, height);
    selection.prisms.push_back({kind, id, std::move(outer), std::move(holes), lift > 0 ? low + lift : low - kFoundation,
                                std::max(low + height, high + 1), std::string(map.value_of(tags, "name").value_or("")),
                                address_of(tags), from, lift});
  }

  void add_way(std::size_t way) {
    const auto tags = map.tags_of_way(way);
    const Solid solid = is_solid(map, tags);
    if (solid == Solid::not_solid) ++selection.not_solid;
    if (solid != Solid::solid) return;
    Polygon outer;
    if (map.is_closed(way)) outer = ring(osm::ring_of_way(map, way), true);
    if (outer.empty()) {
      ++selection.open;
      return;
    }
    add(osm::Kind::way, map.ways[way].id, std::move(outer), {}, tags);
  }

  void add_relation(std::size_t relation) {
    const auto tags = map.tags_of_relation(relation);
    const auto type = map.value_of(tags, "type");
    if (!type || *type != "multipolygon") return;
    const Solid solid = is_solid(map, tags);
    if (solid == Solid::not_solid) ++selection.not_solid;
    if (solid != Solid::solid) return;
    const osm::Rings rings = osm::assemble(map, relation);
    if (!rings.complete) ++selection.open;
    std::vector<Polygon> outers, inners;
    for (const osm::Ring& r : rings.rings)
      if (Polygon polygon = ring(r.nodes, r.outer); !polygon.empty()) (r.outer ? outers : inners).push_back(std::move(polygon));
    for (Polygon& outer : outers) {
      std::vector<Polygon> holes;
      for (const Polygon& inner : inners)
        if (contains(outer, inner[0])) holes.push_back(inner);
      add(osm::Kind::relation, map.relations[relation].id, std::move(outer), std::move(holes), tags);
    }
  }
};

void add_walls(const Polygon& ring, double base, double top, geo::TriangleMesh& mesh) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const EastNorth a = ring[i], b = ring[(i + 1) % ring.size()];
    if (a == b) continue;
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    mesh.points.insert(mesh.points.end(),
                       {{a.east, base, a.north}, {b.east, base, b.north}, {b.east, top, b.north}, {a.east, top, a.north}});
    mesh.indices.insert(mesh.indices.end(), {first, first + 2, first + 1, first, first + 3, first + 2});
  }
}

}  // namespace

BuildingSelection mapped_buildings(const osm::Model& map, const geo::LocalFrame& frame, const HeightGrid& terrain) {
  Builder builder{map, frame, terrain, {}};
  for (std::size_t way = 0; way < map.ways.size(); ++way) builder.add_way(way);
  for (std::size_t relation = 0; relation < map.relations.size(); ++relation) builder.add_relation(relation);
  return std::move(builder.selection);
}

void add_prism(const Prism& prism, geo::TriangleMesh& mesh) {
  add_walls(prism.outer, prism.base, prism.top, mesh);
  for (const Polygon& hole : prism.holes) add_walls(hole, prism.base, prism.top, mesh);
  const std::vector<EastNorth> roof = detail::triangulate(prism.outer, prism.holes);
  const auto at = [&](EastNorth p) { return geo::Vec3{p.east, prism.top, p.north}; };
  for (std::size_t i = 0; i + 2 < roof.size(); i += 3) mesh.add(at(roof[i]), at(roof[i + 2]), at(roof[i + 1]));
  if (prism.lift == 0) return;
  const auto under = [&](EastNorth p) { return geo::Vec3{p.east, prism.base, p.north}; };
  for (std::size_t i = 0; i + 2 < roof.size(); i += 3) mesh.add(under(roof[i]), under(roof[i + 1]), under(roof[i + 2]));
}

Parsed<std::vector<HouseBox>> generated_houses(const osm::Model& map, const geo::LocalFrame& frame, const HeightGrid& terrain,
                                               const std::string& file_name) {
  Parsed<std::vector<HouseBox>> result{std::vector<HouseBox>{}, Diagnostics(file_name)};
  constexpr std::array<std::string_view, 6> kKeys = {"filePath", "fileType", "rotY", "sizeX", "sizeY", "sizeZ"};
  for (std::size_t t = 0; t < map.tagged_nodes.size(); ++t) {
    const auto tags = map.tags_of_tagged_node(t);
    const auto path = map.value_of(tags, "filePath");
    if (!path) continue;  // marks a generated node
    const std::uint32_t node = map.tagged_nodes[t];
    HouseBox house;
    house.id = node < map.node_ids.size() ? map.node_ids[node] : 0;
    bool is_good = true;
    const auto text = [&](std::string_view key) {
      const auto value = map.value_of(tags, key);
      if (value) return *value;
      is_good = false;
      result.diagnostics.report(code::kHouse, {},
                                "node " + number_text(house.id) + " has a filePath and no " + std::string(key));
      return std::string_view();
    };
    std::array<std::string_view, 6> values;
    for (std::size_t k = 0; k < kKeys.size(); ++k) values[k] = text(kKeys[k]);
    if (!is_good) continue;
    std::array<double, 4> numbers{};
    for (std::size_t k = 0; k < 4; ++k) {
      const Number<double> number = parse_double(values[k + 2]);
      numbers[k] = number.value;
      if (number && (k == 0 || (number.value > 0 && number.value < 1e4))) continue;
      is_good = false;
      result.diagnostics.report(code::kHouse, {},
                                "node " + number_text(house.id) + ": " + std::string(kKeys[k + 2]) + " is " +
                                    quoted(values[k + 2]) + ", expected " +
                                    (k == 0 ? "a number of degrees" : "a number of meters > 0"));
    }
    if (!is_good) continue;
    house.file_path = values[0];
    house.file_type = values[1];
    house.name = map.value_of(tags, "name").value_or("");
    house.landuse = map.value_of(tags, "landuse").value_or("");
    house.kind = map.value_of(tags, "simbatch:kind").value_or("");
    house.heading = numbers[0];
    house.size = {numbers[1], numbers[2], numbers[3]};
    const osm::LatLon at = map.node_positions[node];
    if (std::fabs(at.lon_deg() - frame.origin().lon) > 60) continue;
    const EastNorth place = frame.to_plane({at.lat_deg(), at.lon_deg()});
    if (!terrain.contains(place.east, place.north)) continue;
    const double angle = geo::radians(house.heading);
    const EastNorth right{std::cos(angle), -std::sin(angle)}, forward{std::sin(angle), std::cos(angle)};
    double y = height_at(terrain, place.east, place.north);
    for (const double u : {-0.5, 0.5})
      for (const double v : {-0.5, 0.5}) {
        const EastNorth p =
            detail::plus(place, detail::plus(detail::times(u * house.size.x, right), detail::times(v * house.size.z, forward)));
        y = std::min(y, height_at(terrain, p.east, p.north));
      }
    house.base = {place.east, y, place.north};
    result.value->push_back(std::move(house));
  }
  return result;
}

}  // namespace simbatch::roads
