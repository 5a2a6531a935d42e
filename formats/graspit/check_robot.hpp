#pragma once
/// Consistency checks of a robot, from any format. Internal to this room.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/graspit/graspit.hpp"

namespace simbatch::graspit::detail {

/// Positions of the parts of a robot in the file.
struct RobotPlaces {
  struct ChainPlaces {
    std::vector<Position> joints, links;
  };
  std::vector<Position> dofs;
  std::vector<ChainPlaces> chains;
};

/// DOF indexes, limits, springs, last joints.
void check_robot(const Robot& robot, const RobotPlaces& places, Diagnostics& diagnostics);
/// @param later  also the classes that only later versions know
bool is_robot_class(std::string_view name, bool later);
std::string near_class(std::string_view name);  ///< ", did you mean X?", or nothing
std::optional<LinkKind> link_kind(std::string_view word);

}  // namespace simbatch::graspit::detail
