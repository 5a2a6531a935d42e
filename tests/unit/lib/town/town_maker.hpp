#pragma once
/// Small maps written object by object, and the towns made of them.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/core/workers.hpp"
#include "base/geo/geo.hpp"
#include "formats/osm/read.hpp"
#include "lib/town/defaults.hpp"
#include "lib/town/make_town.hpp"
#include "lib/town/place.hpp"
#include "lib/town/rules.hpp"

namespace simbatch::test {

inline constexpr double kTownLat = 52, kTownLon = 8;

/// A map written object by object, in meters about 52 N 8 E.
class MapText {
 public:
  MapText& way(const std::vector<geo::EastNorth>& points, const std::string& tags, bool closed = false) {
    std::string refs;
    const int first = nodes_ + 1;
    for (const geo::EastNorth p : points) refs += "<nd ref='" + std::to_string(add(p, "")) + "'/>";
    if (closed) refs += "<nd ref='" + std::to_string(first) + "'/>";
    ways_text_ += "<way id='" + std::to_string(++ways_) + "' version='1'>" + refs + tags_of(tags) + "</way>\n";
    return *this;
  }
  MapText& node(geo::EastNorth at, const std::string& tags) {
    add(at, tags_of(tags));
    return *this;
  }
  std::string text() const { return "<osm version='0.6'>\n" + nodes_text_ + ways_text_ + "</osm>\n"; }

 private:
  /// "k=v k=v"
  static std::string tags_of(const std::string& tags) {
    std::string out, word;
    for (const char c : tags + " ") {
      if (c != ' ') {
        word += c;
        continue;
      }
      const std::size_t equals = word.find('=');
      if (equals != std::string::npos) out += "<tag k='" + word.substr(0, equals) + "' v='" + word.substr(equals + 1) + "'/>";
      word.clear();
    }
    return out;
  }
  int add(geo::EastNorth p, const std::string& tags) {
    const geo::LatLon at = geo::LocalFrame({kTownLat, kTownLon}).to_geographic(p);
    nodes_text_ += "<node id='" + std::to_string(++nodes_) + "' version='1' lat='" + std::to_string(at.lat) + "' lon='" +
                   std::to_string(at.lon) + "'>" + tags + "</node>\n";
    return nodes_;
  }
  std::string nodes_text_, ways_text_;
  int nodes_ = 0, ways_ = 0;
};

struct Made {
  town::Town town;
  town::PlacedHouses placed;
  std::uint64_t rejected(town::Reason reason) const { return placed.rejected[static_cast<std::size_t>(reason)]; }
};
inline autosim::HouseList one_house() {
  autosim::HouseList list;
  list.sections = {{"residential", {}, {{"house", "square", {}, {"models/square", "obj"}, {10, 6, 10}}}}};
  return list;
}
/// Houses on a map by a set of rules; distances as in the thesis unless `by_street`. @param houses  must outlive the result;
/// nullptr: one of 10 m x 10 m
inline Made make_houses(const std::string& map, const town::Rules& rules, bool by_street = false,
                        const autosim::HouseList* houses = nullptr, Workers* workers = nullptr) {
  static const autosim::HouseList one = one_house();
  osm::ReadOptions read;
  read.keep_keys = town::town_keys();
  auto parsed = osm::read_xml(map, read, "map.osm");
  REQUIRE(parsed.value);
  town::TownOptions options;
  options.rules = rules;
  options.workers = workers;
  town::PlaceOptions place;
  place.fronts_by_street = place.gaps_by_street = by_street;
  place.workers = workers;
  autosim::MapSetup setup = town::default_setup(parsed.value->model, "t");
  setup.osm.lat = kTownLat;
  setup.osm.lon = kTownLon;
  Diagnostics diagnostics;
  Made made;
  made.town = town::make_town(parsed.value->model, setup, houses != nullptr ? *houses : one, {}, options, diagnostics);
  made.placed = town::place(made.town, place);
  return made;
}
inline town::Rules only(bool town::Rules::*rule) {
  town::Rules rules;
  rules.*rule = true;
  return rules;
}

}  // namespace simbatch::test
