#include "lib/town/house_nodes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "base/core/number.hpp"

namespace simbatch::town {
namespace {
/// "12.5" for 1250: faster than formatting the shortest double, with the same result.
std::string_view hundredths_text(unsigned value, std::array<char, 16>& buffer) {
  char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value / 100).ptr;
  const unsigned rest = value % 100;
  if (rest != 0) {
    *end++ = '.';
    *end++ = static_cast<char>('0' + rest / 10);
    if (rest % 10 != 0) *end++ = static_cast<char>('0' + rest % 10);
  }
  return {buffer.data(), static_cast<std::size_t>(end - buffer.data())};
}
}  // namespace

HouseWriter::HouseWriter(const Town& town, osm::Id first, osm::Id step)
    : plane_(town.plane),
      models_(town.models),
      uses_(town.models.size()),
      prepared_(town.models.size(), kNotYet),
      first_small_(town.first_small),
      next_(first),
      step_(step) {
  for (const Use& use : town.uses)
    for (std::uint32_t m = 0; m < use.models; ++m) uses_[use.first_model + m] = use.name;
}

std::size_t HouseWriter::prepare(std::uint16_t number, osm::NodeSink& sink) const {
  const autosim::HouseModel& model = *models_[number];
  const std::string x = number_text(model.box_size.x), y = number_text(model.box_size.y), z = number_text(model.box_size.z);
  const std::array<osm::TagText, 10> tags{{{"filePath", model.file.path},
                                           {"fileType", model.file.type},
                                           {"landuse", uses_[number]},
                                           {"name", model.name},
                                           {"rotY", {}},
                                           {"sizeX", x},
                                           {"sizeY", y},
                                           {"sizeZ", z},
                                           {kGeneratedKey, kGeneratedValue},
                                           {"simbatch:kind", model.type}}};
  // Houses, and trees of a land use, have no kind: their land use says what they are.
  return sink.prepare(std::span(tags).first(number < first_small_ ? 9 : 10), 4);
}

void HouseWriter::write(std::span<const House> houses, osm::NodeSink& sink) {
  std::array<char, 16> buffer{};
  for (const House& house : houses) {
    std::size_t& prepared = prepared_[house.model];
    if (prepared == kNotYet) prepared = prepare(house.model, sink);
    sink.node(next_, plane_.to_geographic(house.center), prepared, hundredths_text(house.heading, buffer));
    next_ += step_;
  }
}

void write_houses(const Town& town, const PlacedHouses& placement, osm::Id first, osm::Id step, osm::NodeSink& sink) {
  HouseWriter(town, first, step).write(placement.houses, sink);
}

namespace {
/// The extreme id on one side of 0 (`sign` -1: the lowest) among remaining nodes, nodes referenced by ways, and deleted nodes,
/// which are not in the model.
osm::Id extreme_id(const osm::Document& document, bool replaces, osm::Id sign, osm::Id all_nodes) {
  const auto& model = document.model;
  const auto& located = document.layout.located_nodes;
  osm::Id all = 0, staying = 0;
  std::size_t next = 0;
  for (std::uint32_t node = 0; node < model.node_ids.size(); ++node) {
    const osm::Id id = model.node_ids[node] * sign;
    if (id <= 0) continue;
    while (next < located.size() && located[next] < node) ++next;
    all = std::max(all, id);
    if (!replaces || next >= located.size() || located[next] != node) staying = std::max(staying, id);
  }
  for (const osm::Id id : model.missing) staying = std::max(staying, id * sign);
  if (all_nodes * sign > all) staying = std::max(staying, all_nodes * sign);
  return staying * sign;
}
}  // namespace

osm::Id lowest_node_id(const osm::Document& document, bool replaces) {
  return extreme_id(document, replaces, -1, document.facts.lowest_id[0]);
}
osm::Id highest_node_id(const osm::Document& document, bool replaces) {
  return extreme_id(document, replaces, 1, document.facts.highest_id[0]);
}

}  // namespace simbatch::town
