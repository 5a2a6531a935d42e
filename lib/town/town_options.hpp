#pragma once
/// How a town is made of a map.

#include <string>
#include <vector>

namespace simbatch {
class Workers;
}

namespace simbatch::town {

struct TownOptions {
  double clearance = 0.5;       ///< kept between a house and everything else (m), >= 0
  bool over_tunnels = false;    ///< houses may be placed over tunnels (simulators without depth draw them on the ground)
  bool ignore_paths = false;    ///< houses may be placed on ways for people and bicycles that are not in the setup
  bool keep_generated = false;  ///< houses generated earlier stay, as obstacles
  std::vector<std::string> not_along{};  ///< further kinds to place no houses along
  Workers* workers = nullptr;            ///< help with large maps, if given: the town is the same
};

}  // namespace simbatch::town
