// Two lanes of 3 to 3.5 m for through roads, less for others, and pavements of 1.5 m in towns, as in the usual construction
// guides (RASt 06, Austroads).
#include "lib/roads/usual_widths.hpp"

#include <array>

namespace simbatch::roads {
namespace {
struct UsualRoad {
  const char* name;
  double width, pavement;
};
constexpr std::array<UsualRoad, 21> kUsualRoads{{{"motorway", 11, 0},       {"motorway_link", 5, 0},  {"trunk", 8, 0},
                                                 {"trunk_link", 5, 0},      {"primary", 8, 2},        {"primary_link", 5, 0},
                                                 {"secondary", 7, 2},       {"secondary_link", 5, 0}, {"tertiary", 6.5, 1.5},
                                                 {"tertiary_link", 4, 0},   {"unclassified", 6, 1},   {"residential", 6, 1.5},
                                                 {"living_street", 5, 0.5}, {"pedestrian", 5, 0},     {"road", 6, 1},
                                                 {"minor", 6, 1},           {"service", 4, 0},        {"track", 3, 0},
                                                 {"unsurfaced", 3, 0},      {"byway", 3, 0},          {"busway", 6, 0}}};
}  // namespace

autosim::HighwayDimensions usual_widths() {
  autosim::HighwayDimensions highways;
  for (const UsualRoad& kind : kUsualRoads) highways.kinds.push_back({kind.name, {}, kind.width, kind.pavement, kind.pavement});
  return highways;
}

bool is_for_cars(std::string_view kind) { return kind != "pedestrian" && kind != "busway"; }

}  // namespace simbatch::roads
