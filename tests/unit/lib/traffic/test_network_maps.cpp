// What maps of road networks hold, and what is reported as lost.

#include <doctest/doctest.h>

#include "lib/traffic/codes.hpp"
#include "lib/traffic/export.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

constexpr const char* kNetwork = R"(RNDF_name	site
num_segments	1
num_zones	1
format_version	1.1
segment	1
num_lanes	2
speed_limit	10 30
lane	1.1
num_waypoints	2
lane_width	12
left_boundary	double_yellow
cross	1.1.1 7
cross	1.1.2 7
1.1.1	34.0	-117.0
1.1.2	34.001	-117.0
end_lane
lane	1.2
num_waypoints	1
1.2.1	34.0	-117.001
end_lane
end_segment
zone	2
num_spots	1
perimeter	2.0
num_perimeterpoints	3
2.0.1	34.0	-117.01
2.0.2	34.001	-117.01
2.0.3	34.001	-117.011
end_perimeter
spot	2.1
spot_width	15
2.1.1	34.0005	-117.0101
2.1.2	34.0006	-117.0102
end_spot
end_zone
end_file
)";

struct Map {
  std::string text;
  Diagnostics losses{"site.rndf"};
};

Map map_of(traffic::NetworkMap kind) {
  const auto network = rndf::read_rndf(kNetwork, "site.rndf");
  REQUIRE(network.value);
  Map map;
  traffic::report_network_losses(*network.value, kind, map.losses);
  map.text = kind == traffic::NetworkMap::osm ? traffic::to_osm(*network.value) : traffic::to_geojson(*network.value);
  return map;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("traffic: what GeoJSON cannot hold of a network is reported, by word and with its first place") {
  const Map map = map_of(traffic::NetworkMap::geojson);
  test::Expected expected(map.losses);
  expected.take(traffic::code::kLossHeader);
  for (int i = 0; i < 2; ++i) expected.take(traffic::code::kLossExtension);
  const std::string losses = test::all_text(map.losses);
  CHECK(holds(losses, "site.rndf: note: the network's name, format version and creation date are lost"));
  CHECK(holds(losses, R"(site.rndf:7:1: warning: 1 line of "speed_limit" is lost, first here)"));
  CHECK(holds(losses, R"(site.rndf:12:1: warning: 2 lines of "cross" are lost, first here)"));
  CHECK(holds(map.text, R"("spot":"2.1","width_m":4.572)"));
}

TEST_CASE("traffic: OpenStreetMap data keeps boundaries and widths of a network, and lacks lanes of one point") {
  const Map map = map_of(traffic::NetworkMap::osm);
  CHECK(holds(test::all_text(map.losses), "site.rndf:17:1: warning: lane 1.2 is lost: it has 1 point [rndf-loss-points]"));
  CHECK(holds(map.text, R"(<tag k="rndf:left_boundary" v="double_yellow"/>)"));
  CHECK_FALSE(holds(map.text, "rndf:right_boundary"));
  CHECK(holds(map.text, R"(<tag k="width" v="4.57"/>)"));
}

TEST_CASE("traffic: a network of many unknown words is reported in 32 lines") {
  std::string text = "RNDF_name\tx\nnum_segments\t1\nnum_zones\t0\n";
  for (int i = 0; i < 20000; ++i) text += "word" + std::to_string(i) + "\n";
  const auto network = rndf::read_rndf(text + "end_file\n", "x.rndf");
  REQUIRE(network.value);
  Diagnostics losses("x.rndf");
  traffic::report_network_losses(*network.value, traffic::NetworkMap::osm, losses);
  CHECK(losses.items().size() == 33);
  CHECK(holds(test::all_text(losses), "19969 lines of \"other words\" are lost"));
}
