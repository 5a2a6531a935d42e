// simrun compare: how much two runs differ, in numbers and as a picture.
#include <fmt/format.h>

#include <set>

#include "apps/common/console.hpp"
#include "apps/common/outputs.hpp"
#include "apps/simrun/codes.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"
#include "lib/plot/deviation_charts.hpp"
#include "lib/sim/tree/tree.hpp"

namespace simbatch::simrun {
namespace {

struct CompareOptions {
  std::string a, b, output;          ///< output: empty: no picture
  std::vector<std::string> devices;  ///< patterns; empty: all
  int fields = 12;                   ///< in the picture
};

/// A line for each field that differs.
std::string table(const trace::Trace& a, const trace::Trace& b, const std::vector<std::pair<std::size_t, std::size_t>>& rows,
                  const std::vector<trace::Deviation>& deviations) {
  std::size_t width = 5;
  const auto name = [&a](const trace::Deviation& deviation) {
    const trace::Device& device = a.header.devices[deviation.device_a];
    return device.name + "." + device.fields[deviation.field_a].name;
  };
  for (const trace::Deviation& deviation : deviations) width = std::max(width, name(deviation).size());
  std::string text = fmt::format("{:<{}} {:<6} {:>11} {:>11} {:>11} {:>10}  values there\n", "field", width, "unit", "rms",
                                 "mean", "max", "at (s)");
  for (const trace::Deviation& deviation : deviations) {
    const auto [row_a, row_b] = rows[deviation.row];
    const std::string unit = a.header.devices[deviation.device_a].fields[deviation.field_a].unit;
    text +=
        fmt::format("{:<{}} {:<6} {:>11.4g} {:>11.4g} {:>11.4g} {:>10}  {} | {}\n", name(deviation), width, unit, deviation.rms,
                    deviation.mean, deviation.max, number_text(static_cast<double>(a.steps[row_a]) * a.header.dt),
                    number_text(a.columns[deviation.device_a][deviation.field_a].numbers[row_a]),
                    number_text(b.columns[deviation.device_b][deviation.field_b].numbers[row_b]));
  }
  return text;
}

/// Devices of a trace that another one lacks; empty if there are none.
std::string missing_devices(const trace::Header& from, const trace::Header& in, const std::string& file) {
  std::set<std::string_view> there;
  for (const trace::Device& device : in.devices) there.insert(device.name);
  std::string_view first;
  std::size_t count = 0;
  for (const trace::Device& device : from.devices)
    if (!there.contains(device.name) && count++ == 0) first = device.name;
  if (count == 0) return {};
  return fmt::format("{} of {} devices are not in {}, e.g. {}", count, from.devices.size(), file, simbatch::quoted(first));
}

/// Traces of other scenarios, or without a field or a time in common, are rarely what was meant.
void report_little_in_common(const CompareOptions& options, const trace::Trace& a, const trace::Trace& b, std::size_t fields,
                             std::size_t rows, cli::Reporter& reporter) {
  Diagnostics problems(options.b);
  const auto warn = [&](const std::string& message) { problems.report(code::kUnlike, {}, message); };
  if (a.header.scenario != b.header.scenario)
    warn("the traces are of different scenarios, " + simbatch::quoted(a.header.scenario) + " and " +
         simbatch::quoted(b.header.scenario));
  else if (!a.header.inputs.empty() && !b.header.inputs.empty() && !(a.header.inputs[0] == b.header.inputs[0]))
    problems.report_as(Severity::note, code::kUnlike, {},
                       simbatch::quoted(a.header.inputs[0].name) + " is another file in this trace");
  if (fields == 0) warn("the traces have no field of numbers in common; simrun info --devices lists their fields");
  if (fields > 0 && rows == 0) warn("no row of one trace has the time of a row of the other");
  if (fields > 0 && options.devices.empty())
    for (const std::string& gap :
         {missing_devices(a.header, b.header, options.b), missing_devices(b.header, a.header, options.a)})
      if (!gap.empty()) warn(gap);
  reporter.show(std::move(problems));
}

cli::ExitCode compare(const CompareOptions& options, cli::Reporter& reporter) {
  const auto read_a = read_trace(reporter, options.a), read_b = read_trace(reporter, options.b);
  if (!read_a || !read_b) return reporter.finish(cli::ExitCode::input);
  const trace::Trace &a = *read_a->trace.value, &b = *read_b->trace.value;
  check_patterns(options.a, options.devices, a.header, reporter);
  if (reporter.failed()) return reporter.finish();
  const auto rows = trace::common_times(a, b);
  const auto all = trace::deviations(a, b, rows, [&](std::string_view name) { return sim::is_chosen(options.devices, name); });
  report_little_in_common(options, a, b, all.size(), rows.size(), reporter);
  const std::vector<trace::Deviation> differing = trace::ranked(all);
  if (!differing.empty()) cli::print(cli::printable_lines(table(a, b, rows, differing)));
  if (!options.output.empty()) {
    const std::span<const trace::Deviation> shown =
        std::span(differing).first(std::min<std::size_t>(differing.size(), static_cast<std::size_t>(options.fields)));
    write_file(options.output, plot::svg(plot::deviation_charts(a, b, rows, shown), 2));
  }
  reporter.status(
      fmt::format("{} of {} common fields differ in {} rows of the same time", differing.size(), all.size(), rows.size()));
  return reporter.finish();
}

}  // namespace

void add_compare(cli::Command& program) {
  cli::Command& command =
      program.add("compare", "Show how much two traces differ: rms, mean and largest difference, also as charts");
  auto& o = command.keep<CompareOptions>();
  command.positional("A", o.a, "Trace").required();
  command.positional("B", o.b, "Trace; its step size may differ").required();
  command.option("-o,--output", "FILE", o.output, "Also draw both and their difference (SVG)");
  add_devices_option(command, o.devices);
  command.option("--fields", "N", o.fields, "Fields in the picture: those that differ most").range(1, 100).show_default();
  command.check([&o] {
    cli::Outputs outputs;
    outputs.reads("A", o.a);
    outputs.reads("B", o.b);
    outputs.writes("--output", o.output);
    return outputs.conflict();
  });
  command.check([&o] {
    return o.output == "-" ? std::string("--output: the table goes to standard output; name a file") : std::string();
  });
  command.examples({"simrun compare run.json other.json -o difference.svg --devices '*.chassis'"});
  command.run([&o](cli::Reporter& reporter) { return compare(o, reporter); });
}

}  // namespace simbatch::simrun
