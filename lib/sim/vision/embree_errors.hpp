#pragma once
/// Errors of Embree as exceptions. Internal to this room.

#include <new>

struct RTCDeviceTy;

namespace simbatch::sim::vision {

/// Throws what the device has reported since the last call: std::bad_alloc when it was out of memory, else std::runtime_error.
/// @param device  null: it could not be made
void throw_embree_error(RTCDeviceTy* device);

/// The same object of Embree; throws if it is null: as throw_embree_error(), or std::bad_alloc.
template <class Object>
Object checked(Object object, RTCDeviceTy* device) {
  if (object == nullptr) {
    throw_embree_error(device);
    throw std::bad_alloc();
  }
  return object;
}

}  // namespace simbatch::sim::vision
