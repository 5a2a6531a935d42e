// Outline: (1) the origin of the plane; (2) the meaning of each distinct tag; (3) conversion of the objects (town_objects.cpp),
// ways on two threads; (4) diagnostics of the whole map.
#include "lib/town/make_town.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/core/workers.hpp"
#include "lib/roads/off_ground.hpp"
#include "lib/town/codes.hpp"
#include "lib/town/house.hpp"
#include "lib/town/placer.hpp"
#include "lib/town/tag_meaning.hpp"
#include "lib/town/town_objects.hpp"

namespace simbatch::town {
namespace {

constexpr std::size_t kMostModels = 65'535 - detail::Placer::kReserved;  // House::model has 16 bits
constexpr double kGroundStep = 0.3;    // m: less above or below the ground, a street has houses
constexpr double kBesideRamp = 1.5;    // m: what stays free beside the walls of ramps and cuttings
constexpr std::size_t kMany = 10'000;  // minimum number of ways for a second thread

class Builder {
 public:
  Builder(Town& town, const osm::Model& map, const autosim::MapSetup& setup, const TownOptions& options,
          Diagnostics& diagnostics)
      : town_(town), map_(map), setup_(setup), options_(options), diagnostics_(diagnostics), source_{map, options, {}, {}} {}

  void build(const autosim::HouseList& houses, std::span<const std::uint32_t> generated) {
    town_.clearance = options_.clearance;
    town_.rules = options_.rules;
    choose_origin();
    std::vector<roads::OffGround> off_ground;
    Workers::Task leveling;
    if (town_.rules.ramps)
      leveling = start([&] { off_ground = roads::roads_off_ground(map_, setup_.highways, town_.plane.frame()); });
    source_.meanings = detail::meanings(map_, options_.rules);
    source_.taken.assign(map_.ways.size(), false);
    make_kinds();
    make_uses(houses);
    detail::TownObjects objects(town_, source_);
    for (std::size_t i = 0; i < map_.relations.size(); ++i) objects.add_relation(i);
    add_ways(objects);
    objects.add_nodes(generated);
    leveling.wait();
    add_ramps(off_ground);
    for (const osm::Bounds& bounds : map_.bounds) town_.bounds.emplace_back(bounds.min, bounds.max);
    add_surroundings();
    town_.lengths.erase(
        std::remove_if(town_.lengths.begin(), town_.lengths.end(), [](const KindLength& length) { return length.ways == 0; }),
        town_.lengths.end());
    std::sort(town_.lengths.begin(), town_.lengths.end(), [](const KindLength& a, const KindLength& b) {
      return a.millimeters != b.millimeters ? a.millimeters > b.millimeters : a.kind < b.kind;
    });
    check_named_kinds();
    if (objects.far > 0)
      diagnostics_.report(code::kNodeFar, {}, fmt::format("{} nodes lie more than 2000 km from the origin", objects.far));
    if (objects.open > 0)
      diagnostics_.report(code::kAreaOpen, {},
                          fmt::format("{} multipolygon{} not complete in this file; what closes was used", objects.open,
                                      objects.open == 1 ? " is" : "s are"));
  }

 private:
  /// The second part of the ways is converted to a separate town; concatenating the two equals sequential insertion.
  void add_ways(detail::TownObjects& objects) {
    const std::size_t count = map_.ways.size();
    const std::size_t cut = options_.workers != nullptr && count > kMany ? cut_of_refs() : count;
    const auto room = [](Town& town, std::size_t refs, std::size_t ways) {
      town.points.reserve(town.points.size() + refs + ways / 4);
      town.obstacles.reserve(town.obstacles.size() + refs);
      town.roads.reserve(town.roads.size() + ways);
    };
    room(town_, map_.refs.size(), count);
    Town part;
    std::optional<detail::TownObjects> others;
    Workers::Task other;
    if (cut < count) {
      part.plane = town_.plane;
      part.rules = town_.rules;
      part.kinds = town_.kinds;
      part.lengths = town_.lengths;
      for (KindLength& length : part.lengths) length.ways = 0;
      part.road_obstacle_kind = town_.road_obstacle_kind;
      part.obstacle_kinds = town_.obstacle_kinds;
      others.emplace(part, source_);
      other = options_.workers->start([&] {
        room(part, map_.refs.size() - map_.ways[cut].first_ref, count - cut);
        for (std::size_t i = cut; i < count; ++i) others->add_way(i);
      });
    }
    for (std::size_t i = 0; i < cut; ++i) objects.add_way(i);
    other.wait();
    if (others) objects.append(part, *others);
  }

  /// The first way of the last 2/5 of all references: less than half of the data is duplicated temporarily.
  std::size_t cut_of_refs() const {
    const auto cut = std::lower_bound(map_.ways.begin(), map_.ways.end(), map_.refs.size() / 5 * 3,
                                      [](const osm::Way& way, std::size_t ref) { return way.first_ref < ref; });
    return static_cast<std::size_t>(cut - map_.ways.begin());
  }

  /// A task for an idle thread, or for the one that waits for it.
  Workers::Task start(std::function<void()> work) {
    if (options_.workers == nullptr) {
      work();
      return {};
    }
    return options_.workers->start(std::move(work));
  }

  /// Pieces of road that are neither on the ground nor under it, as obstacles.
  void add_ramps(const std::vector<roads::OffGround>& pieces) {
    for (const roads::OffGround& piece : pieces) {
      const auto is_far = [](geo::EastNorth p) { return std::max(std::fabs(p.east), std::fabs(p.north)) * 1000 > kFarthest; };
      if (is_far(piece.from) || is_far(piece.to) || (options_.over_tunnels && piece.is_covered()) ||
          std::max(std::fabs(piece.from_height), std::fabs(piece.to_height)) < kGroundStep)
        continue;
      // Rounded up, for few kinds.
      const double beside = std::ceil(10 * (piece.half_width + kBesideRamp + options_.clearance + kRounding)) / 10;
      const auto first = static_cast<std::uint32_t>(town_.points.size());
      for (const geo::EastNorth p : {piece.from, piece.to}) town_.points.push_back(millimeters(Vec2{p.east, p.north}));
      town_.obstacles.push_back({first, 2, detail::obstacle_kind(town_, Reason::ramp, beside)});
      town_.has_ramps = true;
    }
  }

  /// Whether at least half of the map's nodes are within some degrees of a place.
  bool has_most_near(geo::LatLon place) const {
    const auto is_near = [place](osm::LatLon at) {
      if (std::fabs(at.lat_deg() - place.lat) >= 2) return false;
      const double dlon = std::fabs(at.lon_deg() - place.lon);
      return dlon < 4 || dlon > 356;
    };
    std::size_t near = 0;
    for (const osm::LatLon at : map_.node_positions)
      if (is_near(at) && 2 * ++near >= map_.node_count()) return true;
    return false;
  }

  /// Of its bounds, or else the mean of its nodes.
  geo::LatLon middle_of_map() const {
    if (!map_.bounds.empty()) {
      const osm::LatLon low = map_.bounds[0].min, high = map_.bounds[0].max;
      return {(low.lat_deg() + high.lat_deg()) / 2, (low.lon_deg() + high.lon_deg()) / 2};
    }
    double lat = 0, lon = 0;
    for (const osm::LatLon at : map_.node_positions) {
      lat += at.lat_deg();
      lon += at.lon_deg();
    }
    const auto n = static_cast<double>(map_.node_count());
    return {lat / n, lon / n};
  }

  void choose_origin() {
    geo::LatLon origin{setup_.osm.lat, setup_.osm.lon};
    if (map_.node_count() > 0 && !has_most_near(origin)) {
      // A rounded position, unaffected by small edits of the map.
      const auto [lat, lon] = middle_of_map();
      const geo::LatLon middle{std::round(lat * 10) / 10, std::round(lon * 10) / 10};
      const double away = geo::geodesic(origin, middle).distance;
      diagnostics_.report(code::kOriginFar, {},
                          fmt::format("the map's middle (about {:.1f}, {:.1f}) is {:.0f} km from the setup's NodeOffset "
                                      "({}, {}); rotations count from the middle's north",
                                      middle.lat, middle.lon, away / 1000, number_text(origin.lat), number_text(origin.lon)));
      origin = middle;
    }
    town_.plane = Plane(origin);
  }

  void make_kinds() {
    for (const std::string& value : source_.meanings.highways) {
      RoadKind kind;
      kind.name = value;
      if (const autosim::HighwayKind* known = setup_.highways.find(value)) {
        kind.in_setup = true;
        // No road is 500 m wide; a typing error must not make every obstacle touch every position.
        kind.width = std::min(known->width, 500.0);
        kind.left = std::min(known->left_pavement, 100.0);
        kind.right = std::min(known->right_pavement, 100.0);
      } else {
        kind.width = detail::typical_width(value);
        kind.path = detail::is_path(value);
      }
      const auto among = [&](const std::vector<std::string>& names) {
        return std::find(names.begin(), names.end(), value) != names.end();
      };
      const bool usual = kind.in_setup || (options_.rules.centers && is_center(value));
      const bool back = options_.rules.tracks && is_back_way(value) && !among(options_.along);
      kind.houses = usual && !back && !detail::is_fast(value) && !among(options_.not_along);
      kind.spacing = spacing_of(value);
      const Reason reason = kind.path ? Reason::path : Reason::road;
      town_.road_obstacle_kind.push_back(detail::obstacle_kind(town_, reason, kind.half() + options_.clearance + kRounding));
      town_.lengths.push_back({value, 0, 0, kind.in_setup, kind.houses});
      town_.kinds.push_back(std::move(kind));
    }
  }

  /// Reports kinds named by the user that change nothing.
  void check_named_kinds() {
    std::vector<std::string_view> kinds;
    std::string list;
    for (const KindLength& length : town_.lengths) kinds.push_back(length.kind);
    std::sort(kinds.begin(), kinds.end());
    for (const std::string_view kind : kinds) list += (list.empty() ? "" : ", ") + printable(kind);
    const auto check = [&](const std::string& name, std::string_view purpose) {
      if (std::binary_search(kinds.begin(), kinds.end(), name)) return true;
      const std::string_view meant = nearest(name, kinds);
      diagnostics_.report(
          code::kKindNone, {},
          fmt::format("no road is of the kind {}, which is to have {}; {} map has: {}", quoted(name), purpose,
                      meant.empty() ? "the" : "did you mean " + quoted(meant) + "? The", list.empty() ? "none" : list));
      return false;
    };
    for (const std::string& name : options_.not_along) check(name, "no houses");
    for (const std::string& name : options_.along) {
      if (!check(name, "houses")) continue;
      const bool listed = setup_.highways.find(name) != nullptr;
      if (listed && is_back_way(name)) continue;
      diagnostics_.report(
          code::kKindNone, {},
          fmt::format("the kind {}, which is to have houses, is {}", quoted(name),
                      listed ? "not a back way: it may have them anyway" : "not in the setup, and so has none"));
    }
  }

  /// What the map shows of places that are asked for house by house: areas, signs of settlement, neighborhoods.
  void add_surroundings() {
    const bool of_neighborhoods = town_.rules.of_neighborhoods(), settlement = town_.rules.settlement;
    Workers::Task areas = start([this] { town_.areas.build(); });
    StreetLengths streets;
    if (of_neighborhoods || settlement) add_streets(streets);
    Workers::Task neighborhoods;
    if (of_neighborhoods) neighborhoods = start([&] { add_neighborhoods(streets); });
    if (settlement) add_discs();
    neighborhoods.wait();
    if (settlement) {
      town_.settlement.set_streets(std::move(streets));
      town_.settlement.build();
    }
    areas.wait();
  }

  /// Where people live: around mapped buildings and the nodes of settlements. (And where streets are dense, or areas say so.)
  void add_discs() {
    Settlement& signs = town_.settlement;
    for (const ObstacleGrid::Obstacle& obstacle : town_.obstacles)
      if (town_.obstacle_kinds[obstacle.kind].reason == Reason::building)
        signs.add_disc(meters(town_.points[obstacle.first]), options_.rules.sign_distance);
    for (const auto& place : town_.place_nodes) signs.add_disc(meters(place.first), place.second);
  }

  /// All streets on the ground.
  void add_streets(StreetLengths& lengths) const {
    std::vector<bool> streets;
    for (const RoadKind& kind : town_.kinds) streets.push_back(is_street(kind.name));
    for (const TownRoad& road : town_.roads) {
      if (!streets[road.kind] || road.is(TownRoad::tunnel)) continue;
      Vec2 before = meters(town_.points[road.first]);
      for (std::uint32_t k = road.first + 1; k < road.first + road.count; ++k) {
        const Vec2 here = meters(town_.points[k]);
        lengths.add(before, here);
        before = here;
      }
    }
  }

  void add_neighborhoods(const StreetLengths& streets) {
    town_.neighborhoods.add_streets(streets);
    for (const MappedLook& look : town_.looks) town_.neighborhoods.add_building(look);
    town_.looks = std::vector<MappedLook>();
    town_.neighborhoods.build();
  }

  void set_shares(Use& use) const {
    const auto weight = [&](std::uint32_t m) { return town_.models[use.first_model + m]->weight; };
    double sum = 0;
    bool is_equal = true;
    for (std::uint32_t m = 0; m < use.models; ++m) {
      sum += weight(m);
      is_equal = is_equal && weight(m) == weight(0);
    }
    if (is_equal) return;
    double share = 0;
    for (std::uint32_t m = 0; m < use.models; ++m) use.shares.push_back(share += weight(m) / sum);
  }

  void make_uses(const autosim::HouseList& houses) {
    std::map<std::string_view, std::pair<std::uint32_t, std::uint32_t>> sections;
    const auto is_small = [](const autosim::LanduseSection& section) {
      return std::find(kSmallNames.begin(), kSmallNames.end(), section.landuse) != kSmallNames.end();
    };
    const auto add_section = [&](const autosim::LanduseSection& section) {
      const auto first = static_cast<std::uint32_t>(town_.models.size());
      for (const autosim::HouseModel& model : section.models)
        if (town_.models.size() < kMostModels) town_.models.push_back(&model);
      sections.emplace(section.landuse, std::pair(first, static_cast<std::uint32_t>(town_.models.size()) - first));
    };
    for (const autosim::LanduseSection& section : houses.sections)
      if (!is_small(section)) add_section(section);
    town_.first_small = town_.models.size();
    for (const std::string& name : source_.meanings.uses) {
      Use use{name, 0, 0};
      if (const auto found = sections.find(name); found != sections.end()) {
        use.first_model = found->second.first;
        use.models = found->second.second;
      }
      use.settled = is_settled(name);
      use.trees = use.models > 0;
      for (std::uint32_t m = 0; m < use.models; ++m) use.trees = use.trees && town_.models[use.first_model + m]->is_tree();
      set_shares(use);
      town_.uses.push_back(std::move(use));
    }
    // Not land uses: no area of the map has them.
    for (const autosim::LanduseSection& section : houses.sections)
      if (is_small(section)) add_section(section);
    for (std::size_t small = 0; small < kSmallNames.size(); ++small) {
      const auto found = sections.find(kSmallNames[small]);
      if (found == sections.end() || found->second.second == 0) continue;
      town_.small_uses[small] = static_cast<std::uint16_t>(town_.uses.size());
      town_.uses.push_back({std::string(kSmallNames[small]), found->second.first, found->second.second});
      set_shares(town_.uses.back());
    }
    if (town_.uses[0].models == 0)
      diagnostics_.report(code::kNoResidential, {},
                          "no houses in the section \"residential\": nothing is placed where the map has no land use");
  }

  Town& town_;
  const osm::Model& map_;
  const autosim::MapSetup& setup_;
  const TownOptions& options_;
  Diagnostics& diagnostics_;
  detail::TownSource source_;
};
}  // namespace

std::vector<std::string> town_keys() {
  std::vector<std::string> keys = detail::known_keys();
  for (const char* key : {"filePath", "rotY", "sizeX", "sizeZ"}) keys.emplace_back(key);
  for (std::string& key : roads::off_ground_keys()) keys.push_back(std::move(key));
  return keys;
}

Town make_town(const osm::Model& map, const autosim::MapSetup& setup, const autosim::HouseList& houses,
               std::span<const std::uint32_t> generated, const TownOptions& options, Diagnostics& diagnostics) {
  Town town;
  Builder(town, map, setup, options, diagnostics).build(houses, generated);
  return town;
}

}  // namespace simbatch::town
