#include <doctest/doctest.h>

#include "base/core/random.hpp"
#include "base/core/record_limit.hpp"
#include "formats/rndf/codes.hpp"
#include "formats/rndf/rndf.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::rndf;
using test::Expected;

namespace {

constexpr const char* kNetwork =
    "RNDF_name\tblock\n"               // 1
    "num_segments\t1\n"                // 2
    "num_zones\t1\n"                   // 3
    "format_version\t1.0\n"            // 4
    "creation_date\t2-Jan-07\n"        // 5
    "segment\t1\n"                     // 6
    "num_lanes\t2\n"                   // 7
    "segment_name\tMain\n"             // 8
    "lane\t1.1\n"                      // 9
    "num_waypoints\t3\n"               // 10
    "lane_width\t12\n"                 // 11
    "left_boundary\tdouble_yellow\n"   // 12
    "checkpoint\t1.1.2\t1\n"           // 13
    "stop\t1.1.3\n"                    // 14
    "exit\t1.1.3\t1.2.1\n"             // 15
    "exit\t1.1.3\t2.0.1\n"             // 16
    "1.1.1\t34.000000\t-117.000000\n"  // 17
    "1.1.2\t34.000500\t-117.000000\n"
    "1.1.3\t34.001000\t-117.000000\n"
    "end_lane\n"  // 20
    "lane\t1.2\n"
    "num_waypoints\t2\n"
    "1.2.1\t34.001000\t-117.000050\n"
    "1.2.2\t34.000000\t-117.000050\n"
    "end_lane\n"
    "end_segment\n"  // 26
    "zone\t2\n"
    "num_spots\t1\n"
    "perimeter\t2.0\n"
    "num_perimeterpoints\t4\n"  // 30
    "exit\t2.0.2\t1.2.1\n"
    "2.0.1\t34.001100\t-117.000000\n"
    "2.0.2\t34.001100\t-117.000100\n"
    "2.0.3\t34.001500\t-117.000100\n"
    "2.0.4\t34.001500\t-117.000000\n"
    "end_perimeter\n"
    "spot\t2.1\n"  // 37
    "spot_width\t10\n"
    "checkpoint\t2.1.2\t2\n"
    "2.1.1\t34.001200\t-117.000050\n"
    "2.1.2\t34.001300\t-117.000050\n"
    "end_spot\n"
    "end_zone\n"
    "end_file\n";  // 44

constexpr const char* kMission =
    "MDF_name\tm\nRNDF\tblock\nformat_version\t1.0\ncreation_date\t2-Jan-07\ncheckpoints\nnum_checkpoints\t3\n1\n2\n1\n"
    "end_checkpoints\nspeed_limits\nnum_speed_limits\t2\n1\t0\t25\n2\t0\t10\nend_speed_limits\nend_file\n";

std::string with(std::string_view text, std::string_view from, std::string_view to) {
  std::string out(text);
  const std::size_t at = out.find(from);
  REQUIRE(at != std::string::npos);
  return out.replace(at, from.size(), to);
}

Diagnostics all_of(std::string_view text) {
  auto r = read_rndf(text, "n.rndf");
  if (r.value) check(*r.value, r.diagnostics);
  return r.diagnostics;
}

}  // namespace

TEST_CASE("rndf: a clean network reads in strict mode, and every field arrives") {
  auto r = read_rndf(kNetwork, "n", {.strict = true});
  CHECK(test::all_text(r.diagnostics) == "");
  REQUIRE(r.value);
  Diagnostics d("n");
  check(*r.value, d);
  CHECK(test::all_text(d) == "");
  const Lane& lane = r.value->segments[0].lanes[0];
  CHECK(r.value->creation_date == "2-Jan-07");
  CHECK(lane.width_ft == 12.0);
  CHECK(lane.left == Boundary::double_yellow);
  CHECK(lane.waypoints[1] == rndf::Waypoint{{1, 1, 2}, true, 34.0005, -117, {}});
  CHECK(lane.exits[1].to == PointId{2, 0, 1});
  CHECK(r.value->zones[0].spots[0].checkpoints[0].id == 2);
  CHECK(write_rndf(*r.value) == kNetwork);
}

TEST_CASE("rndf: the index finds lanes, perimeters, spots and checkpoints") {
  auto r = read_rndf(kNetwork, "n");
  const Index index(*r.value);
  CHECK(index.find({2, 1, 2})->lat == 34.0013);
  CHECK(index.find({2, 0, 4})->lat == 34.0015);
  CHECK(index.find({2, 0, 5}) == nullptr);
  CHECK(index.points(2, 0).size() == 4);
  CHECK(index.points(1, 2).size() == 2);
  CHECK(index.points(1, 3).empty());
  CHECK(index.lane(1, 2) == &r.value->segments[0].lanes[1]);
  CHECK(index.lane(2, 0) == nullptr);
  CHECK(index.checkpoint(2)->at == PointId{2, 1, 2});
  CHECK(index.checkpoint(3) == nullptr);
  CHECK(index.has_area(2));
  CHECK_FALSE(index.has_area(3));
  CHECK(index.zone(2) != nullptr);
}

TEST_CASE("rndf: a lane or spot without its segment or zone is one error, and its points are known") {
  const std::string_view head = "RNDF_name\tn\nnum_segments\t1\nnum_zones\t0\nformat_version\t1.0\n";
  const std::string lane =
      "lane\t1.1\nnum_waypoints\t2\nexit\t1.1.2\t1.1.1\n1.1.1\t34.0\t-117.0\n1.1.2\t34.001\t-117.0\nend_lane\n";
  for (const std::string_view end : {"end_segment\nend_file\n", "end_file\n"}) {
    const auto parsed = read_rndf(std::string(head) + lane + std::string(end), "n");
    test::Expected expected(parsed.diagnostics);
    CHECK(expected.take(code::kId, Position{5, 1}) == "lane outside a segment");
  }
  const auto spot = read_rndf(
      "RNDF_name\tn\nnum_segments\t1\nnum_zones\t1\nformat_version\t1.0\nspot\t1.1\nspot_width\t15\n1.1.1\t34.0\t-117.0\n"
      "1.1.2\t34.0001\t-117.0\nend_spot\nend_file\n",
      "n");
  test::Expected expected(spot.diagnostics);
  CHECK(expected.take(code::kId, Position{5, 1}) == "spot outside a zone");
  expected.take(code::kCount, Position{1, 1});  // there is no segment
}

TEST_CASE("rndf: each flaw gets its code at its place") {
  struct Row {
    std::string_view from, to;
    const Code* code;
    Position at;
    bool strict_error;
  };
  const Row rows[] = {
      {"RNDF_name\tblock\n", "", &code::kHeader, {1, 1}, true},
      {"\tblock\n", "\tmy block\n", &code::kName, {1, 11}, true},
      {"num_segments\t1", "num_segments\t4", &code::kCount, {1, 1}, true},
      {"num_waypoints\t3", "num_waypoints\t5", &code::kCount, {9, 1}, true},
      {"num_waypoints\t3\n", "", &code::kHeader, {9, 1}, true},
      {"num_lanes\t2\nsegment_name\tMain", "segment_name\tMain\nnum_lanes\t2", &code::kOrder, {8, 1}, true},
      {"segment\t1\n", "segment\t3\n", &code::kIdOrder, {6, 9}, true},
      {"lane_width\t12\n", "lane_type\tcar_lane\n", &code::kExtension, {11, 1}, true},
      {"lane_width\t12\n", "color\tred\n", &code::kUnknown, {11, 1}, true},
      {"lane_width\t12\n", "lane_width\t12.5\n", &code::kWidth, {11, 12}, true},
      {"double_yellow", "pink", &code::kBoundary, {12, 1}, true},
      {"stop\t1.1.3", "stop\t1.1.3 now", &code::kTokens, {14, 12}, true},
      {"end_lane\nlane\t1.2", "lane\t1.2", &code::kEnd, {9, 1}, true},
      {"end_file\n", "", &code::kEnd, {44, 1}, true},
      {"segment_name\tMain", "segment_name\tMain /* open", &code::kComment, {8, 19}, false},
      {"checkpoint\t1.1.2\t1", "checkpoint\t1.2.2\t1", &code::kForeign, {13, 12}, true},
      {"checkpoint\t1.1.2\t1\n", "checkpoint\t1.1.2\t40000\n", &code::kRange, {13, 18}, true},
      {"\t34.000500\t", "\tnorth\t", &code::kValue, {18, 7}, false},
      {"lane_width\t12", "lane_width\t-12", &code::kValue, {11, 12}, false},
      {"lane_width\t12", "lane_width", &code::kValue, {11, 11}, false},
      {"stop\t1.1.3", "stop\t1.1", &code::kId, {14, 6}, false},
      {"\t34.000500\t", "\t340.005\t", &code::kCoordinate, {18, 7}, false},
      {"2.1.2\t34.001300\t-117.000050\n", "", &code::kSpotPoints, {37, 1}, false},
      {"exit\t1.1.3\t1.2.1", "exit\t1.1.3\t1.2.9", &code::kExitDangling, {15, 1}, false},
      {"stop\t1.1.3", "stop\t1.1.7", &code::kStopDangling, {14, 1}, false},
      {"checkpoint\t2.1.2\t2", "checkpoint\t2.1.2\t1", &code::kCheckpointDuplicate, {39, 1}, false},
      {"1.2.2\t34.000000\t-117.000050", "1.2.2\t34.001000\t-117.000050", &code::kStepZero, {24, 1}, false},
      {"1.2.2\t34.000000", "1.2.2\t35.000000", &code::kStepLong, {24, 1}, false},
      {"exit\t2.0.2\t1.2.1", "exit\t2.0.2\t2.0.2", &code::kExitSelf, {31, 1}, false},
      {"exit\t1.1.3\t2.0.1", "exit\t1.1.3\t1.2.1", &code::kExitRepeated, {16, 1}, false},
      {"2.0.3\t34.001500\t-117.000100\n2.0.4\t34.001500\t-117.000000",
       "2.0.3\t34.001500\t-117.000000\n2.0.4\t34.001500\t-117.000100",
       &code::kPerimeterCrossing,
       {35, 1},
       false},
  };
  for (const Row& row : rows) {
    const std::string text = with(kNetwork, row.from, row.to);
    CAPTURE(text);
    const Diagnostics d = all_of(text);
    bool found = false;
    for (const Diagnostic& item : d.items()) {
      CAPTURE(to_text(item));
      if (item.code == row.code->name && item.at == row.at) found = true;
    }
    CAPTURE(test::all_text(d));
    CAPTURE(row.code->name);
    CHECK(found);
    if (row.strict_error) CHECK(read_rndf(text, "n", {.strict = true}).diagnostics.has_errors());
  }
}

TEST_CASE("rndf: duplicates, short lanes and perimeters, missing spots") {
  Expected twice(all_of(with(kNetwork, "1.1.3\t34.001000", "1.1.2\t34.001000")));
  twice.take(code::kIdDuplicate, Position{19, 1});
  twice.take(code::kStopDangling);
  twice.take(code::kExitDangling);
  twice.take(code::kExitDangling);
  twice.drop_notes();
  Expected(all_of(with(with(kNetwork, "1.2.2\t34.000000\t-117.000050\n", ""), "num_waypoints\t2", "num_waypoints\t1")))
      .take(code::kLaneShort, Position{21, 1});
  Expected e(all_of(with(with(with(kNetwork, "2.0.3\t34.001500\t-117.000100\n", ""), "2.0.4\t34.001500\t-117.000000\n", ""),
                         "num_perimeterpoints\t4", "num_perimeterpoints\t2")));
  e.take(code::kPerimeterShort, Position{27, 1});
  Expected dangling(all_of(with(kNetwork, "checkpoint\t1.1.2\t1", "checkpoint\t1.1.9\t1")));
  dangling.take(code::kCheckpointDangling, Position{13, 1});
}

TEST_CASE("rndf: five flaws are five located errors") {
  std::string text = with(kNetwork, "\t34.000500\t", "\tnorth\t");
  text = with(text, "stop\t1.1.3", "stop\t1");
  text = with(text, "exit\t2.0.2\t1.2.1", "exit\t2.0.2\t7.7.7");
  text = with(text, "checkpoint\t2.1.2\t2", "checkpoint\t2.1.2\t-2");
  text = with(text, "1.2.2\t34.000000", "1.2.2\t934.000000");
  text = with(text, "checkpoint\t1.1.2\t1\n", "");
  const Diagnostics d = all_of(text);
  CAPTURE(test::all_text(d));
  CHECK(d.errors() == 5);
}

TEST_CASE("rndf: comments, CRLF, a byte order mark and blanks instead of tabs change nothing") {
  const auto want = read_rndf(kNetwork, "n").value;
  std::string crlf = "\xEF\xBB\xBF/* whole\n line */\n";
  for (const char* c = kNetwork; *c != '\0'; ++c)
    crlf += *c == '\n' ? " \t/* x */ /* y */\r\n" : *c == '\t' ? "   " : std::string(1, *c);
  auto r = read_rndf(crlf, "n", {.strict = true});
  CHECK(test::all_text(r.diagnostics) == "");
  CHECK(*r.value == *want);
}

TEST_CASE("rndf: blocks of the 1.1 extensions are kept and written back") {
  std::string text = with(kNetwork, "lane_width\t12\n", "lane_width\t12\nlane_type\tcar_lane\n");
  text = with(text, "end_file\n", "intersection 1\nnum_trafficlights 1\nend_intersection\nend_file\n");
  auto r = read_rndf(text, "n");
  CHECK(r.diagnostics.warnings() == 2);
  REQUIRE(r.value->extensions.size() == 1);
  CHECK(r.value->extensions[0].text == "intersection 1\nnum_trafficlights 1\nend_intersection");
  auto again = read_rndf(write_rndf(*r.value), "n");
  CHECK(*again.value == *r.value);
}

TEST_CASE("rndf: a count of 2,000,000,000 allocates nothing") {
  const Diagnostics d = all_of(with(kNetwork, "num_waypoints\t3", "num_waypoints\t2000000000"));
  CHECK(d.warnings() == 2);
}

TEST_CASE("rndf: nothing of the format is one error") {
  Expected(read_rndf("", "n").diagnostics).take(code::kEmpty);
  Expected hello(read_rndf("hello world\n", "n").diagnostics);
  hello.take(code::kEmpty);
  hello.take(code::kUnknown);
}

TEST_CASE("rndf: lanes and spots of a block whose id cannot be read are written so that they read back") {
  for (const std::string_view area : {"x", "0", "", "-1", "99999999999"}) {
    std::string text = kNetwork;
    for (const std::string_view block : {"segment\t1", "zone\t2"})
      if (const std::size_t at = text.find("\n" + std::string(block) + "\n"); at != std::string::npos)
        text.replace(at + 1, block.size(), std::string(block.substr(0, block.find('\t') + 1)) + std::string(area));
    text.erase(text.find("lane\t1.1\n"), 9);  // its lines become the segment's; lane 1.2 comes first
    const auto r = read_rndf(text, "m");
    REQUIRE(r.value);
    CHECK(r.diagnostics.has_errors());
    const std::string written = write_rndf(*r.value);
    const auto again = read_rndf(written, "again");
    CAPTURE(written);
    REQUIRE(again.value);
    CHECK(*again.value == *r.value);
  }
}

TEST_CASE("rndf: prefixes and mutations end in a reading or in a diagnosis") {
  test::for_every_prefix(kNetwork, [](std::string_view prefix) {
    auto r = read_rndf(prefix, "p");
    CHECK((r.value || r.diagnostics.has_errors()));
    CHECK((prefix.size() + 1 >= std::string_view(kNetwork).size() || !r.diagnostics.empty()));
  });
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    auto r = read_rndf(test::mutated(kNetwork, seed), "m");
    if (!r.value) continue;
    check(*r.value, r.diagnostics);
    const std::string text = write_rndf(*r.value);
    auto again = read_rndf(text, "again");
    REQUIRE(again.value);
    CAPTURE(text);
    CHECK(write_rndf(*again.value) == text);
  }
}

TEST_CASE("rndf: the corpus reads with the right diagnostics, and what is written reads in strict mode") {
  struct Row {
    const char* file;
    std::size_t segments, points, checkpoints, exits, errors;
  };
  for (const Row& row : {Row{"darpa-sample-rev1.5.rndf", 13, 146, 17, 49, 0}, Row{"swri_site_visit.rndf", 3, 60, 0, 0, 0},
                         Row{"duplicate_waypoint_id.rndf", 1, 5, 0, 0, 1}}) {
    const auto path = test::shared_file(std::string("corpus/rndf/") + row.file);
    if (!path) return;
    CAPTURE(row.file);
    auto r = read_rndf(test::read_text(*path), row.file);
    REQUIRE(r.value);
    CHECK(test::all_text(r.diagnostics) == "");
    check(*r.value, r.diagnostics);
    CHECK(r.diagnostics.errors() == row.errors);
    CHECK(r.value->segments.size() == row.segments);
    std::size_t points = 0, checkpoints = 0, exits = 0;
    for (const Segment& s : r.value->segments)
      for (const Lane& l : s.lanes) points += l.waypoints.size(), checkpoints += l.checkpoints.size(), exits += l.exits.size();
    for (const Zone& z : r.value->zones) {
      exits += z.exits.size();
      for (const Spot& s : z.spots) checkpoints += s.checkpoints.size();
    }
    CHECK(points == row.points);
    if (row.checkpoints > 0) CHECK(checkpoints == row.checkpoints);
    if (row.exits > 0) CHECK(exits == row.exits);
    auto strict = read_rndf(write_rndf(*r.value), row.file, {.strict = true});
    if (row.errors == 0) CHECK(test::all_text(strict.diagnostics) == "");
    CHECK(*strict.value == *r.value);
  }
  const auto mission = test::shared_file("corpus/rndf/swri_site_visit.mdf");
  const auto network = test::shared_file("corpus/rndf/swri_site_visit.rndf");
  if (!mission || !network) return;
  auto m = read_mdf(test::read_text(*mission), "swri.mdf", {.strict = true});
  auto n = read_rndf(test::read_text(*network), "swri.rndf");
  REQUIRE(m.value);
  check(*m.value, &*n.value, m.diagnostics);
  CHECK(test::all_text(m.diagnostics) == "");
  CHECK(m.value->checkpoints.size() == 4);
  CHECK(*read_mdf(write_mdf(*m.value), "again", {.strict = true}).value == *m.value);
}

TEST_CASE("mdf: a clean mission reads in strict mode, writes back, and fits its network") {
  auto m = read_mdf(kMission, "m", {.strict = true});
  REQUIRE(m.value);
  auto n = read_rndf(kNetwork, "n");
  check(*m.value, &*n.value, m.diagnostics);
  CHECK(test::all_text(m.diagnostics) == "");
  CHECK(m.value->checkpoints.size() == 3);
  CHECK(m.value->speed_limits[1] == SpeedLimit{2, 0, 10, {}});
  CHECK(write_mdf(*m.value) == kMission);
  CHECK(looks_like_mdf(kMission));
  CHECK_FALSE(looks_like_mdf(kNetwork));
  CHECK(looks_like_rndf(kNetwork));
  CHECK_FALSE(looks_like_rndf(kMission));
}

TEST_CASE("mdf: five flaws are five located errors") {
  auto n = read_rndf(kNetwork, "n");
  std::string text = with(kMission, "\n2\n1\n", "\n2\n9\n");
  text = with(text, "num_checkpoints\t3", "num_checkpoints\tthree");
  text = with(text, "1\t0\t25", "1\t30\t25");
  text = with(text, "num_speed_limits\t2", "num_speed_limits\t4");
  text = with(text, "2\t0\t10", "2\t0\t10\n3\t0\tfast\n7\t0\t10");
  auto m = read_mdf(text, "m", {.strict = true});
  REQUIRE(m.value);
  check(*m.value, &*n.value, m.diagnostics);
  CAPTURE(test::all_text(m.diagnostics));
  Expected found(std::move(m.diagnostics));
  found.drop_notes();
  found.take(code::kValue, Position{6, 17});
  found.take(code::kMdfCheckpoint, Position{9, 1});
  found.take(code::kMdfLimits, Position{13, 1});
  found.take(code::kValue, Position{15, 5});
  found.take(code::kMdfArea, Position{16, 1});
}

TEST_CASE("mdf: each flaw gets its code") {
  struct Row {
    std::string_view from, to;
    const Code* code;
    Position at;
  };
  const Row rows[] = {
      {"1\t0\t25", "1\t30\t25", &code::kMdfLimits, {13, 1}},
      {"\n2\n1\n", "\n2\n9\n", &code::kMdfCheckpoint, {9, 1}},
      {"2\t0\t10", "5\t0\t10", &code::kMdfArea, {14, 1}},
      {"2\t0\t10", "1\t0\t10", &code::kMdfAreaRepeated, {14, 1}},
      {"num_speed_limits\t2\n1\t0\t25\n", "num_speed_limits\t1\n", &code::kMdfAreaMissing, {0, 0}},
      {"RNDF\tblock", "RNDF\tother", &code::kMdfName, {2, 6}},
      {"num_checkpoints\t3", "num_checkpoints\t4", &code::kCount, {5, 1}},
      {"end_file\n", "", &code::kEnd, {16, 1}},
      {"end_checkpoints\n", "", &code::kEnd, {5, 1}},
      {"RNDF\t", "RNDF_name\t", &code::kOrder, {2, 1}},
      {"1\t0\t25", "1\t0\tfast", &code::kValue, {13, 5}},
      {"MDF_name\tm\n", "", &code::kHeader, {1, 1}},
  };
  auto n = read_rndf(kNetwork, "n");
  for (const Row& row : rows) {
    const std::string text = with(kMission, row.from, row.to);
    auto m = read_mdf(text, "m");
    REQUIRE(m.value);
    check(*m.value, &*n.value, m.diagnostics);
    CAPTURE(text);
    CAPTURE(test::all_text(m.diagnostics));
    bool found = false;
    for (const Diagnostic& item : m.diagnostics.items())
      if (item.code == row.code->name && item.at == row.at) found = true;
    CHECK(found);
  }
  CHECK(read_mdf("hello", "m").diagnostics.has_errors());
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    auto r = read_mdf(test::mutated(kMission, seed), "m");
    if (r.value) check(*r.value, &*n.value, r.diagnostics);
    if (r.value) CHECK(read_mdf(write_mdf(*r.value), "again").value.has_value());
  }
  test::for_every_prefix(kMission, [](std::string_view prefix) {
    auto r = read_mdf(prefix, "p");
    CHECK((r.value || r.diagnostics.has_errors()));
  });
}

TEST_CASE("rndf: coordinates keep every digit and have at least six decimals") {
  RandomStream random(1, "coordinates");
  for (int i = 0; i < 300; ++i) {
    Rndf r;
    r.name = "n";
    rndf::Waypoint w{{1, 1, 1}, true, random.uniform() * 180 - 90, random.uniform() * 360 - 180, {}};
    if (i == 0) w.lat = 1e-9;
    if (i == 1) w.lat = 5, w.lon = -180;
    r.segments.push_back({1, "", {}, {Lane{1, 1, {}, {}, {}, {}, {}, {}, {}, {w, {{1, 1, 2}, true, 1, 1, {}}}, {}}}, {}});
    const std::string text = write_rndf(r);
    auto again = read_rndf(text, "n", {.strict = true});
    CHECK(test::all_text(again.diagnostics) == "");
    CHECK(*again.value == r);
    if (i == 1) CHECK(text.find("1.1.1\t5.000000\t-180.000000\n") != std::string::npos);
  }
}

TEST_CASE("rndf: blocks and unknown lines beyond the limit are an error at the first one") {
  const auto lanes = read_rndf(test::repeated("RNDF_name a\nsegment 1\n", "lane 1.#\n", kMaxRecords), "n");
  CHECK_FALSE(lanes.value);
  CHECK(test::all_text(lanes.diagnostics).find("n:100002:1: error: found more than 100000 segments") != std::string::npos);
  const auto lines = read_mdf(test::repeated("MDF_name a\n", "x\n", kMaxRecords + 1), "m");
  CHECK_FALSE(lines.value);
  CHECK(test::all_text(lines.diagnostics).find("m:100002:1: error: found more than 100000 speed limits") != std::string::npos);
  const auto visits = read_mdf(test::repeated("MDF_name a\ncheckpoints\n", "1\n", 1'000'001), "m");
  CHECK_FALSE(visits.value);
  Expected(visits.diagnostics).take(code::kMany, Position{1'000'003, 1});
}

TEST_CASE("rndf: words beyond the few that a line has are counted, and part of a name") {
  const auto mdf = read_mdf(
      "MDF_name a b c d e f\nRNDF r\ncheckpoints\nnum_checkpoints 1\n1 2 3 4 5 6\nend_checkpoints\nx 1 2 3 4 5 6\n", "m");
  REQUIRE(mdf.value);
  CHECK(mdf.value->name == "a b c d e f");
  REQUIRE(mdf.value->extensions.size() == 1);
  CHECK(mdf.value->extensions[0].text == "x 1 2 3 4 5 6");
  CHECK(test::all_text(mdf.diagnostics).find("has 6 words, expected 1; \"2\" is ignored") != std::string::npos);
}
