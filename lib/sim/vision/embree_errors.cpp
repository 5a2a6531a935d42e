#include "lib/sim/vision/embree_errors.hpp"

#include <stdexcept>

#include <embree3/rtcore.h>

namespace simbatch::sim::vision {

void throw_embree_error(RTCDeviceTy* device) {
  const RTCError error = rtcGetDeviceError(device);
  if (error == RTC_ERROR_NONE) return;
  if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  throw std::runtime_error(device == nullptr ? "Embree has no device for SSE4.2 on this processor"
                                             : "Embree could not build its tree");
}

}  // namespace simbatch::sim::vision
