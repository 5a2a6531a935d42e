// What robots of other formats need: whole tensors, parts without shape, links that pass through each other.

#include <doctest/doctest.h>

#include "base/xml/codes.hpp"
#include "formats/autosim/codes.hpp"
#include "formats/autosim/robot.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

constexpr std::string_view kRobot = R"(<Robot name="r">
  <Articulation base="a" fixed="true" selfCollision="false"/>
  <Parts>
    <Compound name="a"><Mass value="2"/><Inertia x="1" y="2" z="2.5" xy="0.1" xz="-0.2" yz="0.3"/></Compound>
    <Box name="b"><Size x="1" y="1" z="1"/><Mass value="2"/><Inertia x="1" y="2" z="2.5"/></Box>
    <RevoluteLink name="j"><Parent name="a"/><Child name="b"/><Position x="0" y="0" z="0"/><Axis x="0" y="1" z="0"/></RevoluteLink>
  </Parts>
</Robot>
)";

}  // namespace

TEST_CASE("autosim: tensors, shapeless compounds and self collision are read and written") {
  const auto read = autosim::read_robot(kRobot, "r.xml");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  const autosim::Robot& robot = *read.value;
  CHECK_FALSE(robot.articulation->self_collision);
  CHECK(robot.bodies[0].geometries.empty());
  CHECK(robot.bodies[0].inertia == autosim::Vector3{1, 2, 2.5});
  CHECK(robot.bodies[0].inertia_products == autosim::Vector3{0.1, -0.2, 0.3});
  CHECK(robot.bodies[1].inertia_products == autosim::Vector3{});
  const auto again = autosim::read_robot(autosim::write_robot(robot), "again.xml");
  REQUIRE_MESSAGE(again.ok(), test::all_text(again.diagnostics));
  CHECK(*again.value == robot);
}

TEST_CASE("autosim: a compound without geometry and inertia is an error, as is a moment of 0") {
  {
    test::Expected expected(
        autosim::read_robot("<Robot name='r'><Parts><Compound name='a'><Mass value='1'/></Compound></Parts></Robot>", "r.xml")
            .diagnostics);
    expected.take(autosim::code::kEmpty);
  }
  {
    test::Expected expected(
        autosim::read_robot("<Robot name='r'><Parts><Compound name='a'><Mass value='1'/><Inertia x='0' y='1' z='1' xw='2'/>"
                            "</Compound></Parts></Robot>",
                            "r.xml")
            .diagnostics);
    expected.take(xml::code::kNumberRange);
    expected.take(xml::code::kAttributeUnknown);
  }
}
