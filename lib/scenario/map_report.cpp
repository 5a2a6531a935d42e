#include "lib/scenario/map_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/core/number.hpp"
#include "lib/roads/usual_widths.hpp"
#include "lib/scenario/codes.hpp"

namespace simbatch::scenario::detail {
namespace {
constexpr double kFar = 20'000;  // m

std::string counted(std::size_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string place_text(geo::EastNorth place, const geo::LocalFrame& frame) {
  const geo::LatLon at = frame.to_geographic(place);
  return number_text(std::round(at.lat * 1e6) / 1e6) + ", " + number_text(std::round(at.lon * 1e6) / 1e6);
}

/// All nodes that are generated houses, on the terrain or not.
std::size_t houses_of(const osm::Model& map) {
  std::size_t n = 0;
  for (std::size_t t = 0; t < map.tagged_nodes.size(); ++t)
    if (map.value_of(map.tags_of_tagged_node(t), "filePath")) ++n;
  return n;
}
}  // namespace

void report_extent(const osm::Model& map, const autosim::MapSetup& setup, const roads::RoadSelection& roads,
                   const roads::HeightGrid& grid, const roads::BuildingSelection& buildings, std::size_t houses,
                   Diagnostics& problems) {
  const std::string origin = number_text(setup.osm.lat) + ", " + number_text(setup.osm.lon);
  if (roads.roads.empty() && roads.broken > 0) {
    problems.report(code::kMapFar, {},
                    "none of " + counted(roads.broken, "road", "roads") + " lies near the setup's NodeOffset (" + origin +
                        "): the world is empty; set NodeOffset to the map's middle (osmgen info shows its extent)");
    return;
  }
  double nearest = std::numeric_limits<double>::infinity();
  std::size_t outside = 0, partly = 0;
  for (const roads::Road& road : roads.roads) {
    bool is_in = false, is_out = false;
    for (std::size_t k = 0; k + 1 < road.line.size(); ++k) {
      // Every 8 m or so: a straight road may cross the terrain between two points that are outside.
      const geo::EastNorth a = road.line[k], b = road.line[k + 1];
      const int n = std::clamp(static_cast<int>(std::hypot(b.east - a.east, b.north - a.north) / 8), 1, 4096);
      for (int i = 0; i <= n; ++i) {
        const double t = static_cast<double>(i) / n;
        const geo::EastNorth p{a.east + t * (b.east - a.east), a.north + t * (b.north - a.north)};
        nearest = std::min(nearest, std::hypot(p.east, p.north));
        (grid.contains(p.east, p.north) ? is_in : is_out) = true;
      }
    }
    if (!is_in) ++outside;
    if (is_in && is_out) ++partly;
  }
  if (!roads.roads.empty() && nearest > kFar) {
    problems.report(code::kMapFar, {},
                    "the nearest of " + counted(roads.roads.size(), "road", "roads") + " is " +
                        std::to_string(std::lround(nearest / 1000)) + " km from the setup's NodeOffset (" + origin +
                        "); set NodeOffset to the map's middle (osmgen info shows its extent)");
    return;
  }
  if (!setup.terrain) return;  // the terrain was made to fit
  const std::size_t all_houses = houses_of(map), lost_houses = all_houses - std::min(houses, all_houses);
  if (outside + partly + buildings.outside + lost_houses == 0) return;
  problems.report(code::kMapCropped, {},
                  "Size (" + number_text(setup.terrain->width) + " m x " + number_text(setup.terrain->height) +
                      " m) is smaller than the map: of " + counted(roads.roads.size(), "road", "roads") + " " +
                      std::to_string(outside) + " lie outside and " + std::to_string(partly) + " are cut off, with " +
                      counted(buildings.outside, "building", "buildings") + " and " + counted(lost_houses, "house", "houses") +
                      "; there is no ground there");
}

void report_kinds(const Input& file, const autosim::MapSetup& setup, const roads::RoadSelection& selection,
                  const std::vector<roads::Road>& roads, Diagnostics& problems) {
  const autosim::HighwayDimensions known = roads::usual_widths();
  std::string list;
  for (const auto& [kind, other] : selection.other_kinds)
    if (known.find(kind) != nullptr && roads::is_for_cars(kind))
      list += (list.empty() ? "" : ", ") + std::to_string(other.ways) + " " + kind +
              (other.ways > 1 ? " (the first is way " : " (way ") + number_text(other.example) + ")";
  if (list.empty()) return;
  const bool is_all = roads.empty() && selection.broken == 0;
  Diagnostics about(file.name());
  about.report_as(is_all ? Severity::warning : code::kMapKinds.severity, code::kMapKinds, setup.highways.place.at,
                  "roads of kinds that are not listed here are left out" +
                      std::string(is_all ? ", and the map has no others: " : ": ") + list);
  problems.append(std::move(about));
}

void report_widths(const roads::UnusedWidths& unused, Diagnostics& problems) {
  if (unused.ways == 0) return;
  problems.report(code::kMapWidths, {},
                  counted(unused.ways, "road has", "roads have") +
                      " a tag that gives no usable width (2 to 50 m, or 1 to 16 lanes): " +
                      (unused.ways > 1 ? "the first is way " : "way ") + number_text(unused.example) + " with " +
                      quoted(unused.tag) + "; usual widths are used");
}

void report_fitting(const roads::Fitting& fitting, std::size_t crossed, Diagnostics& problems) {
  if (fitting.lanes + fitting.pavements + fitting.removed + crossed == 0) return;
  problems.report(code::kMapNarrow, {},
                  "where buildings are closer together than roads are wide: lanes are narrower on " +
                      counted(fitting.lanes, "piece", "pieces") + " of road (" + std::to_string(std::lround(fitting.meters)) +
                      " m), pavements on " + std::to_string(fitting.pavements) + " more; " +
                      counted(fitting.removed + crossed, "building", "buildings") + " on a road left out, " +
                      std::to_string(crossed) + " of them passages");
}

void report_crowded(const std::vector<roads::Road>& roads, geo::EastNorth place, const geo::LocalFrame& frame,
                    Diagnostics& problems) {
  const roads::Road* nearest = roads::nearest_road(roads, place);
  problems.report(
      code::kMapCrowded, {},
      (nearest == nullptr ? std::string("the roads") : "way " + std::to_string(nearest->id)) + " near " +
          place_text(place, frame) + ": " + counted(roads.size(), "road", "roads") +
          " lie over one another so often, or are so long, that their surfaces would take too long to work out; leave "
          "out roads there, or cut the map into parts");
}

void report_crowded_ground(geo::EastNorth place, const geo::LocalFrame& frame, Diagnostics& problems) {
  problems.report(code::kMapCrowded, {},
                  "areas (parks, water, ...) near " + place_text(place, frame) +
                      " lie over one another so often that their surfaces would take too much time and memory; leave out "
                      "areas there, or use a coarser height map");
}

void report_levels(const roads::Levels& levels, const roads::LevelFitting& fitting, double cut_water, Diagnostics& problems) {
  if (levels.empty() && levels.low_over_water == 0) return;
  std::string text = "by layers, " + counted(levels.bridges, "bridge raises", "bridges raise") + " " +
                     std::to_string(std::lround(levels.raised)) + " m of road with their ramps, and " +
                     counted(levels.tunnels, "tunnel lowers", "tunnels lower") + " " +
                     std::to_string(std::lround(levels.lowered)) + " m";
  if (levels.low_over_water > 0)
    text += "; of " + counted(levels.over_water, "bridge", "bridges") + " over water, " +
            counted(levels.low_over_water, "is", "are") + " lower than what passes below needs, because ramps do not fit";
  if (fitting.pieces > 0)
    text += "; beside ramps, lanes are narrower on " + std::to_string(std::lround(fitting.meters)) + " m of road";
  if (cut_water >= 0.5)
    text += "; " + std::to_string(std::lround(cut_water)) + " m2 of water give way to cuttings, whose walls keep it out";
  problems.report(code::kMapLevels, {}, std::move(text));
}

}  // namespace simbatch::scenario::detail
