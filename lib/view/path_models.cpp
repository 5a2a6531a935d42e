// Paths that were planned, and lanes, as lines in the world and on a map.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "base/core/number.hpp"
#include "formats/geojson/geojson.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/view/scene_models.hpp"

namespace simbatch::view {
namespace {

using geo::EastNorth;

/// A line without gaps.
struct MapPath {
  std::string id, name, kind;
  std::vector<EastNorth> points;
};

/// Lanes are those of the second number 1, 2, ...; "1.0" is the perimeter of zone 1.
std::vector<MapPath> map_paths(const scenario::BuiltScenario& built) {
  std::vector<MapPath> paths;
  for (const scenario::PlannedPath& plan : built.plans) {
    std::size_t piece = 0;
    std::vector<EastNorth> points;
    const auto end = [&] {
      if (points.size() > 1) {
        ++piece;
        const std::string id = "path." + plan.robot + (piece == 1 ? "" : "#" + number_text(piece));
        paths.push_back({id, plan.robot, "mission", points});
      }
      points.clear();
    };
    for (std::size_t i = 0; i < plan.x.size(); ++i)
      if (std::isfinite(plan.x[i] + plan.z[i]))
        points.push_back({plan.x[i], plan.z[i]});
      else
        end();
    end();
  }
  for (const scenario::NetworkLine& line : built.network_lines) {
    MapPath path{"lane." + line.name, line.name, line.name.ends_with(".0") ? "zone" : "lane", {}};
    for (std::size_t i = 0; i < line.x.size(); ++i) path.points.push_back({line.x[i], line.z[i]});
    paths.push_back(std::move(path));
  }
  return paths;
}

/// Follows the ground: points are at most 5 m apart, on long lines a thousandth.
std::vector<std::array<double, 3>> draped(const std::vector<EastNorth>& line,
                                          const std::function<double(EastNorth)>& height_at) {
  constexpr double kLongest = 5, kMostPoints = 1000, kLift = 0.1;  // m
  double length = 0;
  for (std::size_t i = 1; i < line.size(); ++i)
    length += std::hypot(line[i].east - line[i - 1].east, line[i].north - line[i - 1].north);
  const double longest = std::max(kLongest, length / kMostPoints);
  std::vector<std::array<double, 3>> points;
  const auto add = [&](EastNorth at) { points.push_back({at.east, height_at(at) + kLift, at.north}); };
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i > 0) {
      const double east = line[i].east - line[i - 1].east, north = line[i].north - line[i - 1].north;
      constexpr double kRounding = 1e-6;  // of a piece
      const auto pieces = static_cast<int>(std::ceil(std::hypot(east, north) / longest - kRounding));
      for (int k = 1; k < pieces; ++k) {
        const double part = static_cast<double>(k) / pieces;
        add({line[i - 1].east + part * east, line[i - 1].north + part * north});
      }
    }
    add(line[i]);
  }
  return points;
}

}  // namespace

std::vector<trace::PathModel> path_models(const BuiltView& view) {
  constexpr std::array<double, 3> kMission = {1, 0.55, 0}, kLane = {0.85, 0.85, 0.85};  // orange, light gray
  physics::World& world = view.built.simulation->world();
  const std::optional<double> water = view.built.cameras->renderer().appearance().water_level;
  const auto height_at = [&](EastNorth at) {
    const std::optional<double> ground = world.terrain_height(at.east, at.north);
    if (!ground) return water.value_or(0);
    return water ? std::max(*water, *ground) : *ground;
  };
  std::vector<trace::PathModel> models;
  for (const MapPath& path : map_paths(view.built))
    models.push_back({path.id, draped(path.points, height_at), path.kind == "mission" ? kMission : kLane});
  return models;
}

std::string paths_geojson(const scenario::BuiltScenario& built) {
  const std::optional<geo::LatLon> origin = built.simulation->settings().origin;
  const std::vector<MapPath> paths = map_paths(built);
  if (!origin || paths.empty()) return {};
  const geo::LocalFrame frame(*origin);
  geojson::Writer out;
  for (const MapPath& path : paths) {
    std::vector<geo::LatLon> places;
    for (const EastNorth& point : path.points) {
      const geo::LatLon place = frame.to_geographic(point);
      if (std::isfinite(place.lat + place.lon)) places.push_back(place);
    }
    if (places.size() < 2) continue;
    out.line(places);
    out.property("name", path.name);
    out.property("kind", path.kind);
  }
  return out.take();
}

std::vector<trace::CameraModel> camera_models(const scenario::BuiltScenario& built) {
  std::vector<trace::CameraModel> models;
  for (const auto& camera : built.cameras->cameras())
    models.push_back({camera.node->name(), static_cast<std::uint32_t>(camera.width), static_cast<std::uint32_t>(camera.height),
                      camera.field_of_view});
  return models;
}

}  // namespace simbatch::view
