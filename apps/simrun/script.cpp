// Scripts (docs/formats/script.md) between files, simulations and traces.

#include "formats/script/script.hpp"

#include "apps/simrun/simrun.hpp"
#include "base/core/input.hpp"
#include "lib/sim/program/script.hpp"

namespace simbatch::simrun {

std::optional<std::vector<sim::ScriptSetting>> read_script_file(const std::string& path, Diagnostics& problems) {
  auto read = script::read_script(Input::open(path).text(), path);
  problems.append(std::move(read.diagnostics));
  if (!read.value) return std::nullopt;
  std::vector<sim::ScriptSetting> settings;
  for (script::Setting& each : read.value->settings)
    settings.push_back({each.step, std::move(each.device), std::move(each.input), each.value, each.at});
  return settings;
}

std::string script_text(const std::string& scenario, std::int64_t steps, const std::vector<sim::ScriptSetting>& settings) {
  script::Script script{scenario, steps, {}};
  for (const sim::ScriptSetting& each : settings)
    script.settings.push_back({each.step, each.device, each.input, each.value, {}});
  return script::write_script(script);
}

std::vector<trace::ScriptSetting> traced_script(const std::vector<sim::ScriptSetting>& settings) {
  std::vector<trace::ScriptSetting> traced;
  for (const sim::ScriptSetting& each : settings) traced.push_back({each.step, each.device, each.input, each.value});
  return traced;
}

std::vector<sim::ScriptSetting> script_of(const trace::Header& header) {
  std::vector<sim::ScriptSetting> settings;
  for (const trace::ScriptSetting& each : header.script)
    settings.push_back({each.step, each.device, each.input, each.value, {}});
  return settings;
}

}  // namespace simbatch::simrun
