#pragma once
/// Options for converting a map to a town.

#include <string>
#include <vector>

#include "lib/town/rules.hpp"

namespace simbatch {
class Workers;
}

namespace simbatch::town {

struct TownOptions {
  double clearance = 0.5;       ///< kept between a house and everything else (m), >= 0
  bool over_tunnels = false;    ///< houses may be placed over tunnels (simulators without depth draw them on the ground)
  bool ignore_paths = false;    ///< houses may be placed on ways for pedestrians and bicycles that are not in the setup
  bool keep_generated = false;  ///< keep previously generated houses, as obstacles
  std::vector<std::string> not_along{};  ///< additional kinds of roads without houses
  Rules rules{};                         ///< where houses make sense; by default as in the thesis
  std::vector<std::string> along{};      ///< kinds of roads with houses although Rules::tracks applies
  Workers* workers = nullptr;            ///< used for large maps, if given; the result does not depend on them
};

}  // namespace simbatch::town
