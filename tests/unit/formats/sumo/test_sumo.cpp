#include <doctest/doctest.h>

#include <string>

#include "formats/sumo/sumo.hpp"

using namespace simbatch::sumo;

namespace {

/// An edge to the east, and one through a junction.
Net small_net() {
  Net net;
  net.origin = {48, 11};
  Edge inner, edge;
  inner.id = ":5_0";
  inner.is_internal = true;
  inner.lanes = {{13.888888888, 6, 3, "", "pedestrian", {{100, -1.5}, {106, -1.5}}}};
  edge.id = "-7";
  edge.from = "a";
  edge.to = "5";
  edge.name = "a & \"b\"";
  edge.priority = 9;
  edge.type = "highway.primary";
  edge.lanes = {{2.5, 100.00049, 2, "pedestrian", "", {{0, -4}, {100, -4}}},
                {13.888888888, 100.00049, 3, "", "", {{0, -1.5}, {100, -1.5}}}};
  net.edges = {inner, edge};
  return net;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("sumo: names are escaped, numbers rounded, lanes numbered from the right") {
  const std::string text = write(small_net());
  CHECK(
      has(text, "<edge id=\"-7\" from=\"a\" to=\"5\" name=\"a &amp; &quot;b&quot;\" priority=\"9\" type=\"highway.primary\">"));
  CHECK(has(
      text,
      "<lane id=\"-7_0\" index=\"0\" allow=\"pedestrian\" speed=\"2.5\" length=\"100\" width=\"2\" shape=\"0,-4 100,-4\"/>"));
  CHECK(has(text, "<lane id=\"-7_1\" index=\"1\" speed=\"13.888889\" length=\"100\" width=\"3\" shape=\"0,-1.5 100,-1.5\"/>"));
  CHECK(has(text, "<edge id=\":5_0\" function=\"internal\">"));
}

TEST_CASE("sumo: the location is the extent of all lanes and the projection of their coordinates") {
  const std::string text = write(small_net());
  CHECK(has(text, "convBoundary=\"0,-4,106,-1.5\""));
  CHECK(has(text, "origBoundary=\"11,47.999964"));
  CHECK(has(text, "projParameter=\"+proj=tmerc +lat_0=48 +lon_0=11 +k=1 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs\""));
  CHECK(has(write(Net{}), "convBoundary=\"0,0,0,0\""));
}

TEST_CASE("sumo: bits of requests go from the last link to the first, optional attributes are left out") {
  Net net = small_net();
  Junction junction;
  junction.id = "5";
  junction.type = "traffic_light";
  junction.at = {103, -2};
  junction.incoming = {"-7_0", "-7_1"};
  junction.internal = {":5_0_0"};
  junction.requests = {{{true, false, false}, {true, true, false}, true}};
  net.junctions = {junction};
  net.programs = {{"5", {{42, "GgG"}, {3, "yyy"}}}};
  Connection plain, lit;
  plain.from = ":5_0", plain.to = "8";
  lit.from = "-7", lit.to = "8", lit.from_lane = 1, lit.via = ":5_0_0", lit.light = "5", lit.light_index = 0,
  lit.direction = 'l', lit.state = 'o';
  net.connections = {lit, plain};
  net.roundabouts = {{{"5", "6"}, {"-7"}}};
  const std::string text = write(net);
  CHECK(has(text, "<junction id=\"5\" type=\"traffic_light\" x=\"103\" y=\"-2\" incLanes=\"-7_0 -7_1\" intLanes=\":5_0_0\">"));
  CHECK(has(text, "<request index=\"0\" response=\"001\" foes=\"011\" cont=\"1\"/>"));
  CHECK(has(text, "<tlLogic id=\"5\" type=\"static\" programID=\"0\" offset=\"0\">"));
  CHECK(has(text, "<phase duration=\"42\" state=\"GgG\"/>"));
  CHECK(has(
      text,
      "<connection from=\"-7\" to=\"8\" fromLane=\"1\" toLane=\"0\" via=\":5_0_0\" tl=\"5\" linkIndex=\"0\" dir=\"l\" state=\"o\"/>"));
  CHECK(has(text, "<connection from=\":5_0\" to=\"8\" fromLane=\"0\" toLane=\"0\" dir=\"s\" state=\"M\"/>"));
  CHECK(has(text, "<roundabout nodes=\"5 6\" edges=\"-7\"/>"));
  // SUMO requires this order.
  CHECK(text.find("<tlLogic") < text.find("<junction"));
  CHECK(text.find("<junction") < text.find("<connection"));
}
