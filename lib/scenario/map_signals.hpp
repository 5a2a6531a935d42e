#pragma once
/// The traffic signals of a map as a robot, whose lights programs, controls and scripts set. Private to the room.

#include <optional>
#include <string_view>

#include "lib/scenario/robot.hpp"

namespace simbatch::scenario::detail {

/// Whether the scenario has an entry of that kind: then the heads of signals are its parts.
bool has_signals(const autosim::World& world);

/// A fixed robot with a part for each signal of the map, `s<node>_<number>`, with the lights `red`, `amber` and `green`, which
/// are off at the start. Nothing, and an error at the entry, if the scenario's map has no signals.
std::optional<RobotFile> signals_of_map(const Site& site, const autosim::RobotEntry& entry);
/// The entry as it is built: at the map's origin.
autosim::RobotEntry signals_entry(const autosim::RobotEntry& entry);

}  // namespace simbatch::scenario::detail
