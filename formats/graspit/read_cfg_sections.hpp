#pragma once
/// The optional sections of a .cfg file: Approach, EigenGrasps, VirtualContacts, CyberGlove, FlockOfBirds, Tendons and
/// TendonWrappers. Internal to this room.

#include <cstddef>
#include <vector>

#include "formats/graspit/parse.hpp"

namespace simbatch::graspit::detail {

/// Reads sections anywhere in the file into `robot`; reports those that are invalid.
/// @return indexes of the lines that belong to sections, ascending
std::vector<std::size_t> read_sections(Lines& lines, Reading reading, Robot& robot, Diagnostics& diagnostics);

}  // namespace simbatch::graspit::detail
