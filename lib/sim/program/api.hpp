#pragma once
/// The User Program API as seen by a program, wherever the simulation runs: in this process (port.hpp) or in another one
/// (lib/sim/program/isolated).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/sim/device/device_node.hpp"
#include "lib/sim/device/image_source.hpp"

namespace simbatch::sim {

struct DeviceInfo {
  std::string name;       ///< fully qualified
  std::string kind;       ///< "PSDSensor"
  std::size_t size = 0;   ///< bytes that getData writes now
  bool settable = false;  ///< an actuator
};

/// See ProgramPort for each function.
class ProgramApi {
 public:
  virtual ~ProgramApi() = default;
  virtual const std::string& robot() const = 0;
  virtual double time() const = 0;
  /// Seconds since 1970 at time 0.
  virtual std::int64_t start_unix() const = 0;
  virtual DeviceError get_data(std::string_view device, void* data, std::int64_t size) = 0;
  virtual DeviceError set_data(std::string_view device, const void* data, std::int64_t size) = 0;
  virtual unsigned status(std::string_view device) = 0;
  virtual std::vector<DeviceInfo> devices() const = 0;
  virtual std::uint32_t* get_image(std::string_view camera) = 0;
  virtual ImageSize image_size() const = 0;
  virtual void unlock_image() = 0;
};

}  // namespace simbatch::sim
