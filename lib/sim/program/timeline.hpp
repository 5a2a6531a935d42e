#pragma once
/// Settings at given times, from the scenario file. User programs (scheduler.hpp) are another Participant of this room, which
/// acts in control() as well and is added after the timeline, so that programs override it.

#include <cstdint>
#include <vector>

#include "lib/sim/device/device_node.hpp"
#include "lib/sim/participant.hpp"

namespace simbatch::sim {

/// One setting of one input.
struct TimedSetting {
  double time = 0;  ///< s, >= 0
  DeviceNode* device = nullptr;
  std::size_t input = 0;  ///< of device->inputs()
  double value = 0;
};

/// Sets inputs of actuators when their time has come; a setting holds until the next. Settings of the same time are applied in
/// the order given.
class Timeline final : public Participant {
 public:
  /// A setting takes effect in the first step that begins at its time or later; times within a millionth of a step count as
  /// reached, so that 2.5 s is step 600 of 1/240 s regardless of the rounding of 600 / 240.
  Timeline(const std::vector<TimedSetting>& settings, double dt);
  void control(const Clock& clock) override;

 private:
  struct Entry {
    std::int64_t step = 0;
    TimedSetting setting;
  };
  std::vector<Entry> entries_;  // by step, then as given
  std::size_t next_ = 0;
};

}  // namespace simbatch::sim
