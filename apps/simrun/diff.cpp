#include <fmt/format.h>

#include "apps/common/console.hpp"
#include "apps/simrun/show.hpp"
#include "apps/simrun/simrun.hpp"
#include "formats/trace/compare.hpp"

namespace simbatch::simrun {
namespace {

struct DiffOptions {
  std::string a, b;
  double tolerance = 0;
};

cli::ExitCode diff(const DiffOptions& options, cli::Reporter& reporter) {
  const auto a = read_trace(reporter, options.a), b = read_trace(reporter, options.b);
  if (!a || !b) return reporter.finish(cli::ExitCode::input);
  const trace::Comparison comparison = trace::compare(*a->trace.value, *b->trace.value, options.tolerance);
  cli::print(show(comparison));
  if (comparison.equal()) reporter.status(fmt::format("the traces agree in {} rows", comparison.rows));
  return reporter.finish(comparison.equal() ? cli::ExitCode::ok : cli::ExitCode::input);
}

}  // namespace

void add_diff(cli::Command& program) {
  cli::Command& command = program.add("diff", "Find the first difference of two traces");
  auto& o = command.keep<DiffOptions>();
  command.positional("A", o.a, "Trace").required();
  command.positional("B", o.b, "Trace").required();
  command.option("--tolerance", "X", o.tolerance, "Treat numbers as equal that differ by at most this")
      .at_least(0)
      .show_default();
  command.examples({"simrun diff run.json other.json --tolerance 1e-9"});
  command.run([&o](cli::Reporter& reporter) { return diff(o, reporter); });
}

}  // namespace simbatch::simrun
