#pragma once
/// Settings from outside the simulation: made by people while they watch, and repeated from a script.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "lib/sim/device/device_node.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

/// One input of a device, before a step.
struct ScriptSetting {
  std::int64_t step = 0;  ///< number of completed steps when it took effect
  std::string device;     ///< fully qualified
  std::string input;      ///< field of the device: "steering"
  double value = 0;       ///< finite; the device brings it into its range
  Position at = {};       ///< in the script
};

/// Sets inputs at given steps, after all other participants have decided in that step: people have the last word, until a
/// timeline, a mission or a program sets the same input again. Its state is in the devices that it sets.
class ScriptPlayer final : public Participant {
 public:
  explicit ScriptPlayer(Simulation& simulation) : simulation_(simulation) {}

  /// Checks a setting. @return empty, or what is wrong with it: no such device, it is a sensor, it has no such input,
  /// the value is not finite
  std::string problem_of(const ScriptSetting& setting) const;
  /// Adds a setting. Those of one step are made in the order of adding. @pre problem_of() is empty; its step is not done yet,
  /// and not before that of the last one added
  void add(ScriptSetting setting);
  /// All settings added so far.
  const std::vector<ScriptSetting>& settings() const { return settings_; }

  void control(const Clock& clock) override;

 private:
  Simulation& simulation_;
  std::vector<ScriptSetting> settings_;
  std::size_t next_ = 0;
};

/// Adds a player of these settings to a simulation that has not started: the last participant. A setting that cannot be made,
/// or is out of order, is reported (sim-script) at its position.
ScriptPlayer& add_script(Simulation& simulation, std::vector<ScriptSetting> settings, const std::string& file,
                         Diagnostics& problems);

}  // namespace simbatch::sim
