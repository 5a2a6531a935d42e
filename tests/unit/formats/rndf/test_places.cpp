// Flaws of road networks and missions, one at a time: each text has its mark where the one problem is reported.

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "base/core/random.hpp"
#include "formats/rndf/codes.hpp"
#include "formats/rndf/rndf.hpp"
#include "tests/support/marked.hpp"

using namespace simbatch;
using namespace simbatch::rndf;
using test::check_only;
using test::marked;
using test::replaced;

namespace {

constexpr std::string_view kNetwork =
    "RNDF_name\tn\nnum_segments\t1\nnum_zones\t1\nformat_version\t1.0\ncreation_date\tx\n"
    "segment\t1\nnum_lanes\t1\nsegment_name\tMain\n"
    "lane\t1.1\nnum_waypoints\t3\nlane_width\t12\nleft_boundary\tbroken_white\nright_boundary\tsolid_white\n"
    "checkpoint\t1.1.2\t1\nstop\t1.1.3\nexit\t1.1.3\t2.0.1\n"
    "1.1.1\t34.000000\t-117.000000\n1.1.2\t34.000500\t-117.000000\n1.1.3\t34.001000\t-117.000000\n"
    "end_lane\nend_segment\n"
    "zone\t2\nnum_spots\t1\nzone_name\tlot\n"
    "perimeter\t2.0\nnum_perimeterpoints\t3\nexit\t2.0.3\t1.1.1\n"
    "2.0.1\t34.002000\t-117.000000\n2.0.2\t34.002000\t-117.001000\n2.0.3\t34.003000\t-117.000000\nend_perimeter\n"
    "spot\t2.1\nspot_width\t10\ncheckpoint\t2.1.2\t2\n2.1.1\t34.002100\t-117.000100\n2.1.2\t34.002200\t-117.000100\nend_spot\n"
    "end_zone\nend_file\n";

constexpr std::string_view kMission =
    "MDF_name\tm\nRNDF\tn\nformat_version\t1.0\ncreation_date\tx\ncheckpoints\nnum_checkpoints\t2\n1\n2\nend_checkpoints\n"
    "speed_limits\nnum_speed_limits\t2\n1\t5\t25\n2\t0\t10\nend_speed_limits\nend_file\n";

struct Flaw {
  const Code* code;
  std::string_view from, to;  ///< with the mark
};

}  // namespace

TEST_CASE("rndf: the network of these tests is clean") {
  for (const bool strict : {false, true}) {
    auto network = read_rndf(kNetwork, "n", {.strict = strict});
    REQUIRE(network.value);
    check(*network.value, network.diagnostics);
    auto mission = read_mdf(kMission, "m", {.strict = strict});
    REQUIRE(mission.value);
    check(*mission.value, &*network.value, mission.diagnostics);
    CHECK(test::all_text(network.diagnostics) == "");
    CHECK(test::all_text(mission.diagnostics) == "");
  }
}

TEST_CASE("rndf: each value that cannot be read is the only problem of its file, at its own place") {
  const Flaw flaws[] = {
      {&code::kValue, "num_lanes\t1", "num_lanes\t@one"},
      {&code::kValue, "num_lanes\t1", "num_lanes@"},
      {&code::kValue, "num_lanes\t1", "num_lanes\t@0"},
      {&code::kValue, "num_lanes\t1", "num_lanes\t@1.0"},
      {&code::kValue, "num_lanes\t1", "num_lanes\t@99999999999"},
      {&code::kValue, "num_waypoints\t3", "num_waypoints\t@0"},
      {&code::kValue, "num_spots\t1", "num_spots\t@-1"},
      {&code::kValue, "lane_width\t12", "lane_width\t@nan"},
      {&code::kValue, "lane_width\t12", "lane_width\t@1e999"},
      {&code::kValue, "lane_width\t12", "lane_width\t@-1"},
      {&code::kValue, "spot_width\t10", "spot_width@"},
      {&code::kValue, "\t34.000500\t", "\t@inf\t"},
      {&code::kValue, "\t34.002000\t-117.001000", "\t34.002000@"},
      {&code::kValue, "checkpoint\t1.1.2\t1", "checkpoint\t1.1.2\t@x"},
      {&code::kValue, "checkpoint\t1.1.2\t1", "checkpoint\t1.1.2@"},
      {&code::kValue, "checkpoint\t1.1.2\t1", "checkpoint\t1.1.2\t@0"},
      {&code::kValue, "stop\t1.1.3", "stop@"},
      {&code::kId, "stop\t1.1.3", "stop\t@1.1.3.4"},
      {&code::kId, "stop\t1.1.3", "stop\t@1.1."},
      {&code::kId, "stop\t1.1.3", "stop\t@1..3"},
      {&code::kId, "stop\t1.1.3", "stop\t@+1.1.3"},
      {&code::kId, "stop\t1.1.3", "stop\t@1.1.0"},
      {&code::kId, "exit\t1.1.3\t2.0.1", "exit\t1.1.3\t@2.0"},
      {&code::kId, "exit\t1.1.3\t2.0.1", "exit\t@1,1,3\t2.0.1"},
      {&code::kValue, "exit\t1.1.3\t2.0.1", "exit\t1.1.3@"},
      {&code::kId, "checkpoint\t2.1.2\t2", "checkpoint\t@2.1.x\t2"},
  };
  for (const Flaw& flaw : flaws) {
    const test::Marked text = marked(replaced(kNetwork, flaw.from, flaw.to));
    CAPTURE(std::string(flaw.to));
    const Diagnostics found = read_rndf(text.text, "n").diagnostics;
    CAPTURE(test::all_text(found));
    CHECK(found.errors() == 1);  // besides warnings, e.g. of a count that no longer fits
    for (const Diagnostic& d : found.items()) {
      if (d.severity != Severity::error) continue;
      CHECK(d.code == flaw.code->name);
      CHECK(d.at == text.at);
    }
  }
}

TEST_CASE("rndf: each departure from the document is one warning, and one error in strict mode") {
  const Flaw flaws[] = {
      {&code::kTokens, "num_lanes\t1", "num_lanes\t1 @more"},
      {&code::kTokens, "lane\t1.1\n", "lane\t1.1 @x\n"},
      {&code::kTokens, "segment\t1\n", "segment\t1 @x\n"},
      {&code::kTokens, "spot\t2.1\n", "spot\t2.1 @x\n"},
      {&code::kTokens, "end_lane", "end_lane @1.1"},
      {&code::kTokens, "end_file", "end_file @x"},
      {&code::kTokens, "exit\t1.1.3\t2.0.1", "exit\t1.1.3\t2.0.1 @x"},
      {&code::kTokens, "checkpoint\t2.1.2\t2", "checkpoint\t2.1.2\t2 @x"},
      {&code::kTokens, "1.1.2\t34.000500\t-117.000000", "1.1.2\t34.000500\t-117.000000\t@0"},
      {&code::kName, "segment_name\tMain", "segment_name\t@Main Street"},
      {&code::kName, "zone_name\tlot", "zone_name\t@l*t"},
      {&code::kName, "RNDF_name\tn", "RNDF_name\t@a\\b"},
      {&code::kRange, "checkpoint\t2.1.2\t2", "checkpoint\t2.1.2\t@32769"},
      {&code::kForeign, "exit\t1.1.3\t2.0.1", "exit\t@2.0.1\t2.0.1"},
      {&code::kForeign, "stop\t1.1.3", "stop\t@2.1.1"},
      {&code::kForeign, "checkpoint\t2.1.2\t2", "checkpoint\t@1.1.1\t2"},
      {&code::kEnd, "end_segment\n", "end_segment\n@end_lane\n"},
      {&code::kEnd, "end_zone\n", "end_zone\n@end_zone\n"},
      {&code::kEnd, "spot\t2.1", "@spot\t2.1"},
      {&code::kUnknown, "end_file\n", "end_file\n@more\nof\tit\n"},
      {&code::kUnknown, "lane_width", "@lane_color\tred\nlane_width"},
      {&code::kExtension, "zone_name", "@speed_limit\t5\nzone_name"},
  };
  for (const Flaw& flaw : flaws) {
    std::string with = replaced(kNetwork, flaw.from, flaw.to);
    if (flaw.code == &code::kEnd && flaw.from == "spot\t2.1") with = replaced(with, "end_spot\n", "");
    const test::Marked text = marked(with);
    CAPTURE(std::string(flaw.to));
    const auto lenient = read_rndf(text.text, "n"), strict = read_rndf(text.text, "n", {.strict = true});
    check_only(lenient.diagnostics, flaw.code->name, text.at);
    check_only(strict.diagnostics, flaw.code->name, text.at);
    CHECK(lenient.diagnostics.errors() == 0);
    CHECK(strict.diagnostics.errors() == 1);
  }
}

TEST_CASE("mdf: each flaw of a mission is one problem at its place") {
  const Flaw flaws[] = {
      {&code::kValue, "\n1\n2\n", "\n1\n@0\n"},
      {&code::kValue, "\n1\n2\n", "\n1\n@-2\n"},
      {&code::kValue, "\n1\n2\n", "\n1\n@2.5\n"},
      {&code::kTokens, "\n1\n2\n", "\n1\n2 @3\n"},
      {&code::kValue, "1\t5\t25", "1\t5@"},
      {&code::kValue, "1\t5\t25", "1\t@x\t25"},
      {&code::kValue, "1\t5\t25", "1\t5\t@25mph"},
      {&code::kValue, "1\t5\t25", "1\t@-5\t25"},
      {&code::kValue, "1\t5\t25", "1\t5\t@-25"},
      {&code::kValue, "1\t5\t25", "@0\t5\t25"},
      {&code::kTokens, "1\t5\t25", "1\t5\t25 @mph"},
      {&code::kCount, "checkpoints\nnum_checkpoints\t2", "@checkpoints\nnum_checkpoints\t3"},
      {&code::kCount, "speed_limits\nnum_speed_limits\t2", "@speed_limits\nnum_speed_limits\t1"},
      {&code::kValue, "num_checkpoints\t2", "num_checkpoints\t@two"},
      {&code::kHeader, "checkpoints\nnum_checkpoints\t2\n", "@checkpoints\n"},
      {&code::kEnd, "checkpoints\nnum_checkpoints\t2\n1\n2\nend_checkpoints\n", "@checkpoints\nnum_checkpoints\t2\n1\n2\n"},
      {&code::kEnd, "end_file", "@end_checkpoints\nend_file"},
      {&code::kEnd, "end_file\n", "@"},
      {&code::kHeader, "MDF_name\tm\n", "@"},
      {&code::kName, "MDF_name\tm", "MDF_name\t@m m"},
      {&code::kName, "RNDF\tn", "@RNDF"},
      {&code::kOrder, "RNDF\tn", "@RNDF_name\tn"},
      {&code::kUnknown, "end_file\n", "end_file\n@1\n"},
      {&code::kUnknown, "end_speed_limits\n", "end_speed_limits\n@3\t4\t5\n"},
      {&code::kComment, "RNDF\tn", "RNDF\tn @/* the network"},
  };
  for (const Flaw& flaw : flaws) {
    const test::Marked text = marked(replaced(kMission, flaw.from, flaw.to));
    CAPTURE(std::string(flaw.to));
    check_only(read_mdf(text.text, "m").diagnostics, flaw.code->name, text.at);
    // A comment that is not closed is a warning in strict mode too.
    CHECK(read_mdf(text.text, "m", {.strict = true}).diagnostics.has_errors() == (flaw.code != &code::kComment));
  }
}

TEST_CASE("mdf: what does not fit the network is reported where the mission says it") {
  const Flaw flaws[] = {
      {&code::kMdfLimits, "1\t5\t25", "@1\t26\t25"},
      {&code::kMdfCheckpoint, "\n1\n2\n", "\n1\n@9\n"},
      {&code::kMdfAreaRepeated, "2\t0\t10\n", "2\t0\t10\n@2\t0\t11\n"},
  };
  const auto network = read_rndf(kNetwork, "n");
  for (const Flaw& flaw : flaws) {
    std::string with = replaced(kMission, flaw.from, flaw.to);
    if (flaw.code == &code::kMdfAreaRepeated) with = replaced(with, "num_speed_limits\t2", "num_speed_limits\t3");
    const test::Marked text = marked(with);
    CAPTURE(std::string(flaw.to));
    auto mission = read_mdf(text.text, "m");
    REQUIRE(mission.value);
    check(*mission.value, &*network.value, mission.diagnostics);
    check_only(mission.diagnostics, flaw.code->name, text.at);
  }
}

TEST_CASE("rndf: the largest id has no successor, and a message names none") {
  std::string text = replaced(kNetwork, "1.1.2\t34.000500", "1.1.2147483647\t34.000500");
  text = replaced(text, "checkpoint\t1.1.2\t1", "checkpoint\t1.1.1\t1");
  const auto parsed = read_rndf(text, "n");
  REQUIRE(parsed.value);
  check_only(parsed.diagnostics, code::kIdOrder.name, {18, 1});
  CHECK(parsed.value->segments[0].lanes[0].waypoints.size() == 3);
}

TEST_CASE("rndf: random networks are written so that they read back without problems") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomStream random(seed, "rndf");
    Rndf network;
    network.name = "n" + std::to_string(seed);
    network.format_version = "1.0";
    network.creation_date = "today";
    std::int32_t checkpoint = 0, area = 0;
    const auto place = [&](PointId id) {
      return Waypoint{id, true, 34 + static_cast<double>(random.below(1000000)) * 1e-8, -117 + random.uniform() * 0.01, {}};
    };
    for (std::uint64_t s = 1 + random.below(4); s-- > 0;) {
      Segment& segment = network.segments.emplace_back();
      segment.id = ++area;
      if (random.below(2) == 0) segment.name = "street" + std::to_string(area);
      for (std::int32_t l = 1; l <= 1 + static_cast<std::int32_t>(random.below(3)); ++l) {
        Lane& lane = segment.lanes.emplace_back();
        lane.segment = area;
        lane.number = l;
        if (random.below(2) == 0) lane.width_ft = static_cast<double>(8 + random.below(8));
        lane.left = static_cast<Boundary>(random.below(3));
        const auto points = static_cast<std::int32_t>(2 + random.below(9));
        for (std::int32_t p = 1; p <= points; ++p) lane.waypoints.push_back(place({area, l, p}));
        if (random.below(2) == 0) lane.checkpoints.push_back({{area, l, 2}, ++checkpoint, {}});
        if (random.below(2) == 0) lane.stops.push_back({{area, l, points}, {}});
        lane.exits.push_back({{area, l, points}, {1, 1, 1}, {}});
      }
    }
    for (std::uint64_t z = random.below(3); z-- > 0;) {
      Zone& zone = network.zones.emplace_back();
      zone.id = ++area;
      for (std::int32_t p = 1; p <= 4; ++p) zone.perimeter.push_back(place({area, 0, p}));
      Spot& spot = zone.spots.emplace_back();
      spot.zone = area;
      spot.number = 1;
      spot.checkpoints.push_back({{area, 1, 2}, ++checkpoint, {}});
      for (std::int32_t p = 1; p <= 2; ++p) spot.waypoints.push_back(place({area, 1, p}));
    }
    const std::string text = write_rndf(network);
    CAPTURE(text);
    const auto again = read_rndf(text, "again", {.strict = true});
    CHECK(test::all_text(again.diagnostics) == "");
    REQUIRE(again.value);
    CHECK(*again.value == network);
  }
}
