#include "lib/sim/vision/embree_device.hpp"

#include <embree3/rtcore.h>

#include "base/core/float_mode.hpp"
#include "lib/sim/vision/embree_errors.hpp"

namespace simbatch::sim::vision {

// Embree 3.13 is configured by this string alone: no file, no environment variable (checked with strace and a replaced getenv).
RTCDeviceTy* EmbreeDevice::get() {
  if (device_ != nullptr) return device_;
  const FloatModeGuard guard;
  device_ = rtcNewDevice("threads=1,isa=sse4.2");
  return checked(device_, nullptr);
}
EmbreeDevice::EmbreeDevice() = default;
EmbreeDevice::~EmbreeDevice() {
  if (device_ != nullptr) rtcReleaseDevice(device_);
}

}  // namespace simbatch::sim::vision
