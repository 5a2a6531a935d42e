/// OpenStreetMap files in `check` and `info`.
#include <algorithm>
#include <map>

#include "apps/objconv/kinds.hpp"
#include "formats/osm/read.hpp"

namespace simbatch::objconv {
namespace {

void check_map(std::string_view text, const std::string& file, const Reading&, Diagnostics& diagnostics) {
  osm::ReadOptions options;
  options.remarks = true;
  options.keep_keys = {"highway"};
  diagnostics.append(osm::read(text, options, file).diagnostics);
}

std::vector<Fact> map_info(std::string_view text, const std::string& file, const Reading&, Diagnostics& diagnostics) {
  osm::ReadOptions options;
  options.keep_keys = {"highway", "building"};
  auto parsed = osm::read(text, options, file);
  diagnostics.append(std::move(parsed.diagnostics));
  if (!parsed.value) return {};
  const osm::Model& map = parsed.value->model;
  std::vector<Fact> facts = {fact("version", std::string(to_text(map.version))), fact("nodes", map.node_count()),
                             fact("ways", map.ways.size()), fact("relations", map.relations.size())};
  if (map.node_count() > 0) {
    const auto [south, north] =
        std::minmax_element(map.node_positions.begin(), map.node_positions.end(),
                            [](const osm::LatLon& a, const osm::LatLon& b) { return a.lat_e7 < b.lat_e7; });
    const auto [west, east] =
        std::minmax_element(map.node_positions.begin(), map.node_positions.end(),
                            [](const osm::LatLon& a, const osm::LatLon& b) { return a.lon_e7 < b.lon_e7; });
    facts.insert(facts.end(), {fact("south", south->lat_deg()), fact("north", north->lat_deg()), fact("west", west->lon_deg()),
                               fact("east", east->lon_deg())});
  }
  std::size_t buildings = 0;
  std::map<std::string, std::size_t> roads;
  for (std::size_t way = 0; way < map.ways.size(); ++way) {
    if (const auto kind = map.value_of(map.tags_of_way(way), "highway")) ++roads["highway." + std::string(*kind)];
    if (map.value_of(map.tags_of_way(way), "building")) ++buildings;
  }
  facts.push_back(fact("buildings", buildings));
  for (const auto& [kind, count] : roads) facts.push_back(fact(kind, count));
  return facts;
}

constexpr FileKind kMapKinds[] = {{"osm", "OpenStreetMap file", twice(file_kind::Kind::osm), check_map, map_info, nullptr}};

}  // namespace

std::span<const FileKind> map_kinds() { return kMapKinds; }

}  // namespace simbatch::objconv
