#pragma once
/// DriveActuator and WheelDevice of Robot files, read and written. Internal to formats/autosim.

#include "formats/autosim/block.hpp"
#include "formats/autosim/robot.hpp"

namespace simbatch::autosim::detail {

DriveActuator read_drive(BlockReader& block);
WheelDevice read_wheel(BlockReader& block);
/// Bars must join two wheels of their drive. @param devices  all of the robot
void check_bars(const Device& device, const xml::Element& element, const std::vector<const Device*>& devices,
                Diagnostics& diagnostics);
void write_drive(xml::Writer& writer, const DriveActuator& drive);
void write_wheel(xml::Writer& writer, const WheelDevice& wheel);

}  // namespace simbatch::autosim::detail
