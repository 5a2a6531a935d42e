#include "apps/common/outputs.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/simrun.hpp"
#include "formats/trace/collect.hpp"

namespace simbatch::simrun {
namespace {

struct ConvertOptions {
  std::string input, output, format;
};

cli::ExitCode convert(const ConvertOptions& options, cli::Reporter& reporter) {
  const auto input = read_trace(reporter, options.input);
  if (!input) return reporter.finish(cli::ExitCode::input);
  const auto writer = trace::make_writer(trace_format(options.format, options.output), options.output,
                                         input->trace.value->header, trace::Lines::at_the_end);
  trace::write_trace(*input->trace.value, *writer);
  return reporter.finish();
}

}  // namespace

void add_convert(cli::Command& program) {
  cli::Command& command = program.add("convert", "Write a trace in another format");
  auto& o = command.keep<ConvertOptions>();
  command.positional("TRACE", o.input, "Trace").required();
  command.option("-o,--output", "FILE", o.output, "Output; - is standard output").required();
  add_format_option(command, o.format);
  command.check([&o] { return trace_problem(o.format, o.output, "--output"); });
  command.check([&o] {
    const bool same = o.output != "-" && trace_format(o.format, o.output) == trace::format_of(o.input);
    cli::Outputs outputs;
    outputs.reads("TRACE", o.input);
    outputs.writes("--output", o.output, same ? "TRACE" : "");
    return outputs.conflict();
  });
  command.examples({"simrun convert run.json -o run.csv"});
  command.run([&o](cli::Reporter& reporter) { return convert(o, reporter); });
}

}  // namespace simbatch::simrun
