// The nearest point of a polyline is that of its nearest segment.
// Our own: every piece of every road that is wide enough and not a tunnel is tried; the place is the middle of the outermost
// lane on the house's side of the nearest one.
#include "lib/roads/house_place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"
#include "lib/roads/segment_index.hpp"

namespace simbatch::roads {
namespace {

struct FoundHouse {
  osm::Id id;
  geo::EastNorth middle;
};

geo::EastNorth middle_of(const Prism& prism) {
  geo::EastNorth low = prism.outer.front(), high = low;
  for (const geo::EastNorth p : prism.outer) {
    low = {std::min(low.east, p.east), std::min(low.north, p.north)};
    high = {std::max(high.east, p.east), std::max(high.north, p.north)};
  }
  return {(low.east + high.east) / 2, (low.north + high.north) / 2};
}
FoundHouse found(const Prism& prism) { return {prism.id, middle_of(prism)}; }
FoundHouse found(const HouseBox& house) { return {house.id, {house.base.x, house.base.z}}; }

bool is_called(const Prism& prism, std::string_view name) { return prism.name == name || prism.address == name; }
bool is_called(const HouseBox& house, std::string_view name) { return house.name == name; }

template <class Use>
void each_house(const Houses& houses, Use use) {
  if (houses.mapped != nullptr)
    for (const Prism& prism : *houses.mapped) use(prism);
  if (houses.generated != nullptr)
    for (const HouseBox& house : *houses.generated) use(house);
}

/// Those of a name, each id once; without any the first of an id.
std::vector<FoundHouse> houses_called(const Houses& houses, std::string_view name) {
  std::vector<FoundHouse> all;
  each_house(houses, [&](const auto& house) {
    if (is_called(house, name) && (all.empty() || all.back().id != house.id)) all.push_back(found(house));
  });
  const auto id = parse_integer<osm::Id>(name);
  if (!all.empty() || !id) return all;
  each_house(houses, [&](const auto& house) {
    if (all.empty() && house.id == id.value) all.push_back(found(house));
  });
  return all;
}

std::string no_house(const Houses& houses, std::string_view name) {
  std::vector<std::string_view> names;
  std::optional<osm::Id> first;
  each_house(houses, [&](const auto& house) {
    if (!first) first = house.id;
    if (!house.name.empty()) names.push_back(house.name);
    if constexpr (requires { house.address; })
      if (!house.address.empty()) names.push_back(house.address);
  });
  const std::string text = "the map has no house " + quoted(name);
  if (const std::string_view near = nearest(name, names); !near.empty()) return text + ", did you mean " + quoted(near) + "?";
  if (!names.empty()) return text + "; it has " + quoted(names.front()) + (names.size() > 1 ? ", ..." : "");
  return first ? text + "; its houses have no names, but ids: " + number_text(*first) : text + ", and no other";
}

std::string many_houses(const std::vector<FoundHouse>& all, std::string_view name) {
  constexpr std::size_t kShown = 5;
  std::string text = number_text(all.size()) + " houses are called " + quoted(name) + ", expected the id of one: ";
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i) text += (i == 0 ? "" : ", ") + number_text(all[i].id);
  return text + (all.size() > kShown ? ", ..." : "");
}

struct NearestPiece {
  const Road* road = nullptr;
  std::size_t begin = 0;  ///< index of the piece's first point
  double t = 0;           ///< 0 at that to 1 at the next
};

NearestPiece nearest_piece(const std::vector<Road>& roads, geo::EastNorth place, double narrowest) {
  NearestPiece piece;
  double least = std::numeric_limits<double>::infinity();
  for (const Road& road : roads) {
    if (road.is_tunnel || road.width < narrowest) continue;
    for (std::size_t k = 0; k + 1 < road.line.size(); ++k) {
      if (road.line[k] == road.line[k + 1]) continue;
      const detail::Nearest here = detail::nearest_on({road.line[k], road.line[k + 1]}, place);
      if (here.distance >= least) continue;
      least = here.distance;
      piece = {&road, k, here.t};
    }
  }
  return piece;
}

RoadPlace place_beside(const NearestPiece& piece, geo::EastNorth house) {
  const Road& road = *piece.road;
  const geo::EastNorth a = road.line[piece.begin], b = road.line[piece.begin + 1];
  const double length = std::hypot(b.east - a.east, b.north - a.north);
  const double east = (b.east - a.east) / length, north = (b.north - a.north) / length;
  // To the right of (east, north) is (north, -east).
  const bool on_right = (house.east - a.east) * north - (house.north - a.north) * east >= 0;
  const double half = road.width / 2;
  const int lanes = std::max(1, static_cast<int>(half / kLaneWidth));
  const double side = (on_right ? 1 : -1) * (lanes - 0.5) * half / lanes;
  const bool along = road.one_way == 0 ? on_right : road.one_way > 0;
  RoadPlace place;
  place.at = {a.east + piece.t * (b.east - a.east) + side * north, a.north + piece.t * (b.north - a.north) - side * east};
  place.heading = std::atan2(east, north) + (along ? 0 : std::numbers::pi);
  if (!road.height.empty())
    place.height = road.height[piece.begin] + piece.t * (road.height[piece.begin + 1] - road.height[piece.begin]);
  return place;
}

}  // namespace

std::optional<RoadPlace> place_by_house(const Houses& houses, const std::vector<Road>& roads, std::string_view house,
                                        std::string& problem) {
  const std::vector<FoundHouse> all = houses_called(houses, house);
  if (all.size() != 1) {
    problem = all.empty() ? no_house(houses, house) : many_houses(all, house);
    return std::nullopt;
  }
  const geo::EastNorth middle = all.front().middle;
  NearestPiece piece = nearest_piece(roads, middle, kLaneWidth);
  if (piece.road == nullptr) piece = nearest_piece(roads, middle, 0);
  if (piece.road == nullptr) {
    problem = "the map has no road that the house " + quoted(house) + " is beside";
    return std::nullopt;
  }
  return place_beside(piece, middle);
}

}  // namespace simbatch::roads
