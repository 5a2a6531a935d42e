// <Control>: settings of actuators at given times.

#include <algorithm>

#include "lib/scenario/codes.hpp"
#include "lib/scenario/site.hpp"

namespace simbatch::scenario::detail {

std::string list_of(const std::vector<std::string>& names, std::string_view before) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) text += std::string(i == 0 ? before : ", ") + names[i];
  if (names.size() > kShown) text += ", and " + std::to_string(names.size() - kShown) + " more";
  return text;
}

std::vector<TimedSetting> settings_of(const Site& site, const std::string& owner, const autosim::Control& control) {
  auto* device = dynamic_cast<DeviceNode*>(site.simulation.tree().find(owner + "." + control.device));
  if (device == nullptr) {
    std::vector<std::string> names;  // of the owner's actuators, for a hint
    for (const TreeNode* node : site.simulation.tree().nodes())
      if (const auto* candidate = dynamic_cast<const DeviceNode*>(node);
          candidate != nullptr && !candidate->inputs().empty() && node->name().starts_with(owner + "."))
        names.push_back(node->name().substr(owner.size() + 1));
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string_view near = nearest(control.device, views);
    site.files.report(code::kControlDevice, control.place.at,
                      quoted(owner) + " has no device " + quoted(control.device) +
                          (near.empty() ? "" : "; did you mean " + quoted(near) + "?") + list_of(names, "; it can set "));
    return {};
  }
  std::vector<TimedSetting> settings;
  bool sets = false;
  const auto set = [&](std::string_view attribute, std::string_view input, const std::optional<double>& value) {
    if (!value) return;
    sets = true;
    const std::size_t i =
        input.empty() ? (device->inputs().size() == 1 ? 0 : device->find_input("target")) : device->find_input(input);
    if (i == DeviceNode::npos)
      site.files.report(code::kControlInput, control.place.at,
                        quoted(control.device) + " (" + device->type().kind + ") has no " + std::string(attribute) + " to set");
    else
      settings.push_back({control.time, device, i, *value});
  };
  set("acceleration", "acceleration", control.acceleration);
  set("steering", "steering", control.steering);
  set("brake", "brake", control.brake);
  set("value", "", control.value);
  if (!sets) site.files.report(code::kControlInput, control.place.at, "this Control sets nothing");
  return settings;
}

}  // namespace simbatch::scenario::detail
