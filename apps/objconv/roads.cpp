#include "apps/objconv/roads.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>

#include "apps/common/installation.hpp"
#include "formats/opendrive/opendrive.hpp"
#include "formats/osm/read.hpp"
#include "formats/osm/write.hpp"
#include "formats/rndf/rndf.hpp"
#include "formats/sumo/sumo.hpp"
#include "lib/lanes/codes.hpp"
#include "lib/lanes/network.hpp"
#include "lib/lanes/to_lanelet2.hpp"
#include "lib/lanes/to_opendrive.hpp"
#include "lib/lanes/to_sumo.hpp"
#include "lib/roads/off_ground.hpp"
#include "lib/scenario/town.hpp"

namespace simbatch::objconv {
namespace {

using file_kind::Kind;

constexpr std::string_view kOpenDrive = ".xodr", kSumo = ".net.xml", kLanelet2 = ".lanelet2.osm";
constexpr std::string_view kRoadTargets[] = {kOpenDrive, kSumo, kLanelet2};

std::optional<lanes::Network> network_of_rndf(const Input& input, const rndf::ReadOptions& options, Diagnostics& diagnostics) {
  auto parsed = rndf::read_rndf(input.text(), input.name(), options);
  if (parsed.value) rndf::check(*parsed.value, parsed.diagnostics);
  const bool good = parsed.ok();
  diagnostics.append(std::move(parsed.diagnostics));
  return good ? lanes::from_rndf(*parsed.value, diagnostics) : std::nullopt;
}

/// The heights of a map's roads; nothing if all of them are on a plane.
std::optional<lanes::Heights> heights_of(const scenario::RoadMap& map, const osm::Model& streets, Diagnostics& diagnostics) {
  if (map.is_level() && !roads::may_leave_ground(streets)) return std::nullopt;
  std::string obstacle;
  auto found = map.heights(obstacle, diagnostics);
  if (!obstacle.empty()) {
    Diagnostics about(map.streets().name());
    about.report(lanes::code::kHeight, {}, "heights are left out: " + obstacle);
    diagnostics.append(std::move(about));
  }
  if (!found) return std::nullopt;
  const bool is_flat = map.is_level() && !found->is_any_off_ground();
  const auto heights = std::make_shared<const roads::RoadHeights>(std::move(*found));
  lanes::Heights result;
  if (!is_flat) {
    result.at = [heights](osm::Id from, osm::Id to, const geo::LocalFrame& frame, geo::EastNorth at) {
      return heights->at(from, to, frame, at);
    };
  }
  result.knows = [heights](osm::Id way) { return heights->has(way); };
  result.is_above_geoid = map.is_above_geoid();
  return result;
}

std::optional<lanes::Network> network_of_map(const std::string& path, Input input, const WorldOptions& options,
                                             Diagnostics& diagnostics) {
  const auto map =
      scenario::RoadMap::open(path, std::move(input), {.root = options.root, .library = cli::robot_library()}, diagnostics);
  if (!map) return std::nullopt;
  auto parsed = osm::read(map->streets());
  const bool good = parsed.ok();
  diagnostics.append(std::move(parsed.diagnostics));
  if (!good) return std::nullopt;
  const osm::Model& streets = parsed.value->model;
  auto heights = heights_of(*map, streets, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return lanes::from_osm(streets, std::filesystem::path(map->streets().name()).stem().string(), diagnostics,
                         std::move(heights));
}

}  // namespace

std::string street_map_of(const std::string& path) {
  std::error_code error;
  for (const char* name : scenario::kStreetMaps)
    if (const auto file = std::filesystem::path(path) / name; std::filesystem::is_regular_file(file, error))
      return file.string();
  return path;
}

std::string road_target(std::string_view output) {
  for (const std::string_view target : kRoadTargets)
    if (output.ends_with(target)) return std::string(target);
  return {};
}

bool has_roads(Kind kind) {
  return kind == Kind::rndf || kind == Kind::osm || kind == Kind::packed || kind == Kind::autosim_world;
}

bool is_road_target(std::string_view target) {
  return std::find(std::begin(kRoadTargets), std::end(kRoadTargets), target) != std::end(kRoadTargets);
}

std::optional<std::string> roads_file(const std::string& path, Input input, std::string_view target,
                                      const WorldOptions& options, bool strict, Diagnostics& diagnostics) {
  const bool is_rndf = file_kind::kind_of(input.name(), input.text()) == Kind::rndf;
  const auto network = is_rndf ? network_of_rndf(input, {strict, options.planar}, diagnostics)
                               : network_of_map(path, std::move(input), options, diagnostics);
  if (!network) return std::nullopt;
  if (target == kOpenDrive) return opendrive::write(lanes::to_opendrive(*network));
  if (target == kSumo) return sumo::write(lanes::to_sumo(*network, diagnostics));
  return osm::write_xml(lanes::to_lanelet2(*network, diagnostics));
}

}  // namespace simbatch::objconv
