// Roads off the ground are found among a part of the map; they must be those that the whole map has.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/core/random.hpp"
#include "lib/roads/areas.hpp"
#include "lib/roads/leveled_roads.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/off_ground.hpp"
#include "lib/roads/terrain.hpp"
#include "tests/unit/lib/roads/street_map.hpp"

using namespace simbatch;
using namespace simbatch::roads;

namespace {

autosim::HighwayDimensions kinds() {
  autosim::HighwayDimensions kinds;
  kinds.kinds.push_back({"residential", {}, 6, 1.5, 1.5});
  kinds.kinds.push_back({"primary", {}, 10, 2, 2});
  return kinds;
}

/// Streets in a grid of 3 km, and lines across it that are streets, bridges, tunnels, rivers and railways.
class RandomTown {
 public:
  explicit RandomTown(std::uint64_t seed) : random_(seed, "town") {
    constexpr int kSide = 21;
    constexpr double kBlock = 150;
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x)
        plan.add(++nodes_, kBlock * (x - kSide / 2) + jitter(30), kBlock * (y - kSide / 2) + jitter(30));
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x + 1 < kSide; ++x) {
        street({y * kSide + x, y * kSide + x + 1});
        street({x * kSide + y, (x + 1) * kSide + y});
      }
    const std::uint64_t lines = random_.below(5);
    for (std::uint64_t n = 0; n < lines; ++n) line(kSide * kSide);
  }

  StreetMap plan;

 private:
  double jitter(double meters) { return (random_.uniform() - 0.5) * meters; }
  void way(const std::vector<int>& refs, const Tags& tags) {
    plan.map.add_way(++ways_);
    for (const int ref : refs) plan.map.add_ref(osm::Ref(static_cast<std::uint32_t>(ref)));
    for (const auto& [key, value] : tags) plan.map.add_tag(key, value);
  }
  /// One in three hundred has a layer.
  void street(const std::vector<int>& refs) {
    Tags tags{{"highway", random_.below(8) == 0 ? "primary" : "residential"}};
    static constexpr std::pair<const char*, const char*> kLevels[] = {{"bridge", "yes"}, {"layer", "-1"}, {"tunnel", "yes"}};
    if (random_.below(300) == 0) tags.push_back(kLevels[random_.below(3)]);
    way(refs, tags);
  }
  /// From one node of the grid to another: along others, or over them.
  void line(int grid) {
    static const Tags kTags[] = {
        {{"highway", "primary"}, {"bridge", "yes"}},
        {{"highway", "primary"}, {"bridge", "yes"}, {"layer", "2"}},
        {{"highway", "primary"}, {"bridge", "yes"}, {"layer", "0"}},
        {{"highway", "residential"}, {"layer", "-2"}},
        {{"highway", "residential"}, {"tunnel", "yes"}},
        {{"highway", "primary"}},
        {{"railway", "rail"}},
        {{"waterway", "river"}},
        {{"waterway", "canal"}, {"width", "25"}},
    };
    const auto any = [&] { return static_cast<int>(random_.below(static_cast<std::uint64_t>(grid))); };
    std::vector<int> refs{any()};
    const std::uint64_t bends = random_.below(3);
    for (std::uint64_t k = 0; k < bends; ++k) {
      plan.add(++nodes_, jitter(2500), jitter(2500));
      refs.push_back(nodes_ - 1);
    }
    refs.push_back(any());
    way(refs, kTags[random_.below(std::size(kTags))]);
  }

  RandomStream random_;
  int nodes_ = 0, ways_ = 0;
};

/// What roads_off_ground() would find among all roads.
std::vector<OffGround> among_all(const StreetMap& plan) {
  std::vector<Road> roads = road_lines(plan.map, kinds(), plan.frame).roads;
  TerrainOptions options;
  options.width = options.height = 5000;
  options.spacing = 50;
  const HeightGrid ground = flat_terrain(options);
  set_levels(roads, railway_lines(plan.map, plan.frame), map_waters(plan.map, plan.frame, ground), ground);
  std::vector<OffGround> pieces;
  for (const Road& road : roads)
    for (std::size_t k = 0; k + 1 < road.height.size(); ++k)
      if (road.height[k] != 0 || road.height[k + 1] != 0)
        pieces.push_back({road.line[k], road.line[k + 1], road.width / 2, road.height[k], road.height[k + 1]});
  return pieces;
}
}  // namespace

TEST_CASE("off ground: the same among the roads nearby as among all") {
  std::size_t found = 0, fewer = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const RandomTown town(seed);
    const std::vector<OffGround> expected = among_all(town.plan),
                                 here = roads_off_ground(town.plan.map, kinds(), town.plan.frame);
    REQUIRE(here.size() == expected.size());
    for (std::size_t n = 0; n < here.size(); ++n) {
      CAPTURE(n);
      REQUIRE(here[n].from == expected[n].from);
      REQUIRE(here[n].to == expected[n].to);
      REQUIRE(here[n].half_width == expected[n].half_width);
      REQUIRE(here[n].from_height == expected[n].from_height);
      REQUIRE(here[n].to_height == expected[n].to_height);
    }
    found += here.empty() ? 0 : 1;
    const std::size_t part = detail::leveled_roads(town.plan.map, kinds(), town.plan.frame).roads.size();
    fewer += part < road_lines(town.plan.map, kinds(), town.plan.frame).roads.size() / 2 ? 1 : 0;
  }
  CHECK(found > 40);
  CHECK(fewer > 20);
}

TEST_CASE("off ground: bridges that cross nothing cost no lines") {
  StreetMap plan;
  for (int k = 0; k < 4; ++k) plan.add(k + 1, 100.0 * k, k == 2 ? 10 : 0);
  for (int k = 0; k < 3; ++k) {
    plan.map.add_way(k + 1);
    plan.map.add_ref(osm::Ref(static_cast<std::uint32_t>(k)));
    plan.map.add_ref(osm::Ref(static_cast<std::uint32_t>(k + 1)));
    plan.map.add_tag("highway", "residential");
    if (k == 1) plan.map.add_tag("bridge", "yes");
  }
  CHECK(detail::leveled_roads(plan.map, kinds(), plan.frame).roads.empty());
  CHECK(roads_off_ground(plan.map, kinds(), plan.frame).empty());
}
