#include "lib/roads/layout.hpp"

#include "lib/roads/passages.hpp"

namespace simbatch::roads {

std::optional<Layout> lay_out(const osm::Model& map, const geo::LocalFrame& frame, std::vector<Road>& roads,
                              BuildingSelection& buildings, const std::vector<HouseBox>& houses,
                              const std::vector<MapPart>& water, const HeightGrid& ground, const Budget& budget) {
  Layout layout;
  if (budget.crowded()) return std::nullopt;
  open_passages(buildings, roads, budget);
  if (budget.crowded()) return std::nullopt;
  layout.fitting = fit_roads(roads, buildings, houses, budget);
  if (budget.crowded()) return std::nullopt;
  layout.levels = set_levels(roads, railway_lines(map, frame), water, ground, budget);
  if (budget.crowded()) return std::nullopt;
  layout.beside_ramps = fit_levels(roads, budget);
  if (budget.crowded()) return std::nullopt;
  return layout;
}

}  // namespace simbatch::roads
