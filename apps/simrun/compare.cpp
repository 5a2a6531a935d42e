// simrun diff, simrun convert.

#include "formats/trace/compare.hpp"

#include <fmt/format.h>

#include "apps/simrun/show.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/number.hpp"

namespace simbatch::simrun {

using cli::ExitCode;

std::string show(const trace::Comparison& c) {
  std::string out;
  const auto line = [&out](const std::string& text) { out += text + "\n"; };
  if (c.first) {
    const trace::Difference& d = *c.first;
    line(fmt::format("first difference: step {} ({} s), device {}, field {}: {} | {}{}", d.step, number_text(d.time), d.device,
                     d.field, d.a, d.b, d.size > 0 ? " (apart by " + number_text(d.size) + ")" : ""));
    line(fmt::format("differing values: {} in {} common rows", c.differing_values, c.rows));
  }
  if (c.first_hash) line(fmt::format("first differing state hash: step {}", *c.first_hash));
  if (c.rows_only_a + c.rows_only_b > 0) line(fmt::format("rows only in one: {} | {}", c.rows_only_a, c.rows_only_b));
  for (const std::string& name : c.only_a) line("only in the first: " + name);
  for (const std::string& name : c.only_b) line("only in the second: " + name);
  if (!c.ends.empty()) line("end: " + c.ends);
  for (const std::string& text : c.headers) line("header, " + text);
  return out;
}

ExitCode diff(const cli::Common& common, const DiffOptions& options) {
  cli::Reporter reporter(common);
  const auto a = read_trace(reporter, options.a), b = read_trace(reporter, options.b);
  if (!a || !b) return reporter.finish(ExitCode::input);
  const trace::Comparison comparison = trace::compare(*a->trace.value, *b->trace.value, options.tolerance);
  cli::print(show(comparison));
  if (comparison.equal()) cli::info(common, fmt::format("the traces agree in {} rows", comparison.rows));
  return reporter.finish(comparison.equal() ? ExitCode::ok : ExitCode::input);
}

ExitCode convert(const cli::Common& common, const ConvertOptions& options) {
  cli::Reporter reporter(common);
  const auto input = read_trace(reporter, options.input);
  if (!input) return reporter.finish(ExitCode::input);
  trace::Format format = trace::Format::json;
  if (!options.format.empty())
    format = *trace::format_named(options.format);
  else if (options.output != "-")
    format = *trace::format_of(options.output);
  const auto writer = trace::make_writer(format, options.output, input->trace.value->header, trace::Lines::at_the_end);
  trace::write_trace(*input->trace.value, *writer);
  return reporter.finish();
}

}  // namespace simbatch::simrun
