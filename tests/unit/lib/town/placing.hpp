#pragma once
/// Houses set on small maps: the map, the lists of houses, the run, and what the independent checker says of it.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/number.hpp"
#include "formats/osm/pass_through.hpp"
#include "formats/osm/read.hpp"
#include "formats/osm/write.hpp"
#include "lib/town/house_nodes.hpp"
#include "lib/town/make_town.hpp"
#include "lib/town/place.hpp"
#include "tests/unit/lib/town/house_checker.hpp"

namespace simbatch::test::placing {

using town::PlacedHouses;

inline autosim::MapSetup setup_of(const Widths& widths) {
  autosim::MapSetup setup;
  setup.osm.lat = 52.0;
  setup.osm.lon = 8.0;
  for (const auto& width : widths)
    setup.highways.kinds.push_back({width.first, {}, width.second.width, width.second.left, width.second.right});
  return setup;
}

inline autosim::HouseModel model(const char* type, const char* name, double x, double z) {
  return {type, name, {}, {std::string("models/") + name, "3ds"}, {x, 6, z}};
}
/// Ten meters by ten everywhere: what the greedy stepper sets.
inline autosim::HouseList squares() {
  autosim::HouseList list;
  list.sections = {{"residential", {}, {model("house", "square", 10, 10)}}};
  return list;
}
inline autosim::HouseList mixed() {
  autosim::HouseList list;
  list.sections = {
      {"residential", {}, {model("house", "cottage", 9, 8), model("house", "villa", 13, 11), model("house", "row", 7, 14)}},
      {"retail", {}, {model("house", "shop", 12, 10)}},
      {"commercial", {}, {model("house", "office", 18, 14)}},
      {"industrial", {}, {model("house", "hall", 24, 18)}},
      {"forest", {}, {model("tree", "pine", 0.6, 0.6)}},
      {"brownfield", {}, {}}};
  return list;
}

struct Run {
  PlacedHouses placement;
  std::string text;  // of the new map
  std::vector<std::string> warnings, messages;
  town::Town town;
};
inline Run run(std::string_view map, const autosim::HouseList& houses, const town::PlaceOptions& place = {},
               town::TownOptions options = {}, const Widths& widths = thesis_widths()) {
  Run result;
  osm::ReadOptions read;
  read.keep_keys = town::town_keys();
  read.locate_key = std::string(town::kGeneratedKey);
  auto parsed = osm::read_xml(map, read, "map.osm");
  REQUIRE(parsed.value);
  Diagnostics diagnostics("map.osm");
  const autosim::MapSetup setup = setup_of(widths);
  result.town = town::make_town(parsed.value->model, setup, houses, parsed.value->layout.located_nodes, options, diagnostics);
  for (const Diagnostic& d : diagnostics.items()) {
    result.warnings.emplace_back(d.code);
    result.messages.push_back(d.message);
  }
  result.placement = town::place(result.town, place);
  osm::PassThroughOptions pass;
  pass.drop_located = !options.keep_generated;
  const osm::Id first = town::lowest_node_id(*parsed.value, !options.keep_generated) - 1;
  result.text = osm::pass_through_text(map, parsed.value->layout, parsed.value->model.version, pass, [&](osm::NodeSink& sink) {
    town::write_houses(result.town, result.placement, first, -1, sink);
  });
  return result;
}

inline Verdict verdict_on(const std::string& text) {
  const Verdict verdict = judge(scan_map(text), thesis_widths());
  for (const std::string& complaint : verdict.complaints) MESSAGE(complaint);
  return verdict;
}

/// Small maps of ours, in meters about 52 N 8 E.
class Map {
 public:
  int node(double x, double y) {
    ++nodes_;
    out_ += "<node id=\"" + std::to_string(nodes_) + "\" lat=\"" + number_text(52.0 + y / 111267.0) + "\" lon=\"" +
            number_text(8.0 + x / 68677.0) + "\"/>\n";
    return nodes_;
  }
  void way(int id, const std::vector<int>& nodes, const std::string& tags) {
    ways_ += "<way id=\"" + std::to_string(id) + "\">";
    for (const int n : nodes) ways_ += "<nd ref=\"" + std::to_string(n) + "\"/>";
    ways_ += tagged(tags) + "</way>\n";
  }
  void road(int id, const std::vector<std::pair<double, double>>& points, const std::string& tags) {
    std::vector<int> nodes;
    for (const auto& p : points) nodes.push_back(node(p.first, p.second));
    way(id, nodes, tags);
  }
  void area(int id, double x0, double y0, double x1, double y1, const std::string& tags) {
    const int a = node(x0, y0), b = node(x1, y0), c = node(x1, y1), d = node(x0, y1);
    way(id, {a, b, c, d, a}, tags);
  }
  void relation(int id, const std::vector<std::pair<int, std::string>>& members, const std::string& tags) {
    ways_ += "<relation id=\"" + std::to_string(id) + "\">";
    for (const auto& m : members)
      ways_ += "<member type=\"way\" ref=\"" + std::to_string(m.first) + "\" role=\"" + m.second + "\"/>";
    ways_ += tagged(tags) + "</relation>\n";
  }
  std::string text() const { return "<osm version=\"0.6\">\n" + bounds_ + out_ + ways_ + "</osm>\n"; }
  void bounds(const std::string& text) { bounds_ = text; }

 private:
  // "highway=residential name=A" -> tags
  static std::string tagged(const std::string& tags) {
    std::string result;
    std::size_t i = 0;
    while (i < tags.size()) {
      const std::size_t end = std::min(tags.find(' ', i), tags.size()), equals = tags.find('=', i);
      result += "<tag k=\"" + tags.substr(i, equals - i) + "\" v=\"" + tags.substr(equals + 1, end - equals - 1) + "\"/>";
      i = end + 1;
    }
    return result;
  }
  std::string out_, ways_, bounds_;
  int nodes_ = 0;
};

}  // namespace simbatch::test::placing
