#pragma once
/// Sensors of joints and bodies in Robot files: read and written. Internal to formats/autosim.

#include "formats/autosim/block.hpp"
#include "formats/autosim/robot.hpp"

namespace simbatch::autosim::detail {

EncoderSensor read_encoder(BlockReader& block);
ImuSensor read_imu(BlockReader& block);
BumperSensor read_bumper(BlockReader& block);
ForceTorqueSensor read_force_torque(BlockReader& block);
RadarSensor read_radar(BlockReader& block);
RangeCamera read_range_camera(BlockReader& block);

void write_sensor(xml::Writer& writer, const EncoderSensor& encoder);
void write_sensor(xml::Writer& writer, const ImuSensor& imu);
void write_sensor(xml::Writer& writer, const BumperSensor& bumper);
void write_sensor(xml::Writer& writer, const ForceTorqueSensor& sensor);
void write_sensor(xml::Writer& writer, const RadarSensor& radar);
void write_sensor(xml::Writer& writer, const RangeCamera& camera);

/// True if a device of this kind measures, and so may have a rate and a latency.
bool is_sensor(const Device::Kind& kind);
/// <Rate> (except of a LaserScanner, which has its own) and <Latency>.
void read_sampling(BlockReader& block, Device& device);
void write_sampling(xml::Writer& writer, const Device& device);

}  // namespace simbatch::autosim::detail
