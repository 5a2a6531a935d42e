#pragma once
/// The section Devices of a Robot file. Internal to formats/autosim.

#include "base/xml/xml.hpp"
#include "formats/autosim/block.hpp"
#include "formats/autosim/robot.hpp"

namespace simbatch::autosim::detail {

/// Reads the section into robot.devices. @param bodies names of all bodies of the robot, broken ones too
void read_devices(const xml::Element& section, const NameTable& bodies, Robot& robot, Diagnostics& diagnostics);

}  // namespace simbatch::autosim::detail
