#include "lib/scenario/starter_map.hpp"

#include <algorithm>
#include <cmath>

#include "base/core/number.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/read.hpp"
#include "lib/roads/road_lines.hpp"
#include "lib/roads/road_place.hpp"
#include "lib/roads/usual_widths.hpp"
#include "lib/scenario/codes.hpp"

namespace simbatch::scenario {
namespace {

constexpr double kRunIn = 10;  ///< m from a road's beginning to the start

/// The middle of the extent of all ways for cars with a highway tag of that list, to about a meter.
std::optional<geo::LatLon> middle_of(const osm::Model& map, const autosim::HighwayDimensions& kinds) {
  osm::LatLon low{900000000, 1800000000}, high{-900000000, -1800000000};
  for (std::size_t way = 0; way < map.ways.size(); ++way) {
    const auto highway = map.value_of(map.tags_of_way(way), "highway");
    if (!highway || !roads::is_for_cars(*highway) || kinds.find(*highway) == nullptr) continue;
    for (const osm::Ref ref : map.refs_of(way)) {
      if (ref.is_missing()) continue;
      const osm::LatLon at = map.node_positions[ref.number()];
      low = {std::min(low.lat_e7, at.lat_e7), std::min(low.lon_e7, at.lon_e7)};
      high = {std::max(high.lat_e7, at.lat_e7), std::max(high.lon_e7, at.lon_e7)};
    }
  }
  if (low.lat_e7 > high.lat_e7) return std::nullopt;
  const auto rounded = [](double degrees) { return std::round(degrees * 1e5) / 1e5; };
  return geo::LatLon{rounded((low.lat_deg() + high.lat_deg()) / 2), rounded((low.lon_deg() + high.lon_deg()) / 2)};
}

double length_of(const roads::Road& road) {
  double length = 0;
  for (std::size_t i = 1; i < road.line.size(); ++i)
    length += std::hypot(road.line[i].east - road.line[i - 1].east, road.line[i].north - road.line[i - 1].north);
  return length;
}

/// The longest way for cars, if possible one with a name.
const roads::Road* road_to_start_on(const std::vector<roads::Road>& all) {
  const auto is_street = [](const roads::Road& road) {
    return roads::is_for_cars(road.kind) && road.kind != "track" && road.kind != "unsurfaced" && road.kind != "byway" &&
           road.kind != "service" && !road.kind.starts_with("motorway") && !road.is_tunnel;
  };
  const roads::Road* best = nullptr;
  std::tuple<bool, bool, double> best_rank;
  for (const roads::Road& road : all) {
    const std::tuple<bool, bool, double> rank{is_street(road), !road.name.empty(), length_of(road)};
    if (best != nullptr && rank <= best_rank) continue;
    best = &road;
    best_rank = rank;
  }
  return best;
}

Parsed<StarterMap> make(const Input& streets, const Input* setup_file) {
  Parsed<StarterMap> result;
  osm::ReadOptions options;
  options.keep_keys = {"highway", "area", "tunnel", "name"};
  Parsed<osm::Document> parsed = osm::read(streets, options);
  const bool is_read = parsed.ok();
  result.diagnostics.append(std::move(parsed.diagnostics));
  if (!is_read) return result;
  const osm::Model& map = parsed.value->model;

  autosim::MapSetup setup;
  if (setup_file != nullptr) {
    auto given = autosim::read_setup(setup_file->text(), setup_file->name());
    result.diagnostics.append(std::move(given.diagnostics));
    if (!given.value || result.diagnostics.has_errors()) return result;
    setup = std::move(*given.value);
  } else {
    setup = usual_setup(map);
  }
  auto selection = roads::road_lines(map, setup.highways, geo::LocalFrame({setup.osm.lat, setup.osm.lon}));
  if (setup_file == nullptr)
    std::erase_if(selection.roads, [](const roads::Road& way) { return !roads::is_for_cars(way.kind); });
  const roads::Road* road = road_to_start_on(selection.roads);
  StarterMap made;
  if (road != nullptr) {
    made.setup = setup_file != nullptr ? std::string(setup_file->text()) : autosim::write_setup(setup);
    made.road = road->name.empty() ? number_text(road->id) : road->name;
    std::string problem;
    for (const double at : {kRunIn, 0.0}) {
      made.at = at;
      if (roads::place_on(selection.roads, {made.road, at, 1}, problem)) {
        result.value = std::move(made);
        return result;
      }
    }
  }
  Diagnostics none(streets.name());
  none.report(code::kRoad, {}, "the map has no road that cars could drive on");
  result.diagnostics.append(std::move(none));
  return result;
}

}  // namespace

autosim::MapSetup usual_setup(const osm::Model& map) {
  autosim::MapSetup setup;
  setup.highways = roads::usual_widths();
  setup.name = setup.osm.name = setup.roads.name = setup.highways.name = "map";
  if (const auto middle = middle_of(map, setup.highways)) {
    setup.osm.lat = middle->lat;
    setup.osm.lon = middle->lon;
  }
  return setup;
}

Parsed<StarterMap> starter_map(const Input& streets) { return make(streets, nullptr); }
Parsed<StarterMap> starter_map(const Input& streets, const Input& setup) { return make(streets, &setup); }

}  // namespace simbatch::scenario
