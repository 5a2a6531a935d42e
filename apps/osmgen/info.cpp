#include "apps/osmgen/info.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/geo/geo.hpp"
#include "formats/osm/read.hpp"
#include "lib/town/town.hpp"

namespace simbatch::osmgen {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(osm::FileType type) {
  if (type.format == osm::Format::pbf) return "PBF";
  if (type.compression == osm::Compression::gzip) return "XML, gzip";
  return type.compression == osm::Compression::bzip2 ? "XML, bzip2" : "XML";
}

Json box(osm::LatLon min, osm::LatLon max) {
  return {{"min_lat", min.lat_deg()}, {"min_lon", min.lon_deg()}, {"max_lat", max.lat_deg()}, {"max_lon", max.lon_deg()}};
}

/// Length of a way over the nodes that the file contains, in meters.
double length_of(const osm::Model& m, std::size_t way) {
  double meters = 0;
  const auto refs = m.refs_of(way);
  for (std::size_t i = 1; i < refs.size(); ++i) {
    if (refs[i - 1].is_missing() || refs[i].is_missing()) continue;
    const osm::LatLon a = m.node_positions[refs[i - 1].number()], b = m.node_positions[refs[i].number()];
    meters += geo::geodesic({a.lat_deg(), a.lon_deg()}, {b.lat_deg(), b.lon_deg()}).distance;
  }
  return meters;
}

Json facts_of(const osm::Document& document, const std::string& file) {
  const osm::Model& m = document.model;
  const osm::Facts& f = document.facts;
  Json json;
  json["file"] = file;
  json["type"] = name_of(document.type);
  json["version"] = to_text(m.version);
  json["generator"] = m.generator;
  Json attributes = Json::object();
  for (const auto& [name, value] : m.attributes) attributes[name] = value;
  json["attributes"] = attributes;
  json["bounds"] = Json::array();
  for (const osm::Bounds& b : m.bounds) json["bounds"].push_back(box(b.min, b.max));
  if (m.node_count() > 0) {
    osm::LatLon min = m.node_positions[0], max = min;
    for (const osm::LatLon at : m.node_positions) {
      min = {std::min(min.lat_e7, at.lat_e7), std::min(min.lon_e7, at.lon_e7)};
      max = {std::max(max.lat_e7, at.lat_e7), std::max(max.lon_e7, at.lon_e7)};
    }
    json["extent"] = box(min, max);
  }
  static constexpr osm::Kind kKinds[] = {osm::Kind::node, osm::Kind::way, osm::Kind::relation};
  for (const osm::Kind kind : kKinds) {
    const auto k = static_cast<std::size_t>(kind);
    Json object = {{"count", f.objects[k]}, {"deleted", f.deleted[k]}, {"dangling_references", f.dangling[k]}};
    if (f.objects[k] != 0) {
      object["lowest_id"] = f.lowest_id[k];
      object["highest_id"] = f.highest_id[k];
    }
    json[std::string(to_text(kind)) + "s"] = object;
  }
  json["tags"] = f.tags;
  json["sorted"] = f.sorted;
  json["coordinates_rounded"] = f.longer_digits;
  json["generated_nodes"] = document.layout.located_ids.size();
  json["text_bytes"] = f.text_bytes;

  // Roads by kind: number and length; land use and buildings by number. Sorted by name.
  std::map<std::string, std::pair<std::size_t, double>> roads;
  std::map<std::string, std::size_t> landuse;
  std::size_t buildings = 0;
  for (std::size_t way = 0; way < m.ways.size(); ++way) {
    const auto tags = m.tags_of_way(way);
    if (const auto kind = m.value_of(tags, "highway")) {
      auto& entry = roads[std::string(*kind)];
      ++entry.first;
      entry.second += length_of(m, way);
    }
    if (const auto use = m.value_of(tags, "landuse")) ++landuse[std::string(*use)];
    if (m.value_of(tags, "building")) ++buildings;
  }
  for (std::size_t relation = 0; relation < m.relations.size(); ++relation) {
    const auto tags = m.tags_of_relation(relation);
    if (const auto use = m.value_of(tags, "landuse")) ++landuse[std::string(*use)];
    if (m.value_of(tags, "building")) ++buildings;
  }
  json["roads"] = Json::array();
  for (const auto& [kind, entry] : roads)
    json["roads"].push_back({{"kind", kind}, {"ways", entry.first}, {"km", std::round(entry.second) / 1000}});
  json["landuse"] = Json::array();
  for (const auto& [use, count] : landuse) json["landuse"].push_back({{"landuse", use}, {"areas", count}});
  json["buildings"] = buildings;
  return json;
}

std::string text_of(const Json& json) {
  std::string out;
  const auto line = [&out](std::string_view key, std::string_view value) { out += fmt::format("{:<20} {}\n", key, value); };
  const auto plain = [](const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  const auto corners = [&](const Json& b) {
    return fmt::format("{} {} to {} {}", plain(b["min_lat"]), plain(b["min_lon"]), plain(b["max_lat"]), plain(b["max_lon"]));
  };
  for (const char* key : {"file", "type", "version", "generator"}) line(key, plain(json[key]));
  for (const auto& [name, value] : json["attributes"].items()) line(name, plain(value));
  for (const Json& b : json["bounds"]) line("bounds", corners(b));
  if (json.contains("extent")) line("extent of the nodes", corners(json["extent"]));
  for (const char* key : {"nodes", "ways", "relations"}) {
    const Json& object = json[key];
    std::string value = plain(object["count"]);
    if (object.contains("lowest_id"))
      value += fmt::format(", ids {} to {}", plain(object["lowest_id"]), plain(object["highest_id"]));
    if (object["deleted"] != 0) value += fmt::format(", {} deleted", plain(object["deleted"]));
    if (object["dangling_references"] != 0)
      value += fmt::format(", {} references to absent ones", plain(object["dangling_references"]));
    line(key, value);
  }
  line("tags", plain(json["tags"]));
  line("sorted", json["sorted"].get<bool>() ? "yes" : "no");
  line("rounded coordinates", plain(json["coordinates_rounded"]));
  line("generated nodes", plain(json["generated_nodes"]));
  line("bytes of text", plain(json["text_bytes"]));
  line("buildings", plain(json["buildings"]));
  for (const Json& road : json["roads"])
    line("road", fmt::format("{}: {} ways, {} km", plain(road["kind"]), plain(road["ways"]), plain(road["km"])));
  for (const Json& area : json["landuse"])
    line("land use", fmt::format("{}: {} areas", plain(area["landuse"]), plain(area["areas"])));
  return out;
}

}  // namespace

void add_info_options(CLI::App& command, InfoOptions& options) {
  command.add_option("FILE", options.input, "Map: .osm, .osm.gz, .osm.bz2, .osm.pbf; - is standard input")
      ->type_name("")
      ->required();
  command.add_flag("--json", options.json, "One JSON object instead of a table")->group("Output");
  cli::add_common(command, options.common);
}

cli::ExitCode info(const InfoOptions& options) {
  cli::Reporter reporter(options.common);
  osm::ReadOptions read;
  read.keep_keys = {"highway", "landuse", "building"};
  read.locate_key = std::string(town::kGeneratedKey);
  auto map = osm::read_file(options.input, read);
  const bool ok = map.ok();
  reporter.show(std::move(map.diagnostics));
  if (ok && !reporter.failed()) {
    const Json json = facts_of(*map.value, options.input);
    cli::print(options.json ? json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n" : text_of(json));
  }
  return reporter.finish();
}

}  // namespace simbatch::osmgen
