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

void write_houses(Town& town, const Placement& placement, osm::Id first, osm::Id step, osm::NodeSink& sink) {
  std::vector<std::array<std::string, 3>> sizes;
  for (const autosim::HouseModel* model : town.models)
    sizes.push_back({number_text(model->box_size.x), number_text(model->box_size.y), number_text(model->box_size.z)});
  std::vector<std::string_view> uses(town.models.size());
  for (const Use& use : town.uses)
    for (std::uint32_t m = 0; m < use.models; ++m) uses[use.first_model + m] = use.name;
  std::string heading;
  std::array<osm::TagText, 9> tags{{{"filePath", {}}, {"fileType", {}}, {"landuse", {}}, {"name", {}}, {"rotY", {}},
                                    {"sizeX", {}}, {"sizeY", {}}, {"sizeZ", {}}, {kGeneratedKey, kGeneratedValue}}};
  osm::Id id = first;
  for (const House& house : placement.houses) {
    const autosim::HouseModel& model = *town.models[house.model];
    heading.clear();
    append_hundredths(heading, house.heading);
    tags[0].value = model.file.path;
    tags[1].value = model.file.type;
    tags[2].value = uses[house.model];
    tags[3].value = model.name;
    tags[4].value = heading;
    for (std::size_t k = 0; k < 3; ++k) tags[5 + k].value = sizes[house.model][k];
    sink.node(id, geographic(town, house), tags);
    id += step;
  }
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
