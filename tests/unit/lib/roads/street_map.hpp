#pragma once
/// Maps for tests of what nodes put on streets and beside them.

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/geo/geo.hpp"
#include "formats/osm/osm.hpp"

namespace simbatch::roads {

using Tags = std::vector<std::pair<const char*, const char*>>;

/// Nodes in meters about 48 degrees north, 11 east; one of them has tags.
struct StreetMap {
  int tagged_node = 0;
  Tags tags;
  geo::LocalFrame frame{geo::LatLon{48, 11}};
  osm::Model map{};

  void add(int id, double east, double north) {
    const geo::LatLon at = frame.to_geographic({east, north});
    map.add_node(id,
                 {static_cast<std::int32_t>(std::lrint(at.lat * 1e7)), static_cast<std::int32_t>(std::lrint(at.lon * 1e7))});
    if (id != tagged_node) return;
    for (const auto& [key, value] : tags) map.add_tag(key, value);
  }
};

}  // namespace simbatch::roads
