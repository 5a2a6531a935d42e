#include "apps/simrun/simrun.hpp"

namespace simbatch::simrun {

std::optional<sim::BuiltScenario> build(cli::Reporter& reporter, const std::string& scenario,
                                        const sim::BuildOptions& options, cli::ExitCode& exit) {
  sim::BuildResult result = sim::build_scenario(scenario, options);
  exit = result.unreadable ? cli::ExitCode::io : cli::ExitCode::input;
  reporter.show(std::move(result.diagnostics));
  if (reporter.failed()) return std::nullopt;  // warnings too, with --strict
  return std::move(result.value);
}

}  // namespace simbatch::simrun
