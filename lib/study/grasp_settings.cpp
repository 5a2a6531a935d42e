// Settings of a GraspIt! world that is run by itself: the file has no place for them, so they are options of its building.
#include <array>

#include "base/core/number.hpp"
#include "lib/study/address.hpp"
#include "lib/study/codes.hpp"

namespace simbatch::study {

bool set_grasp_world(const std::vector<scenario::FileChange>& settings, scenario::BuildOptions& how, Diagnostics& problems) {
  constexpr std::string_view kAxes[] = {"Gravity.x", "Gravity.y", "Gravity.z"};
  constexpr double kStrongest = 1e4;  // m/s^2
  std::array<double, 3> gravity{0, -9.81, 0};
  bool good = true;
  for (const scenario::FileChange& setting : settings) {
    std::string_view name = setting.at;
    for (const std::string_view section : {"Physics.", "Engine."})
      if (name.starts_with(section)) name.remove_prefix(section.size());
    bool known = false;
    for (std::size_t i = 0; i < 3; ++i) {
      if (name != kAxes[i]) continue;
      known = true;
      const auto parsed = parse_double(setting.value);
      const std::optional<double> value = parsed ? std::optional(parsed.value) : std::nullopt;
      if (value && *value >= -kStrongest && *value <= kStrongest) {
        gravity[i] = *value;
      } else {
        problems.report(code::kSetting, {},
                        quoted(setting.at) + ": expected a number from -10000 to 10000 m/s^2, found " + quoted(setting.value));
        good = false;
      }
    }
    if (known) continue;
    problems.report(code::kSetting, {},
                    quoted(setting.at) +
                        ": a GraspIt! world by itself has only Gravity.x, Gravity.y and Gravity.z to set; "
                        "put it into a scenario with <GraspWorld> for more");
    good = false;
  }
  if (good) {
    how.gravity = gravity;
    how.changes = settings;
  }
  return good;
}

}  // namespace simbatch::study
