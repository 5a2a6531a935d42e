#include "lib/sim/program/script.hpp"

#include <cmath>
#include <utility>

#include "base/core/number.hpp"
#include "lib/sim/program/codes.hpp"

namespace simbatch::sim {
namespace {

std::string list_of_inputs(const DeviceNode& device) {
  std::string list;
  for (std::size_t i = 0; i < device.inputs().size(); ++i) list += (i == 0 ? "" : ", ") + device.type().fields[i].name;
  return list;
}

}  // namespace

std::string ScriptPlayer::problem_of(const ScriptSetting& setting) const {
  const TreeNode* node = simulation_.tree().find(setting.device);
  if (node == nullptr) {
    std::vector<std::string_view> names;
    for (const TreeNode* each : simulation_.tree().nodes())
      if (const auto* device = dynamic_cast<const DeviceNode*>(each); device != nullptr && !device->inputs().empty())
        names.push_back(each->name());
    const std::string_view near = nearest(setting.device, names);
    return "there is no device " + simbatch::quoted(setting.device) +
           (near.empty() ? "" : ", did you mean " + simbatch::quoted(near) + "?");
  }
  const auto* device = dynamic_cast<const DeviceNode*>(node);
  if (device == nullptr || device->inputs().empty()) return simbatch::quoted(setting.device) + " cannot be set";
  if (device->find_input(setting.input) == DeviceNode::npos)
    return simbatch::quoted(setting.device) + " has no input " + simbatch::quoted(setting.input) + "; it has " +
           list_of_inputs(*device);
  if (!std::isfinite(setting.value)) return "the value is not finite";
  return {};
}

void ScriptPlayer::add(ScriptSetting setting) { settings_.push_back(std::move(setting)); }

void ScriptPlayer::control(const Clock& clock) {
  for (; next_ < settings_.size() && settings_[next_].step <= clock.step; ++next_) {
    const ScriptSetting& setting = settings_[next_];
    auto* device = dynamic_cast<DeviceNode*>(simulation_.tree().find(setting.device));
    device->set(device->find_input(setting.input), setting.value);
  }
}

ScriptPlayer& add_script(Simulation& simulation, std::vector<ScriptSetting> settings, const std::string& file,
                         Diagnostics& problems) {
  ScriptPlayer& player = simulation.add(std::make_unique<ScriptPlayer>(simulation));
  Diagnostics found(file);
  std::int64_t last = 0;
  for (ScriptSetting& setting : settings) {
    std::string problem = player.problem_of(setting);
    if (problem.empty() && setting.step < last)
      problem = "step " + number_text(setting.step) + " after step " + number_text(last) +
                ": settings must be in the order of their steps";
    if (!problem.empty()) {
      found.report(program_code::kScript, setting.at, problem);
      continue;
    }
    last = setting.step;
    player.add(std::move(setting));
  }
  problems.append(std::move(found));
  return player;
}

}  // namespace simbatch::sim
