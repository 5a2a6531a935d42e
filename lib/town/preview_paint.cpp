#include "lib/town/preview_paint.hpp"

#include <algorithm>
#include <iterator>

namespace simbatch::town::detail {
namespace {
struct Paint {
  std::string_view use, fill;
};
constexpr Paint kGround[] = {{"residential", "#ece7df"},
                             {"retail", "#f8dfd6"},
                             {"commercial", "#f3e2ee"},
                             {"industrial", "#e6e1ec"},
                             {"forest", "#cfe3bf"},
                             {"farmland", "#f3f0da"},
                             {"farm", "#f3f0da"},
                             {"meadow", "#e0edc9"},
                             {"grass", "#dcebc5"},
                             {"village_green", "#dcebc5"},
                             {"recreation_ground", "#dcebc5"},
                             {"cemetery", "#d3e0ca"},
                             {"brownfield", "#e7dfcd"},
                             {"construction", "#e9e2cf"},
                             {"railway", "#e4e0e0"},
                             {"military", "#efdcd8"},
                             {"orchard", "#d9e6b5"},
                             {"vineyard", "#d9e6b5"},
                             {"allotments", "#d8e5c4"},
                             {"quarry", "#dcd7d0"},
                             {"leisure=park", "#d3eac4"},
                             {"leisure=garden", "#d3eac4"},
                             {"leisure=pitch", "#bfe3cb"},
                             {"leisure=track", "#bfe3cb"},
                             {"leisure=playground", "#dcefd2"},
                             {"leisure=golf_course", "#d0e8bd"},
                             {"amenity=school", "#f3ecd2"},
                             {"amenity=university", "#f3ecd2"},
                             {"amenity=kindergarten", "#f3ecd2"},
                             {"amenity=college", "#f3ecd2"},
                             {"amenity=hospital", "#f6e3e0"},
                             {"amenity=parking", "#e9e7e4"},
                             {"amenity=grave_yard", "#d3e0ca"},
                             {"natural=beach", "#f6ecc9"},
                             {"natural=sand", "#f6ecc9"},
                             {"natural=wetland", "#d8e8df"},
                             {"natural=scrub", "#dbe6c6"},
                             {"natural=heath", "#e3e6c8"},
                             {"natural=grassland", "#e2edcb"},
                             {"aeroway=aerodrome", "#e8e6ee"},
                             {"place=square", "#eeeae4"}};
constexpr Paint kHouses[] = {{"residential", "#d9573b"},  {"retail", "#e0a02c"},     {"commercial", "#3d7ea6"},
                             {"industrial", "#7a5aa8"},   {"forest", "#4f8a45"},     {"gardens", "#6fa35c"},
                             {"street_trees", "#3f7d3a"}, {"parked_cars", "#3d434d"}};
constexpr std::string_view kOtherHouses[] = {"#b8477a", "#2f8f83", "#8a6d3b", "#5566aa"};

constexpr RoadPaint kRoadPaints[] = {{"motorway", "#e99aa9", "#c4637a", 9},  {"motorway_link", "#e99aa9", "#c4637a", 8},
                                     {"trunk", "#f6b096", "#cf7f5f", 8},     {"trunk_link", "#f6b096", "#cf7f5f", 7},
                                     {"primary", "#fbd49b", "#c99a55", 6},   {"primary_link", "#fbd49b", "#c99a55", 6},
                                     {"secondary", "#fbf3a9", "#c2b565", 5}, {"secondary_link", "#fbf3a9", "#c2b565", 5},
                                     {"tertiary", "#ffffff", "#b9b2a6", 4},  {"tertiary_link", "#ffffff", "#b9b2a6", 4},
                                     {"track", "#e9dcc0", "#c4b38d", 1},     {"service", "#ffffff", "#cbc5bb", 1}};
}  // namespace

std::string_view ground_paint(std::string_view use) {
  const auto paint = std::find_if(std::begin(kGround), std::end(kGround), [&](const Paint& p) { return p.use == use; });
  return paint != std::end(kGround) ? paint->fill : "#ece9e2";
}

std::string_view house_paint(std::string_view use) {
  for (const Paint& paint : kHouses)
    if (paint.use == use) return paint.fill;
  std::size_t sum = 0;
  for (const char c : use) sum += static_cast<unsigned char>(c);
  return kOtherHouses[sum % std::size(kOtherHouses)];
}

const RoadPaint* road_paint(std::string_view kind) {
  const auto paint =
      std::find_if(std::begin(kRoadPaints), std::end(kRoadPaints), [&](const RoadPaint& p) { return p.kind == kind; });
  return paint != std::end(kRoadPaints) ? paint : nullptr;
}

}  // namespace simbatch::town::detail
