// simrun check: checks expectations on an existing trace.

#include <fmt/format.h>

#include "apps/simrun/simrun.hpp"
#include "lib/expect/trace_signals.hpp"

namespace simbatch::simrun {
namespace {

struct CheckOptions {
  std::string trace;
  std::vector<std::string> expectations;
};

cli::ExitCode check(const CheckOptions& options, cli::Reporter& reporter) {
  const auto input = read_trace(reporter, options.trace);
  if (!input) return reporter.finish(cli::ExitCode::input);
  const trace::Trace& trace = *input->trace.value;
  std::size_t holding = 0, all = 0;
  for_each_expectation_text(options.expectations, [&](std::string_view text, const expect::Place& place) {
    auto parsed = expect::read_expectations(text, place);
    reporter.show(std::move(parsed.diagnostics));
    for (const expect::Expectation& expectation : *parsed.value) {
      Diagnostics problems;
      const auto checked = expect::check_trace(trace, expectation, problems);
      reporter.show(std::move(problems));
      if (!checked) continue;
      report_outcome(expectation, checked->outcome, reporter);
      ++all;
      holding += checked->outcome.verdict == expect::Verdict::holds;
    }
  });
  if (all == 0) return reporter.finish();  // each has a problem, which was shown
  const std::string rows = trace.header.every == 1 ? "" : fmt::format(", one every {} steps", trace.header.every);
  reporter.status(fmt::format("{} of {} expectations hold in {} rows{}", holding, all, trace.steps.size(), rows));
  return reporter.finish();
}

}  // namespace

void add_check(cli::Command& program) {
  cli::Command& command = program.add("check", "Check expectations of a trace");
  auto& o = command.keep<CheckOptions>();
  command.positional("TRACE", o.trace, "Trace").required();
  add_expect_option(command, o.expectations, "Expect this, or everything in a file; may be repeated");
  command.check([&o] { return o.expectations.empty() ? "--expect is required" : ""; });
  command.examples({"simrun check run.json --expect 'always car.chassis.psd0.distance_true > 1 m'"});
  command.run([&o](cli::Reporter& reporter) { return check(o, reporter); });
}

}  // namespace simbatch::simrun
