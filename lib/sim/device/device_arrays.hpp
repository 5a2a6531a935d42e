#pragma once
/// State of a DeviceSet: one array of devices per kind. Internal to this room.

#include <optional>
#include <span>
#include <vector>

#include "base/geo/geo.hpp"
#include "lib/sim/device/device_set.hpp"

namespace simbatch::sim {
namespace device {

// `offset`: of the device's first number in the tree's bank; `body`: in the BodyTable.

struct Drive {
  std::size_t offset;
  DriveSettings settings;
  physics::VehicleId vehicle{};
  bool attached = false;
};
struct Wheel {
  std::size_t offset;
  physics::VehicleId vehicle;
  std::size_t index;
  NoiseGenerator noise;  // of the spin
};
/// Vehicle of a wheel that has not been assigned yet.
struct WheelNoise {
  std::size_t offset;
  NoiseGenerator noise;
};
struct Propeller {
  std::size_t offset, body;
  Vec3 position, direction;
  PropellerSettings settings;
  double follow = 1;   // fraction of the difference to the setting that is closed per step
  double setting = 0;  // after dead zone and lag
};
struct CameraPose {
  std::size_t offset, body;
  Pose pose;
};
/// A sensor with one value and, if it has noise, the true value after it.
struct Sensor {
  std::size_t offset, body;
  bool noisy;
  NoiseGenerator noise;
  void write(std::span<double> bank, double value) {
    if (noisy) {
      bank[offset + 1] = value;
      value += noise.next();
    }
    bank[offset] = value;
  }
};
struct Gyroscope : Sensor {
  Vec3 axis;
  double alpha, smoothed;
};
struct Velocimeter : Sensor {
  Vec3 axis;
};
struct Psd : Sensor {
  Vec3 position, direction;
  double range;
  physics::RayFilter filter;
};
struct Gps : Sensor {
  Vec3 position;
};
struct Compass : Sensor {
  Vec3 axis;
  double last;
};
struct Inclinometer : Sensor {
  Vec3 axis;
  Quat at_start;
};
struct TimeSensor : Sensor {};

}  // namespace device

struct DeviceSet::Arrays {
  std::vector<device::Drive> drives;
  std::vector<device::Wheel> wheels;
  std::vector<device::WheelNoise> wheel_noises;
  std::vector<device::Propeller> propellers;
  std::vector<device::CameraPose> cameras;
  std::vector<device::Gyroscope> gyroscopes;
  std::vector<device::Velocimeter> velocimeters;
  std::vector<device::Psd> psds;
  std::vector<device::Gps> gpss;
  std::vector<device::Compass> compasses;
  std::vector<device::Inclinometer> inclinometers;
  std::vector<device::TimeSensor> times;
  std::optional<geo::LocalFrame> frame;  ///< set if there is a GPS
};

}  // namespace simbatch::sim
