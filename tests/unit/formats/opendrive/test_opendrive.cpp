#include <doctest/doctest.h>

#include "formats/opendrive/opendrive.hpp"

using namespace simbatch::opendrive;

TEST_CASE("opendrive: names are escaped, numbers rounded, lanes from left to right") {
  Network network;
  network.name = "a & b";
  network.origin = {48, 11};
  Road road;
  road.name = "\"Main\"";
  road.plan = {{0, 1, 2, 0.5, 10.00000049, Arc{-0.001}}};
  Lane lane;
  lane.widths = {{0, 3, 0, 0, 0}};
  for (const int id : {1, 2}) lane.id = id, road.left.push_back(lane);
  lane.id = -1;
  lane.type = LaneType::sidewalk;
  lane.mark = {MarkType::solid_solid, MarkColor::yellow};
  road.right = {lane};
  Signal light;
  light.is_dynamic = true;
  light.type = "1000001";
  road.signals = {light};
  network.roads = {road};
  const std::string text = write(network);
  CHECK(text.find("name=\"a &amp; b\"") != std::string::npos);
  CHECK(text.find("<road name=\"&quot;Main&quot;\" length=\"10\" id=\"0\" junction=\"-1\">") != std::string::npos);
  CHECK(text.find("<arc curvature=\"-0.001\"/>") != std::string::npos);
  const auto two = text.find("<lane id=\"2\""), one = text.find("<lane id=\"1\""), center = text.find("<lane id=\"0\""),
             right = text.find("<lane id=\"-1\" type=\"sidewalk\"");
  CHECK(two < one);
  CHECK(one < center);
  CHECK(center < right);
  CHECK(right != std::string::npos);
  CHECK(text.find("type=\"solid solid\" weight=\"standard\" color=\"yellow\"") != std::string::npos);
  CHECK(text.find("dynamic=\"yes\" orientation=\"+\" zOffset=\"5\" country=\"OpenDRIVE\" type=\"1000001\"") !=
        std::string::npos);
}
