// The distances are our own: rounded from building codes for German and Australian suburbs (3 to 6 m to the street, closed
// fronts in centers). Kinds of streets and areas: OSM wiki, "Key:highway", "Key:landuse".
#include "lib/town/rules.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace simbatch::town {
namespace {
constexpr std::array<std::pair<std::string_view, bool Rules::*>, 18> kNames{{{"sea", &Rules::sea},
                                                                             {"rails", &Rules::rails},
                                                                             {"highway-areas", &Rules::highway_areas},
                                                                             {"power-lines", &Rules::power_lines},
                                                                             {"access", &Rules::access},
                                                                             {"settlement", &Rules::settlement},
                                                                             {"tracks", &Rules::tracks},
                                                                             {"centers", &Rules::centers},
                                                                             {"lanes", &Rules::lanes},
                                                                             {"waterways", &Rules::waterways},
                                                                             {"eras", &Rules::eras},
                                                                             {"row-houses", &Rules::row_houses},
                                                                             {"second-rows", &Rules::second_rows},
                                                                             {"heights", &Rules::heights},
                                                                             {"ramps", &Rules::ramps},
                                                                             {"gardens", &Rules::gardens},
                                                                             {"street-trees", &Rules::street_trees},
                                                                             {"parked-cars", &Rules::parked_cars}}};

struct KindSpacing {
  std::string_view kind;
  Spacing spacing;
};
constexpr std::array<KindSpacing, 10> kSpacing{{{"pedestrian", {0.5, 0}},
                                                {"living_street", {1.5, 1}},
                                                {"residential", {4, 4}},
                                                {"tertiary", {4, 4}},
                                                {"secondary", {5, 4}},
                                                {"primary", {7, 6}},
                                                {"unclassified", {6, 6}},
                                                {"service", {2.5, 5}},
                                                {"track", {8, 10}},
                                                {"unsurfaced", {8, 10}}}};

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}
}  // namespace

Rules all_rules() {
  Rules rules;
  for (const auto& [name, rule] : kNames) rules.*rule = true;
  return rules;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const auto& entry : kNames) names.emplace_back(entry.first);
  return names;
}

bool switch_off(Rules& rules, std::string_view name) {
  for (const auto& entry : kNames)
    if (entry.first == name) {
      rules.*entry.second = false;
      return true;
    }
  return false;
}

Spacing spacing_of(std::string_view highway) {
  for (const KindSpacing& kind : kSpacing)
    if (kind.kind == highway) return kind.spacing;
  return {};
}

Spacing spacing_of(std::string_view highway, Density density) {
  const Spacing usual = spacing_of(highway);
  if (!is_street(highway)) return usual;
  switch (density) {
    case Density::scattered: return {1.6 * usual.front, 2.2 * usual.gap};
    case Density::loose: break;
    case Density::dense: return {0.7 * usual.front, 0.75 * usual.gap};
    case Density::core: return {std::min(1.0, usual.front), 0};
  }
  return usual;
}

bool is_center(std::string_view highway) { return highway == "pedestrian" || highway == "living_street"; }

bool is_back_way(std::string_view highway) {
  constexpr std::string_view kBackWays[] = {"track", "unsurfaced", "byway", "raceway", "escape", "busway", "bus_guideway"};
  return is_one_of(highway, kBackWays);
}

bool is_street(std::string_view highway) {
  constexpr std::string_view kStreets[] = {"residential", "living_street", "pedestrian", "tertiary", "secondary",
                                           "primary",     "unclassified",  "road",       "minor"};
  return is_one_of(highway, kStreets);
}

bool is_settled(std::string_view landuse) {
  constexpr std::string_view kSettled[] = {"residential", "retail",  "commercial",  "industrial",
                                           "farmyard",    "garages", "construction"};
  return is_one_of(landuse, kSettled);
}

}  // namespace simbatch::town
