// The public names of what links show in traces.

#include "lib/sim/device/link_table.hpp"

#include <doctest/doctest.h>

using namespace simbatch;
using namespace simbatch::sim;

TEST_CASE("links: a revolute one shows its angle, a prismatic one its displacement, each with its rate") {
  const auto revolute = LinkTable::fields(physics::LinkKind::revolute),
             prismatic = LinkTable::fields(physics::LinkKind::prismatic);
  REQUIRE(revolute.size() == 2);
  CHECK(revolute[0].name == "angle");
  CHECK(revolute[0].unit == "rad");
  CHECK(revolute[1].name == "rate");
  REQUIRE(prismatic.size() == 2);
  CHECK(prismatic[0].name == "displacement");
  CHECK(prismatic[0].unit == "m");
  CHECK(prismatic[1].unit == "m/s");
  CHECK(LinkTable::fields(physics::LinkKind::spherical).empty());
}
