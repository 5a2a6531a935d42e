#pragma once
/// What all scanners and cameras of a simulation share.

struct RTCDeviceTy;

namespace simbatch::sim::vision {

/// Embree's device, one thread, pinned to SSE4.2.
class EmbreeDevice {
 public:
  EmbreeDevice();
  ~EmbreeDevice();
  EmbreeDevice(const EmbreeDevice&) = delete;
  EmbreeDevice& operator=(const EmbreeDevice&) = delete;
  /// Made when first asked for. @throws std::runtime_error where there is none (a processor of before 2008)
  RTCDeviceTy* get();

 private:
  RTCDeviceTy* device_ = nullptr;
};

}  // namespace simbatch::sim::vision
