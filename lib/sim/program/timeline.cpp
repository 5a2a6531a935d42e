#include "lib/sim/program/timeline.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::sim {

Timeline::Timeline(const std::vector<TimedSetting>& settings, double dt) {
  for (const TimedSetting& setting : settings) {
    const double steps = std::min(std::ceil(setting.time / dt - 1e-6), 0x1p62);
    entries_.push_back({std::max<std::int64_t>(0, static_cast<std::int64_t>(steps)), setting});
  }
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.step < b.step; });
}

void Timeline::control(const Clock& clock) {
  while (next_ < entries_.size() && entries_[next_].step <= clock.step) {
    const TimedSetting& setting = entries_[next_++].setting;
    setting.device->set(setting.input, setting.value);
  }
}

}  // namespace simbatch::sim
