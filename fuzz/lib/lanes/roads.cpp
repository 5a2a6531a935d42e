// Any map or road network that can be read becomes OpenDRIVE, Lanelet2 and a network for SUMO, or is refused: all numbers are
// finite (the writers insist), each road and lane has a length, each turn leads from a lane to a lane, each lanelet has two bounds
// that are there when the file is read again, and each junction of SUMO has as many requests as links. Every other map has heights.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "formats/osm/read.hpp"
#include "formats/osm/write.hpp"
#include "formats/rndf/rndf.hpp"
#include "lib/lanes/network.hpp"
#include "lib/lanes/to_lanelet2.hpp"
#include "lib/lanes/to_opendrive.hpp"
#include "lib/lanes/to_sumo.hpp"

namespace {

void check_lanelet2(const simbatch::lanes::Network& network) {
  using namespace simbatch;
  Diagnostics losses;
  const osm::Model made = lanes::to_lanelet2(network, losses);
  const auto read = osm::read_xml(osm::write_xml(made), {}, "again");
  if (!read.ok() || losses.has_errors()) std::abort();
  const osm::Model& map = read.value->model;
  if (map.node_positions != made.node_positions || map.refs != made.refs || map.relations.size() != made.relations.size())
    std::abort();
  for (std::size_t relation = 0; relation < map.relations.size(); ++relation) {
    const auto members = map.members_of(relation);
    if (members.size() != 2) std::abort();
    for (const osm::Member& member : members)
      if (member.kind != osm::Kind::way || member.ref.is_missing() || map.refs_of(member.ref.number()).size() < 2) std::abort();
  }
}

void check_sumo(const simbatch::sumo::Net& net) {
  using namespace simbatch;
  for (const sumo::Edge& edge : net.edges)
    for (const sumo::Lane& lane : edge.lanes)
      if (!(lane.length > 0) || !(lane.speed > 0) || lane.shape.size() < 2) std::abort();
  for (const sumo::Junction& junction : net.junctions)
    for (const sumo::Request& request : junction.requests)
      if (request.foes.size() != junction.requests.size() || junction.internal.size() != junction.requests.size()) std::abort();
  if (sumo::write(net).empty()) std::abort();
}

/// Waves, with each way on a level of its own.
simbatch::lanes::Heights waves() {
  using namespace simbatch;
  return {[](osm::Id from, osm::Id to, const geo::LocalFrame&, geo::EastNorth at) {
            return 5 * std::sin(at.east / 50) * std::cos(at.north / 70) + static_cast<double>((from + to) % 7);
          },
          [](osm::Id way) { return way % 2 == 0; }, true};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Diagnostics diagnostics("fuzz");
  std::optional<lanes::Network> network;
  if (rndf::looks_like_rndf(text)) {
    const auto read = rndf::read_rndf(text, "fuzz");
    if (!read.ok()) return 0;
    network = lanes::from_rndf(*read.value, diagnostics);
  } else {
    osm::ReadOptions options;
    options.max_model_bytes = std::size_t{1} << 28;
    const auto read = osm::read_xml(text, options, "fuzz");
    if (!read.ok()) return 0;
    network = lanes::from_osm(read.value->model, "fuzz", diagnostics, size % 2 == 0 ? std::optional(waves()) : std::nullopt);
  }
  if (network.has_value() == diagnostics.has_errors()) std::abort();
  if (!network) return 0;
  for (const lanes::Junction& junction : network->junctions)
    for (const lanes::Turn& turn : junction.turns)
      if (!(lane_of(network->roads[turn.from_road], turn.from_lane).width > 0) ||
          !(lane_of(network->roads[turn.to_road], turn.to_lane).width > 0))
        std::abort();
  const opendrive::Network out = to_opendrive(*network);
  for (const opendrive::Road& road : out.roads)
    if (!(road.length() > 0)) std::abort();
  if (opendrive::write(out).empty()) std::abort();
  check_lanelet2(*network);
  check_sumo(to_sumo(*network, diagnostics));
  return 0;
}
