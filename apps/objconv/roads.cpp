#include "apps/objconv/roads.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "formats/opendrive/opendrive.hpp"
#include "formats/osm/read.hpp"
#include "formats/osm/write.hpp"
#include "formats/rndf/rndf.hpp"
#include "formats/sumo/sumo.hpp"
#include "lib/lanes/network.hpp"
#include "lib/lanes/to_lanelet2.hpp"
#include "lib/lanes/to_opendrive.hpp"
#include "lib/lanes/to_sumo.hpp"
#include "lib/scenario/town.hpp"

namespace simbatch::objconv {
namespace {

using file_kind::Kind;

constexpr std::string_view kOpenDrive = ".xodr", kSumo = ".net.xml", kLanelet2 = ".lanelet2.osm";
constexpr std::string_view kRoadTargets[] = {kOpenDrive, kSumo, kLanelet2};

std::optional<lanes::Network> network_of(const Input& input, Kind kind, const rndf::ReadOptions& options,
                                         Diagnostics& diagnostics) {
  if (kind == Kind::rndf) {
    auto parsed = rndf::read_rndf(input.text(), input.name(), options);
    if (parsed.value) rndf::check(*parsed.value, parsed.diagnostics);
    const bool good = parsed.ok();
    diagnostics.append(std::move(parsed.diagnostics));
    return good ? lanes::from_rndf(*parsed.value, diagnostics) : std::nullopt;
  }
  auto parsed = osm::read(input);
  const bool good = parsed.ok();
  diagnostics.append(std::move(parsed.diagnostics));
  if (!good) return std::nullopt;
  return lanes::from_osm(parsed.value->model, std::filesystem::path(input.name()).stem().string(), diagnostics);
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

bool has_roads(Kind kind) { return kind == Kind::rndf || kind == Kind::osm || kind == Kind::packed; }

bool is_road_target(std::string_view target) {
  return std::find(std::begin(kRoadTargets), std::end(kRoadTargets), target) != std::end(kRoadTargets);
}

std::optional<std::string> roads_file(const Input& input, Kind kind, std::string_view target, const rndf::ReadOptions& options,
                                      Diagnostics& diagnostics) {
  const auto network = network_of(input, kind, options, diagnostics);
  if (!network) return std::nullopt;
  if (target == kOpenDrive) return opendrive::write(lanes::to_opendrive(*network));
  if (target == kSumo) return sumo::write(lanes::to_sumo(*network, diagnostics));
  return osm::write_xml(lanes::to_lanelet2(*network, diagnostics));
}

}  // namespace simbatch::objconv
