#include "lib/mapgen/house_nodes.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "lib/base/number.hpp"

namespace simbatch::mapgen {
namespace {
/// "12.5" for 1250: quicker than the shortest double, and the same text.
void append_hundredths(std::string& out, unsigned value) {
  out += number_text(value / 100);
  const unsigned rest = value % 100;
  if (rest == 0) return;
  out += '.';
  out += static_cast<char>('0' + rest / 10);
  if (rest % 10 != 0) out += static_cast<char>('0' + rest % 10);
}
}  // namespace

HouseWriter::HouseWriter(const Town& town, osm::Id first, osm::Id step)
    : plane_(town.plane), models_(town.models), texts_(town.models.size()), next_(first), step_(step) {
  for (std::size_t m = 0; m < models_.size(); ++m) {
    const autosim::Vector3& size = models_[m]->box_size;
    texts_[m] = {{}, number_text(size.x), number_text(size.y), number_text(size.z)};
  }
  for (const Use& use : town.uses)
    for (std::uint32_t m = 0; m < use.models; ++m) texts_[use.first_model + m].use = use.name;
}

void HouseWriter::write(std::span<const House> houses, osm::NodeSink& sink) {
  std::string heading;
  std::array<osm::TagText, 9> tags{{{"filePath", {}}, {"fileType", {}}, {"landuse", {}}, {"name", {}}, {"rotY", {}},
                                    {"sizeX", {}}, {"sizeY", {}}, {"sizeZ", {}}, {kGeneratedKey, kGeneratedValue}}};
  for (const House& house : houses) {
    const autosim::HouseModel& model = *models_[house.model];
    const Text& text = texts_[house.model];
    heading.clear();
    append_hundredths(heading, house.heading);
    tags[0].value = model.file.path;
    tags[1].value = model.file.type;
    tags[2].value = text.use;
    tags[3].value = model.name;
    tags[4].value = heading;
    tags[5].value = text.size_x;
    tags[6].value = text.size_y;
    tags[7].value = text.size_z;
    sink.node(next_, plane_.to_geographic(house.centre), tags);
    next_ += step_;
  }
}

void write_houses(const Town& town, const Placement& placement, osm::Id first, osm::Id step, osm::NodeSink& sink) {
  HouseWriter(town, first, step).write(placement.houses, sink);
}

namespace {
/// The extreme of ids on one side of 0 (`sign` of -1: the lowest): among nodes that stay, among those that ways refer to,
/// and, as they are not in the model, among deleted ones.
osm::Id extreme_id(const osm::Document& document, bool replaces, osm::Id sign, osm::Id told) {
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
  if (told * sign > all) staying = std::max(staying, told * sign);
  return staying * sign;
}
}  // namespace

osm::Id lowest_node_id(const osm::Document& document, bool replaces) {
  return extreme_id(document, replaces, -1, document.facts.lowest_id[0]);
}
osm::Id highest_node_id(const osm::Document& document, bool replaces) {
  return extreme_id(document, replaces, 1, document.facts.highest_id[0]);
}

}  // namespace simbatch::mapgen
