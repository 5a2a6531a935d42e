// Names of properties: the OSM wiki's keys (Simple 3D Buildings), and `height` and `base_height` as styles of MapLibre GL use them
// for fill-extrusion.
#include "lib/roads/town_geojson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/geojson/geojson.hpp"
#include "lib/roads/codes.hpp"
#include "lib/roads/convex.hpp"
#include "lib/roads/road_place.hpp"
#include "lib/roads/tag_values.hpp"

namespace simbatch::roads {
namespace {
using detail::EastNorth;
using detail::Polygon;

constexpr int kMillimeters = 3, kHundredths = 2;  // decimals of meters, of degrees
constexpr double kStraight = 0.001;               // m: points that are so near to the line between others are left out
constexpr std::string_view kRoofTexts[] = {"roof:shape",  "roof:orientation",  "roof:material",
                                           "roof:colour", "building:material", "building:colour"};
constexpr std::string_view kRoofNumbers[] = {"roof:height", "roof:levels"};
constexpr std::string_view kAreaKeys[] = {"leisure", "landuse", "natural",  "place",
                                          "highway", "amenity", "waterway", "railway"};

/// The pieces of a street, joined.
struct Street {
  const Road* first = nullptr;
  std::vector<EastNorth> line;
  std::vector<double> height;  // one a point, if any is not 0
  std::vector<bool> is_node;   // of the map; one a point
  double width = 0, narrowest = std::numeric_limits<double>::infinity(), left = 0, right = 0;
};

class TownWriter {
 public:
  TownWriter(const TownMap& town) : town_(town), map_(town.streets), frame_(town.origin) {
    number(map_.ways, ways_);
    number(map_.relations, relations_);
  }

  std::string run() {
    for (const AreaOutline& area : town_.areas) add_area(area);
    for (std::size_t r = 0; r < town_.roads.size();) add_street(r);
    add_crossings();
    for (const Prism& prism : town_.buildings.prisms) add_building(prism);
    for (const HouseBox& house : town_.houses) add_house(house);
    for (const Furniture& piece : town_.furniture) add_furniture(piece);
    return out_.take();
  }

 private:
  using Tags = std::span<const osm::TagId>;
  using Numbers = std::vector<std::pair<osm::Id, std::uint32_t>>;  // ids with numbers in the model, sorted

  template <class Objects>
  static void number(const Objects& objects, Numbers& numbers) {
    for (std::uint32_t n = 0; n < objects.size(); ++n) numbers.emplace_back(objects[n].id, n);
    std::sort(numbers.begin(), numbers.end());
  }
  static std::optional<std::uint32_t> find(const Numbers& numbers, osm::Id id) {
    const auto found = std::lower_bound(numbers.begin(), numbers.end(), std::pair(id, std::uint32_t{0}));
    return found != numbers.end() && found->first == id ? std::optional(found->second) : std::nullopt;
  }
  Tags tags_of(osm::Kind kind, osm::Id id) const {
    if (kind == osm::Kind::node) {
      const std::uint32_t node = map_.find_node(id);
      return node == osm::kNone ? Tags{} : map_.tags_of_node(node);
    }
    const auto number = find(kind == osm::Kind::way ? ways_ : relations_, id);
    return !number ? Tags{} : kind == osm::Kind::way ? map_.tags_of_way(*number) : map_.tags_of_relation(*number);
  }
  std::string_view value(Tags tags, std::string_view key) const { return map_.value_of(tags, key).value_or(""); }

  geo::LatLon place(EastNorth p) const { return frame_.to_geographic(p); }
  std::vector<geo::LatLon> places(const std::vector<EastNorth>& line) const {
    std::vector<geo::LatLon> result;
    for (const EastNorth p : line) result.push_back(place(p));
    return result;
  }
  double ground(EastNorth p) const { return height_at(town_.grid, p.east, p.north); }

  // Properties.
  void is(std::string_view kind, osm::Kind type, osm::Id id) {
    out_.property("kind", kind);
    out_.property("osm_type", to_text(type));
    out_.property("osm_id", id);
  }
  void text(std::string_view name, std::string_view value) {
    if (!value.empty()) out_.property(name, value);
  }
  void meters(std::string_view name, double value) { out_.property(name, value, kMillimeters); }
  void some_meters(std::string_view name, double value) {
    if (value > 0) meters(name, value);
  }
  /// Of a thing on the ground at y.
  void elevation(double y) {
    if (!town_.is_level) meters("elevation", y);
  }
  void extrusion(double height, double base = 0) {
    meters("height", height);
    meters("base_height", base);
  }
  /// Of a direction (rad from the plane's north), clockwise from true north.
  void heading(double direction, geo::LatLon at) {
    const double degrees = std::remainder(geo::degrees(direction - frame_.convergence(at)), 360);
    const double rounded = std::round((degrees < 0 ? degrees + 360 : degrees) * 100) / 100;
    out_.property("heading", rounded >= 360 ? 0 : rounded, kHundredths);
  }

  void add_area(const AreaOutline& area) {
    const std::string_view cover = kCoverNames[static_cast<std::size_t>(area.cover)];
    if (area.of == AreaOutline::Of::sea) {
      std::vector<std::vector<geo::LatLon>> parts;
      for (const Polygon& ring : area.rings) parts.push_back(places(ring));
      out_.multi_polygon(parts);
      out_.property("kind", cover);
      out_.property("class", "sea");
      return;
    }
    const std::vector<geo::LatLon> outer = places(area.rings.front());
    const bool is_way = area.of == AreaOutline::Of::way;
    if (area.width > 0) {
      out_.line(outer);
    } else {
      std::vector<std::vector<geo::LatLon>> holes;
      for (std::size_t n = 1; n < area.rings.size(); ++n) holes.push_back(places(area.rings[n]));
      out_.polygon(outer, holes);
    }
    const Tags tags = is_way ? map_.tags_of_way(area.number) : map_.tags_of_relation(area.number);
    is(cover, is_way ? osm::Kind::way : osm::Kind::relation,
       is_way ? map_.ways[area.number].id : map_.relations[area.number].id);
    for (const std::string_view key : kAreaKeys)
      if (const auto found = map_.value_of(tags, key)) {
        out_.property("class", *found);
        break;
      }
    text("name", value(tags, "name"));
    some_meters("width", area.width);
  }

  /// Joins the pieces of a street that begins at roads[r], which becomes the number of the next street.
  Street street_from(std::size_t& r) const {
    Street street;
    street.first = &town_.roads[r];
    const auto continues = [&](const Road& road) {
      return street.line.empty() ||
             (road.id == street.first->id && road.layer == street.first->layer && road.line.front() == street.line.back());
    };
    bool is_raised = false;
    for (; r < town_.roads.size() && continues(town_.roads[r]); ++r) {
      const Road& road = town_.roads[r];
      street.width = std::max(street.width, road.width);
      street.narrowest = std::min(street.narrowest, road.width);
      street.left = std::max(street.left, road.left_pavement);
      street.right = std::max(street.right, road.right_pavement);
      std::vector<bool> is_node(road.line.size());
      for (std::size_t i = 0; i < road.at.size(); ++i) is_node[road.at[i]] = road.nodes[i] < map_.node_count();
      for (std::size_t k = street.line.empty() ? 0 : 1; k < road.line.size(); ++k) {
        street.line.push_back(road.line[k]);
        street.is_node.push_back(is_node[k]);
        street.height.push_back(road.height.empty() ? 0 : road.height[k]);
        is_raised = is_raised || street.height.back() != 0;
      }
      if (road.is_closed) {
        ++r;
        break;
      }
    }
    straighten(street);
    if (!is_raised) street.height.clear();
    return street;
  }
  /// Leaves out the points at which pieces were cut between nodes.
  static void straighten(Street& street) {
    std::size_t kept = 0;
    for (std::size_t k = 1; k < street.line.size(); ++k) {
      const bool is_last = k + 1 == street.line.size();
      bool is_needed = is_last || street.is_node[k];
      if (!is_needed) {
        const EastNorth a = street.line[kept], b = street.line[k + 1], p = street.line[k];
        const double length = detail::distance(a, b), t = length > 0 ? detail::distance(a, p) / length : 0;
        const EastNorth on = detail::plus(a, detail::times(t, detail::minus(b, a)));
        const double height = street.height[kept] + t * (street.height[k + 1] - street.height[kept]);
        is_needed = detail::distance(on, p) > kStraight || std::fabs(height - street.height[k]) > kStraight;
      }
      if (!is_needed) continue;
      ++kept;
      street.line[kept] = street.line[k];
      street.height[kept] = street.height[k];
    }
    street.line.resize(kept + 1);
    street.height.resize(kept + 1);
  }

  void add_street(std::size_t& r) {
    const Street street = street_from(r);
    const Road& road = *street.first;
    const Tags tags = tags_of(osm::Kind::way, road.id);
    out_.line(places(street.line));
    is("street", osm::Kind::way, road.id);
    out_.property("class", road.kind);
    text("name", road.name);
    text("ref", value(tags, "ref"));
    meters("width", street.width);
    if (street.narrowest < street.width) meters("narrowest", street.narrowest);
    some_meters("left_pavement", street.left);
    some_meters("right_pavement", street.right);
    Road whole = without_line(road);
    whole.width = street.width;
    out_.property("lanes", lane_count(whole));
    out_.property("oneway", road.one_way);
    out_.property("layer", road.layer);
    for (const char* key : {"bridge", "tunnel"})
      if (const std::string_view set = value(tags, key); !set.empty() && set != "no") out_.property(key, true);
    text("surface", value(tags, "surface"));
    if (!street.height.empty()) {
      const auto [low, high] = std::minmax_element(street.height.begin(), street.height.end());
      some_meters("height", *high);
      some_meters("depth", -*low);
      out_.property("heights", street.height, kMillimeters);
    }
    if (town_.is_level) return;
    std::vector<double> elevations;
    for (const EastNorth p : street.line) elevations.push_back(ground(p));
    out_.property("elevations", elevations, kMillimeters);
  }

  void add_crossings() {
    std::set<std::uint32_t> seen;
    for (const RoadMark& mark : town_.marks) {
      if (mark.kind != RoadMark::Kind::crossing || mark.node >= map_.node_count() || !seen.insert(mark.node).second) continue;
      const osm::LatLon at = map_.node_positions[mark.node];
      const geo::LatLon here{at.lat_deg(), at.lon_deg()};
      out_.point(here);
      is("crossing", osm::Kind::node, map_.node_ids[mark.node]);
      text("class", value(map_.tags_of_node(mark.node), "crossing"));
      const Road& road = town_.roads[mark.road];
      out_.property("street", road.id);
      meters("width", road.width);
      elevation(ground(frame_.to_plane(here)));
    }
  }

  void add_building(const Prism& prism) {
    std::vector<std::vector<geo::LatLon>> holes;
    for (const Polygon& hole : prism.holes) holes.push_back(places(hole));
    out_.polygon(places(prism.outer), holes);
    const Tags tags = tags_of(prism.kind, prism.id);
    is("building", prism.kind, prism.id);
    text("class", value(tags, "building"));
    text("name", prism.name);
    text("address", prism.address);
    const double height = prism.top - prism.ground();
    if (const auto base = detail::tag_meters(map_, tags, "min_height")) meters("min_height", *base);
    extrusion(height, prism.lift);
    constexpr const char* kFrom[] = {"height", "levels", "default"};
    out_.property("height_from", kFrom[static_cast<std::size_t>(prism.height_from)]);
    if (const auto levels = detail::tag_meters(map_, tags, "building:levels")) out_.property("levels", *levels);
    for (const std::string_view key : kRoofTexts) text(key, value(tags, key));
    for (const std::string_view key : kRoofNumbers)
      if (const auto number = detail::tag_meters(map_, tags, key)) meters(key, *number);
    elevation(prism.ground());
  }

  void add_house(const HouseBox& house) {
    const bool is_wooded = house.landuse == "forest" || house.landuse == "wood";
    const std::string_view kind = !house.kind.empty() ? std::string_view(house.kind) : is_wooded ? "tree" : "house";
    const EastNorth middle{house.base.x, house.base.z};
    const geo::LatLon at = place(middle);
    const double angle = geo::radians(house.heading);
    if (kind == "tree") {
      out_.point(at);
    } else {
      const EastNorth right = detail::times(house.size.x / 2, {std::cos(angle), -std::sin(angle)}),
                      front = detail::times(house.size.z / 2, {std::sin(angle), std::cos(angle)});
      const EastNorth a = detail::plus(right, front), b = detail::minus(right, front);
      out_.polygon(std::vector{place(detail::plus(middle, a)), place(detail::minus(middle, b)), place(detail::minus(middle, a)),
                               place(detail::plus(middle, b))});
    }
    is(kind, osm::Kind::node, house.id);
    text("name", house.name);
    text("landuse", house.landuse);
    text("filePath", house.file_path);
    text("fileType", house.file_type);
    if (kind == "tree") meters("diameter", std::max(house.size.x, house.size.z));
    heading(angle, at);
    extrusion(house.size.y);
    elevation(house.base.y);
  }

  void add_furniture(const Furniture& piece) {
    using Kind = Furniture::Kind;
    const geo::LatLon at = place({piece.at.x, piece.at.z});
    out_.point(at);
    const bool is_sign = piece.kind != Kind::signal && piece.kind != Kind::lamp;
    is(piece.kind == Kind::signal ? "signal" : is_sign ? "sign" : "lamp", osm::Kind::node, piece.node);
    if (is_sign)
      text("class", piece.kind == Kind::stop       ? "stop"
                    : piece.kind == Kind::give_way ? "give_way"
                                                   : value(tags_of(osm::Kind::node, piece.node), "traffic_sign"));
    out_.property("number", piece.number);
    heading(piece.heading, at);
    double height = 0;
    for (const FurnitureBox& box : boxes_of(piece.kind)) height = std::max(height, box.middle.y + box.size.y / 2);
    meters("height", height);
    elevation(piece.at.y);
  }

  const TownMap& town_;
  const osm::Model& map_;
  geo::LocalFrame frame_;
  Numbers ways_, relations_;
  geojson::Writer out_;
};

void report_losses(const TownMap& town, const std::string& file, Diagnostics& problems) {
  Diagnostics about(file);
  if (town.other_ways > 0)
    about.report(code::kLossWay, {},
                 fmt::format("ways of other kinds than those of the setup, such as paths, are left out: {}", town.other_ways));
  if (const std::size_t count = town.buildings.not_solid + town.buildings.open; count > 0)
    about.report(
        code::kLossBuilding, {},
        fmt::format(
            "buildings are left out: {}, of which {} have no walls on the ground (such as roofs), and {} are not closed", count,
            town.buildings.not_solid, town.buildings.open));
  if (town.open_areas > 0)
    about.report(code::kLossArea, {}, fmt::format("areas that are not closed are left out: {}", town.open_areas));
  if (!town.is_level)
    about.report(code::kLossGround, {}, "the heights of the ground are written for what is on it, not for the ground itself");
  problems.append(std::move(about));
}

}  // namespace

std::vector<std::string> town_keys() {
  std::vector<std::string> keys{"ref", "surface", "min_height", "building:min_level", "tunnel", "bridge"};
  for (const auto list : {std::span<const std::string_view>(kRoofTexts), std::span<const std::string_view>(kRoofNumbers)})
    keys.insert(keys.end(), list.begin(), list.end());
  return keys;
}

std::string town_geojson(const TownMap& town, const std::string& file, Diagnostics& problems) {
  report_losses(town, file, problems);
  return TownWriter(town).run();
}

}  // namespace simbatch::roads
