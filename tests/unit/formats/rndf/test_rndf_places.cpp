/// What one broken waypoint or id makes of the rest, as real files showed it.
#include <doctest/doctest.h>

#include <string>

#include "formats/rndf/codes.hpp"
#include "formats/rndf/rndf.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::rndf;

namespace {

/// Two lanes joined by an exit, with a stop and a checkpoint at the second waypoint, whose place and whose exits are given.
std::string network(const std::string& second_waypoint, const std::string& more = "") {
  return "RNDF_name\tsite\nnum_segments\t1\nnum_zones\t0\nsegment\t1\nnum_lanes\t1\nlane\t1.1\nnum_waypoints\t3\n"
         "checkpoint\t1.1.2\t1\nstop\t1.1.2\nexit\t1.1.2\t1.1.1\n" +
         more + "1.1.1\t29.5\t-98.6\n1.1.2\t" + second_waypoint + "\n1.1.3\t29.502\t-98.6\nend_lane\nend_segment\nend_file\n";
}

Diagnostics problems_of(const std::string& text) {
  auto parsed = read_rndf(text, "site.rndf", {.strict = true});
  REQUIRE(parsed.value.has_value());
  check(*parsed.value, parsed.diagnostics);
  return parsed.diagnostics;
}

}  // namespace

TEST_CASE("rndf: a waypoint with a broken coordinate is one error; it is there for exits, stops and checkpoints") {
  REQUIRE(problems_of(network("29.501\t-98.6")).empty());
  const struct {
    const char* place;
    const Code& code;
    Position at;
  } rows[] = {{"98.0\t-98.6", code::kCoordinate, {12, 7}},
              {"29.501\t-198.6", code::kCoordinate, {12, 14}},
              {"x\t-98.6", code::kValue, {12, 7}},
              {"29.501\tx", code::kValue, {12, 14}}};
  for (const auto& row : rows) {
    CAPTURE(row.place);
    test::Expected expected(problems_of(network(row.place)));
    expected.take(row.code, row.at);
  }
  test::Expected both(problems_of(network("98.0\t-198.6")));  // one for each number
  both.take(code::kCoordinate, Position{12, 7});
  both.take(code::kCoordinate, Position{12, 12});
}

TEST_CASE("rndf: a waypoint with a broken coordinate is marked in the model") {
  const auto parsed = read_rndf(network("98.0\t-98.6"), "site.rndf");
  REQUIRE(parsed.value.has_value());
  const auto& waypoints = parsed.value->segments[0].lanes[0].waypoints;
  REQUIRE(waypoints.size() == 3);
  CHECK(waypoints[0].is_placed);
  CHECK_FALSE(waypoints[1].is_placed);
}

TEST_CASE("rndf: an id with a number that no part can have is told from one that is not three numbers") {
  const auto message = [](const char* id) {
    test::Expected expected(problems_of(network("29.501\t-98.6", std::string("exit\t1.1.3\t") + id + "\n")));
    return expected.take(code::kId, Position{11, 12});
  };
  CHECK(message("0.5.6") == "entry waypoint is \"0.5.6\": ids run from 1 to 32768, and segment 0 does not exist");
  CHECK(message("4294967297.1.1") ==
        "entry waypoint is \"4294967297.1.1\": ids run from 1 to 32768, and segment 4294967297 does not exist");
  CHECK(message("1.1.0") == "entry waypoint is \"1.1.0\": ids run from 1 to 32768, and waypoint 0 does not exist");
  CHECK(message("1.1") == "entry waypoint is \"1.1\", expected 3 numbers joined by dots");
  CHECK(message("1.1.x") == "entry waypoint is \"1.1.x\", expected 3 numbers joined by dots");
}

TEST_CASE("mdf: a mission may name its network by the file's name, and a wrong name is told at its line") {
  const auto network_value = read_rndf(network("29.501\t-98.6"), "site.rndf").value;
  const auto problems = [&](const std::string& name, const std::string& file) {
    auto mission = read_mdf("MDF_name\tm\nRNDF\t" + name +
                                "\nformat_version\t1.0\ncreation_date\t2-Jan-07\ncheckpoints\nnum_checkpoints\t1\n1\n"
                                "end_checkpoints\nspeed_limits\nnum_speed_limits\t1\n1\t0\t10\nend_speed_limits\nend_file\n",
                            "m.mdf", {.strict = true});
    REQUIRE(mission.value.has_value());
    check(*mission.value, &*network_value, mission.diagnostics, file);
    return mission.diagnostics;
  };
  CHECK(problems("site.txt", "").empty());
  CHECK(problems("nqe_rndf.txt", "maps/nqe_rndf.rdf").empty());
  test::Expected wrong(problems("other", "maps/nqe_rndf.rdf"));
  wrong.take(code::kMdfName, Position{2, 6});
}
