// Tags: OSM wiki, "Map features". Our own method: parts by ear clipping (triangulate.cpp), lines as bands of quadrilaterals.
#include "lib/roads/areas.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "formats/osm/rings.hpp"
#include "lib/roads/convex.hpp"
#include "lib/roads/drape.hpp"
#include "lib/roads/sea.hpp"
#include "lib/roads/triangulate.hpp"
#include "lib/roads/waterways.hpp"

namespace simbatch::roads {
namespace {
using detail::contains;
using detail::EastNorth;
using detail::Polygon;

constexpr double kSamePlace = 0.1;  // m
// What covers the terrain more than so many times (our choice) is charged to the budget, by the bytes that a triangle takes
// (measured) until wheels can touch it.
constexpr std::size_t kUsualLayers = 4, kCoverTriangleBytes = 290;
struct Meaning {
  std::string_view key, value;
  Cover cover;
};
constexpr Meaning kAreas[] = {
    {"leisure", "park", Cover::park},          {"leisure", "garden", Cover::park},
    {"leisure", "playground", Cover::park},    {"leisure", "golf_course", Cover::park},
    {"landuse", "grass", Cover::park},         {"landuse", "meadow", Cover::park},
    {"landuse", "village_green", Cover::park}, {"landuse", "recreation_ground", Cover::park},
    {"landuse", "cemetery", Cover::park},      {"landuse", "forest", Cover::forest},
    {"natural", "wood", Cover::forest},        {"natural", "beach", Cover::sand},
    {"natural", "sand", Cover::sand},          {"leisure", "pitch", Cover::pitch},
    {"leisure", "track", Cover::pitch},        {"place", "square", Cover::square},
    {"amenity", "parking", Cover::parking},    {"natural", "water", Cover::water},
    {"waterway", "riverbank", Cover::water},   {"waterway", "dock", Cover::water},
    {"landuse", "reservoir", Cover::water},    {"landuse", "basin", Cover::water},
};
struct Band {
  std::string_view key, value;
  Cover cover;
  double width;  // m
};
constexpr Band kBands[] = {
    {"railway", "rail", Cover::railway, 3.2}, {"railway", "light_rail", Cover::railway, 3.2},
    {"railway", "tram", Cover::railway, 3.2}, {"railway", "narrow_gauge", Cover::railway, 3.2},
    {"waterway", "river", Cover::water, 10},  {"waterway", "canal", Cover::water, 6},
    {"waterway", "stream", Cover::water, 2},  {"waterway", "drain", Cover::water, 1.5},
    {"waterway", "ditch", Cover::water, 1.5},
};

/// Whether any object may be water, by the distinct tags of the map.
bool has_water(const osm::Model& map) {
  const auto is_water = [](std::string_view key, std::string_view value) {
    const auto means = [&](const auto& meaning) {
      return meaning.cover == Cover::water && meaning.key == key && meaning.value == value;
    };
    return std::any_of(std::begin(kAreas), std::end(kAreas), means) ||
           std::any_of(std::begin(kBands), std::end(kBands), means) || (key == "natural" && value == "coastline");
  };
  for (std::size_t tag = 0; tag < map.tag_table.size(); ++tag)
    if (is_water(map.key(static_cast<osm::TagId>(tag)), map.value(static_cast<osm::TagId>(tag)))) return true;
  return false;
}

class Collector {
 public:
  /// @param only  other covers are left out, if there is one
  Collector(const osm::Model& map, const geo::LocalFrame& frame, const HeightGrid& terrain, std::vector<AreaOutline>* outlines,
            std::optional<Cover> only = {})
      : map_(map), frame_(frame), terrain_(terrain), outlines_(outlines), only_(only) {}

  MapAreas run() {
    join_waters();
    for (std::size_t way = 0; way < map_.ways.size(); ++way) add_way(way);
    for (std::size_t relation = 0; relation < map_.relations.size(); ++relation) add_relation(relation);
    add_sea();
    return std::move(result_);
  }

 private:
  using Tags = std::span<const osm::TagId>;

  bool is(Tags tags, std::string_view key, std::string_view value) const {
    const auto found = map_.value_of(tags, key);
    return found && *found == value;
  }
  bool is_hidden(Tags tags) const {
    const auto tunnel = map_.value_of(tags, "tunnel");
    return (tunnel && *tunnel != "no") || is(tags, "location", "underground");
  }

  bool is_left_out(Cover cover) const { return only_ && cover != *only_; }

  std::optional<Cover> cover_of(Tags tags) const {
    if (is_hidden(tags) || map_.value_of(tags, "building")) return std::nullopt;
    if (is(tags, "area", "yes") && (is(tags, "highway", "pedestrian") || is(tags, "highway", "footway"))) return Cover::square;
    const auto layer = map_.value_of(tags, "layer");
    const bool is_low = layer && layer->starts_with('-');
    for (const Meaning& meaning : kAreas) {
      if (!is(tags, meaning.key, meaning.value)) continue;
      if (meaning.cover == Cover::parking &&
          (is_low || is(tags, "parking", "underground") || is(tags, "parking", "multi-storey")))
        return std::nullopt;
      return meaning.cover;
    }
    return std::nullopt;
  }

  std::optional<EastNorth> place_of(std::uint32_t node) const {
    const osm::LatLon at = map_.node_positions[node];
    if (std::fabs(at.lon_deg() - frame_.origin().lon) > 60) return std::nullopt;
    return frame_.to_plane({at.lat_deg(), at.lon_deg()});
  }

  Polygon ring(const std::vector<std::uint32_t>& nodes, bool counter_clockwise) const {
    Polygon polygon;
    for (const std::uint32_t node : nodes) {
      const auto at = place_of(node);
      if (!at) return {};
      polygon.push_back(*at);
    }
    const double area = detail::twice_area(polygon);
    if (polygon.size() < 3 || std::fabs(area) < 1) return {};
    if ((area > 0) != counter_clockwise) std::reverse(polygon.begin(), polygon.end());
    return polygon;
  }

  /// A part can lie across the terrain with all corners outside.
  bool is_on_terrain(const Polygon& part) const {
    if (std::any_of(part.begin(), part.end(), [&](EastNorth p) { return terrain_.contains(p.east, p.north); })) return true;
    const EastNorth corners[] = {
        {terrain_.x0, terrain_.z0}, {terrain_.x1(), terrain_.z0}, {terrain_.x1(), terrain_.z1()}, {terrain_.x0, terrain_.z1()}};
    Polygon rest = part, cut;
    for (std::size_t i = 0; i < std::size(corners) && !rest.empty(); ++i) {
      detail::clip(rest, corners[i], corners[(i + 1) % std::size(corners)], true, cut);
      rest.swap(cut);
    }
    return !rest.empty() && detail::twice_area(rest) > 2 * detail::kSliver;
  }
  void add_part(Cover cover, Polygon part) {
    if (is_on_terrain(part))
      result_.parts[static_cast<std::size_t>(cover)].push_back({std::move(part), next_area_, clearance_, layer_});
  }

  void set_use(Cover cover, Tags tags) {
    clearance_ = cover == Cover::water ? water_clearance(map_, tags) : 0;
    layer_ = cover == Cover::water ? water_layer(map_, tags) : 0;
  }

  /// Keeps an outline if parts of it were added since there were `before` of its cover.
  template <class Rings>
  void keep(std::size_t before, Cover cover, AreaOutline::Of of, std::size_t number, Rings rings, double width = 0) {
    if (outlines_ != nullptr && result_.parts[static_cast<std::size_t>(cover)].size() > before)
      outlines_->push_back({cover, of, number, rings(), width});
  }

  void add_area(Cover cover, AreaOutline::Of of, std::size_t number, const Polygon& outer, const std::vector<Polygon>& holes) {
    const std::size_t before = result_.parts[static_cast<std::size_t>(cover)].size();
    const std::vector<EastNorth> corners = detail::triangulate(outer, holes);
    ++(corners.empty() ? result_.open : result_.areas);
    ++next_area_;
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
      if (detail::twice_area(corners[i], corners[i + 1], corners[i + 2]) > 2 * detail::kSliver)
        add_part(cover, {corners[i], corners[i + 1], corners[i + 2]});
    keep(before, cover, of, number, [&] {
      std::vector<Polygon> rings{outer};
      rings.insert(rings.end(), holes.begin(), holes.end());
      return rings;
    });
  }

  Polygon line_of(std::size_t way) const {
    Polygon line;
    for (const osm::Ref ref : map_.refs_of(way)) {
      const auto at = ref.is_missing() ? std::nullopt : place_of(ref.number());
      if (at && (line.empty() || detail::distance(line.back(), *at) > kSamePlace)) line.push_back(*at);
    }
    return line;
  }

  const Band* band_of(std::size_t way) const {
    const Tags tags = map_.tags_of_way(way);
    if (map_.is_closed(way) || is_hidden(tags)) return nullptr;
    for (const Band& band : kBands)
      if (is(tags, band.key, band.value)) return &band;
    return nullptr;
  }

  /// Where exactly two lines of water meet at their ends, they have one edge in common: wide bands would leave a notch there.
  void join_waters() {
    for (std::size_t way = 0; way < map_.ways.size(); ++way) {
      const Band* band = band_of(way);
      if (band == nullptr || band->cover != Cover::water) continue;
      const Polygon& line = water_lines_.emplace(way, line_of(way)).first->second;
      if (line.size() < 2) continue;
      joints_[key_of(line.front())].add(line[1]);
      joints_[key_of(line.back())].add(line[line.size() - 2]);
    }
  }
  static std::pair<double, double> key_of(EastNorth p) { return {p.east, p.north}; }
  /// The point after the end of a line, on the one that continues it.
  std::optional<EastNorth> beyond(EastNorth end, EastNorth own_next) const {
    const auto joint = joints_.find(key_of(end));
    if (joint == joints_.end() || joint->second.lines != 2) return std::nullopt;
    return joint->second.next[joint->second.next[0] == own_next ? 1 : 0];
  }

  void add_band(std::size_t way, const Band& band) {
    ++result_.areas;
    const std::size_t before = result_.parts[static_cast<std::size_t>(band.cover)].size();
    const bool is_water = band.cover == Cover::water;
    const Polygon line = is_water ? std::move(water_lines_.at(way)) : line_of(way);
    set_use(band.cover, map_.tags_of_way(way));
    const double width = is_water ? waterway_width(map_, map_.tags_of_way(way)).value_or(band.width) : band.width;
    EastNorth left, right;
    for (std::size_t i = 0; line.size() > 1 && i < line.size(); ++i) {
      const bool is_first = i == 0, is_last = i + 1 == line.size();
      std::optional<EastNorth> from, to;
      if (is_first || is_last) (is_first ? from : to) = is_water ? beyond(line[i], line[is_first ? 1 : i - 1]) : std::nullopt;
      if (!is_first) from = line[i - 1];
      if (!is_last) to = line[i + 1];
      const EastNorth in = detail::unit(from ? detail::minus(line[i], *from) : detail::minus(*to, line[i])),
                      out = detail::unit(to ? detail::minus(*to, line[i]) : in);
      const EastNorth along = from && to ? detail::unit(detail::plus(in, out)) : out;
      const double stretch = 1 / std::max(0.5, detail::dot(along, in));
      const EastNorth across = detail::times(width / 2 * stretch, detail::left_of(along));
      const EastNorth l = detail::plus(line[i], across), r = detail::minus(line[i], across);
      ++next_area_;
      if (i > 0) {
        const EastNorth corners[] = {right, r, l, left};
        if (detail::is_convex(corners) && detail::twice_area(corners) > 2 * detail::kSliver) {
          add_part(band.cover, {right, r, l, left});
        } else {
          add_triangle(band.cover, right, r, l);
          add_triangle(band.cover, right, l, left);
        }
      }
      left = l;
      right = r;
    }
    keep(
        before, band.cover, AreaOutline::Of::way, way, [&] { return std::vector<Polygon>{line}; }, width);
  }
  void add_triangle(Cover cover, EastNorth a, EastNorth b, EastNorth c) {
    const double area = detail::twice_area(a, b, c);
    if (area > 2 * detail::kSliver) add_part(cover, {a, b, c});
    if (area < -2 * detail::kSliver) add_part(cover, {a, c, b});
  }

  void add_way(std::size_t way) {
    const Tags tags = map_.tags_of_way(way);
    if (is(tags, "natural", "coastline")) {
      add_coastline(way);
      return;
    }
    if (map_.is_closed(way)) {
      const auto cover = cover_of(tags);
      if (!cover || is_left_out(*cover)) return;
      set_use(*cover, tags);
      if (const Polygon outer = ring(osm::ring_of_way(map_, way), true); !outer.empty())
        add_area(*cover, AreaOutline::Of::way, way, outer, {});
      else
        ++result_.open;
      return;
    }
    if (const Band* band = band_of(way); band != nullptr && !is_left_out(band->cover)) add_band(way, *band);
  }

  void add_relation(std::size_t relation) {
    const Tags tags = map_.tags_of_relation(relation);
    if (!is(tags, "type", "multipolygon")) return;
    const auto cover = cover_of(tags);
    if (!cover || is_left_out(*cover)) return;
    set_use(*cover, tags);
    const osm::Rings rings = osm::assemble(map_, relation);
    if (!rings.complete) ++result_.open;
    std::vector<Polygon> outers, inners;
    for (const osm::Ring& r : rings.rings)
      if (Polygon polygon = ring(r.nodes, r.outer); !polygon.empty()) (r.outer ? outers : inners).push_back(std::move(polygon));
    for (const Polygon& outer : outers) {
      std::vector<Polygon> holes;
      for (const Polygon& inner : inners)
        if (contains(outer, inner[0])) holes.push_back(inner);
      add_area(*cover, AreaOutline::Of::relation, relation, outer, holes);
    }
  }

  void add_coastline(std::size_t way) {
    std::optional<EastNorth> last;
    for (const osm::Ref ref : map_.refs_of(way)) {
      const auto at = ref.is_missing() ? std::nullopt : place_of(ref.number());
      if (at && last) coast_.push_back({*last, *at});
      last = at;
    }
  }
  void add_sea() {
    if (coast_.empty()) return;
    ++result_.areas;
    ++next_area_;
    clearance_ = kSeaClearance;
    layer_ = 0;
    std::vector<MapPart>& parts = result_.parts[static_cast<std::size_t>(Cover::water)];
    const std::size_t before = parts.size();
    for (Polygon& part : sea_parts(coast_, {terrain_.x0, terrain_.z0}, {terrain_.x1(), terrain_.z1()}))
      add_part(Cover::water, std::move(part));
    keep(before, Cover::water, AreaOutline::Of::sea, 0, [&] {
      std::vector<Polygon> rings;
      for (std::size_t n = before; n < parts.size(); ++n) rings.push_back(parts[n].outline);
      return rings;
    });
  }

  const osm::Model& map_;
  const geo::LocalFrame& frame_;
  const HeightGrid& terrain_;
  /// The ends of lines of water at a place, and the next point of each.
  struct Joint {
    int lines = 0;
    EastNorth next[2];
    void add(EastNorth next_point) {
      if (lines < 2) next[lines] = next_point;
      ++lines;
    }
  };
  std::vector<CoastPiece> coast_;
  std::map<std::pair<double, double>, Joint> joints_;
  std::map<std::size_t, Polygon> water_lines_;  // of ways, until they are bands
  std::vector<AreaOutline>* outlines_;
  std::optional<Cover> only_;
  std::uint32_t next_area_ = 0;
  double clearance_ = 0;  // of the water whose parts are added
  int layer_ = 0;
  MapAreas result_;
};

}  // namespace

MapAreas map_areas(const osm::Model& map, const geo::LocalFrame& frame, const HeightGrid& terrain,
                   std::vector<AreaOutline>* outlines) {
  return Collector(map, frame, terrain, outlines).run();
}

std::vector<MapPart> map_waters(const osm::Model& map, const geo::LocalFrame& frame, const HeightGrid& terrain) {
  if (!has_water(map)) return {};
  return std::move(Collector(map, frame, terrain, nullptr, Cover::water).run().parts[static_cast<std::size_t>(Cover::water)]);
}

std::array<geo::TriangleMesh, kCovers> cover_meshes(const MapAreas& areas, const HeightGrid& terrain, double lift,
                                                    const std::vector<std::vector<geo::EastNorth>>& holes,
                                                    const Budget& budget) {
  std::array<geo::TriangleMesh, kCovers> meshes;
  detail::PieceIndex index;
  for (const Polygon& hole : holes) index.add(detail::piece_of(hole));
  index.build();
  detail::Drape drape(terrain);
  std::size_t expected = kUsualLayers * 2 * terrain.heights.size();
  std::vector<Polygon> parts;
  for (std::size_t c = 0; c < kCovers; ++c)
    for (const MapPart& part : areas.parts[c]) {
      parts.assign(1, part.outline);
      for (const std::uint32_t n : index.near(detail::box_of(part.outline))) {
        if (!budget.take(parts.size(), part.outline[0])) return meshes;
        detail::subtract(parts, index[n]);
      }
      const std::size_t before = meshes[c].triangle_count();
      for (const Polygon& polygon : parts) drape.add(polygon, lift * static_cast<double>(c + 1) / kCovers, meshes[c]);
      const std::size_t added = meshes[c].triangle_count() - before, within = std::min(added, expected);
      expected -= within;
      if (!budget.hold((added - within) * kCoverTriangleBytes, part.outline[0])) return meshes;
    }
  return meshes;
}

std::map<std::uint32_t, double> lowest_ground(const std::vector<MapPart>& parts, const HeightGrid& terrain) {
  std::map<std::uint32_t, double> lowest;
  for (const MapPart& part : parts)
    for (const EastNorth p : part.outline) {
      const double h = height_at(terrain, p.east, p.north);
      const auto [found, is_new] = lowest.emplace(part.area, h);
      found->second = std::min(found->second, h);
    }
  return lowest;
}

}  // namespace simbatch::roads
