#pragma once
/// The Embree device shared by all scanners and cameras of a simulation.

struct RTCDeviceTy;

namespace simbatch::sim::vision {

/// Embree's device, one thread, pinned to SSE4.2.
class EmbreeDevice {
 public:
  EmbreeDevice();
  ~EmbreeDevice();
  EmbreeDevice(const EmbreeDevice&) = delete;
  EmbreeDevice& operator=(const EmbreeDevice&) = delete;
  /// Made by the first call. @throws std::runtime_error on a processor without SSE4.2 (made before 2008)
  RTCDeviceTy* get();

 private:
  RTCDeviceTy* device_ = nullptr;
};

}  // namespace simbatch::sim::vision
