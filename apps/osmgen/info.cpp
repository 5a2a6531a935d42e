// osmgen info: what a map contains.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "apps/common/console.hpp"
#include "apps/common/reporter.hpp"
#include "apps/osmgen/osmgen.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/geo/geo.hpp"
#include "base/json/write_json.hpp"
#include "formats/osm/read.hpp"
#include "lib/town/town.hpp"

namespace simbatch::osmgen {
namespace {

struct InfoOptions {
  std::string input;
  bool json = false;  ///< one object on standard output instead of a table
};

struct Roads {
  std::size_t ways = 0;
  double meters = 0;
  double km() const { return std::round(meters) / 1000; }
};

/// Statistics in addition to the document's own facts. Sorted by name.
struct Contents {
  std::optional<osm::Bounds> extent;  ///< of the nodes
  std::map<std::string, Roads> roads;
  std::map<std::string, std::size_t> landuse;
  std::size_t buildings = 0;
};

constexpr std::array kKinds{osm::Kind::node, osm::Kind::way, osm::Kind::relation};

std::string_view name_of(osm::FileType type) {
  if (type.format == osm::Format::pbf) return "PBF";
  if (type.compression == osm::Compression::gzip) return "XML, gzip";
  return type.compression == osm::Compression::bzip2 ? "XML, bzip2" : "XML";
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

Contents contents_of(const osm::Model& m) {
  Contents c;
  if (m.node_count() > 0) {
    osm::LatLon min = m.node_positions[0], max = min;
    for (const osm::LatLon at : m.node_positions) {
      min = {std::min(min.lat_e7, at.lat_e7), std::min(min.lon_e7, at.lon_e7)};
      max = {std::max(max.lat_e7, at.lat_e7), std::max(max.lon_e7, at.lon_e7)};
    }
    c.extent = osm::Bounds{min, max, {}};
  }
  const auto count_area = [&](auto tags) {
    if (const auto use = m.value_of(tags, "landuse")) ++c.landuse[std::string(*use)];
    if (m.value_of(tags, "building")) ++c.buildings;
  };
  for (std::size_t way = 0; way < m.ways.size(); ++way) {
    const auto tags = m.tags_of_way(way);
    if (const auto kind = m.value_of(tags, "highway")) {
      Roads& roads = c.roads[std::string(*kind)];
      ++roads.ways;
      roads.meters += length_of(m, way);
    }
    count_area(tags);
  }
  for (std::size_t relation = 0; relation < m.relations.size(); ++relation) count_area(m.tags_of_relation(relation));
  return c;
}

void write_box(json::Writer& out, const osm::Bounds& b) {
  out.open_object();
  out.member("min_lat", b.min.lat_deg());
  out.member("min_lon", b.min.lon_deg());
  out.member("max_lat", b.max.lat_deg());
  out.member("max_lon", b.max.lon_deg());
  out.close();
}

void write_objects(json::Writer& out, const osm::Facts& f, osm::Kind kind) {
  const auto k = static_cast<std::size_t>(kind);
  out.key(std::string(to_text(kind)) + "s").open_object();
  out.member("count", f.objects[k]);
  out.member("deleted", f.deleted[k]);
  out.member("dangling_references", f.dangling[k]);
  if (f.objects[k] != 0) {
    out.member("lowest_id", f.lowest_id[k]);
    out.member("highest_id", f.highest_id[k]);
  }
  out.close();
}

void write_contents(json::Writer& out, const Contents& c) {
  out.key("roads").open_array();
  for (const auto& [kind, roads] : c.roads) {
    out.open_object();
    out.member("kind", kind);
    out.member("ways", roads.ways);
    out.member("km", roads.km());
    out.close();
  }
  out.close();
  out.key("landuse").open_array();
  for (const auto& [use, count] : c.landuse) {
    out.open_object();
    out.member("landuse", use);
    out.member("areas", count);
    out.close();
  }
  out.close();
  out.member("buildings", c.buildings);
}

std::string json_of(const osm::Document& document, const Contents& c, const std::string& file) {
  const osm::Model& m = document.model;
  const osm::Facts& f = document.facts;
  json::Writer out(2);
  out.open_object();
  out.member("file", file);
  out.member("type", name_of(document.type));
  out.member("version", to_text(m.version));
  out.member("generator", m.generator);
  out.key("attributes").open_object();
  for (const auto& [name, value] : m.attributes) out.member(name, value);
  out.close();
  out.key("bounds").open_array();
  for (const osm::Bounds& b : m.bounds) write_box(out, b);
  out.close();
  if (c.extent) {
    out.key("extent");
    write_box(out, *c.extent);
  }
  for (const osm::Kind kind : kKinds) write_objects(out, f, kind);
  out.member("tags", f.tags);
  out.member("sorted", f.sorted);
  out.member("coordinates_rounded", f.longer_digits);
  out.member("generated_nodes", document.layout.located_ids.size());
  out.member("text_bytes", f.text_bytes);
  write_contents(out, c);
  out.close();
  return out.text() + "\n";
}

std::string corners(const osm::Bounds& b) {
  return fmt::format("{} {} to {} {}", number_text(b.min.lat_deg()), number_text(b.min.lon_deg()), number_text(b.max.lat_deg()),
                     number_text(b.max.lon_deg()));
}

std::string objects_text(const osm::Facts& f, osm::Kind kind) {
  const auto k = static_cast<std::size_t>(kind);
  std::string text = fmt::format("{}", f.objects[k]);
  if (f.objects[k] != 0) text += fmt::format(", ids {} to {}", f.lowest_id[k], f.highest_id[k]);
  if (f.deleted[k] != 0) text += fmt::format(", {} deleted", f.deleted[k]);
  if (f.dangling[k] != 0) text += fmt::format(", {} references to absent ones", f.dangling[k]);
  return text;
}

std::string table_of(const osm::Document& document, const Contents& c, const std::string& file) {
  const osm::Model& m = document.model;
  const osm::Facts& f = document.facts;
  std::string out;
  const auto line = [&out](std::string_view key, const auto& value) {
    out += fmt::format("{:<20} {}\n", printable(key), printable(fmt::format("{}", value)));
  };
  line("file", file);
  line("type", name_of(document.type));
  line("version", to_text(m.version));
  line("generator", m.generator);
  for (const auto& [name, value] : m.attributes) line(name, value);
  for (const osm::Bounds& b : m.bounds) line("bounds", corners(b));
  if (c.extent) line("extent of the nodes", corners(*c.extent));
  for (const osm::Kind kind : kKinds) line(std::string(to_text(kind)) + "s", objects_text(f, kind));
  line("tags", f.tags);
  line("sorted", f.sorted ? "yes" : "no");
  line("rounded coordinates", f.longer_digits);
  line("generated nodes", document.layout.located_ids.size());
  line("bytes of text", f.text_bytes);
  line("buildings", c.buildings);
  for (const auto& [kind, roads] : c.roads)
    line("road", fmt::format("{}: {} ways, {} km", kind, roads.ways, number_text(roads.km())));
  for (const auto& [use, count] : c.landuse) line("land use", fmt::format("{}: {} areas", use, count));
  return out;
}

cli::ExitCode info(const InfoOptions& options, cli::Reporter& reporter) {
  osm::ReadOptions read;
  read.keep_keys = {"highway", "landuse", "building"};
  read.locate_key = std::string(town::kGeneratedKey);
  auto map = read_map(Input::open(options.input), read);
  const bool ok = map.ok();
  reporter.show(std::move(map.diagnostics));
  if (ok && !reporter.failed()) {
    const Contents contents = contents_of(map.value->model);
    cli::print(options.json ? json_of(*map.value, contents, options.input) : table_of(*map.value, contents, options.input));
  }
  return reporter.finish();
}

}  // namespace

void add_info(cli::Command& program) {
  cli::Command& command = program.add("info", "Summarize the contents of a map");
  auto& o = command.keep<InfoOptions>();
  command.positional("FILE", o.input, "Map: .osm, .osm.gz, .osm.bz2, .osm.pbf; - is standard input").required();
  command.group("Output");
  command.flag("--json", o.json, "One JSON object instead of a table");
  command.examples({"osmgen info town.osm --json"});
  command.run([&o](cli::Reporter& reporter) { return info(o, reporter); });
}

}  // namespace simbatch::osmgen
