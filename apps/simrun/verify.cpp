#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/common/console.hpp"
#include "apps/common/progress.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/codes.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/show.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "formats/trace/collect.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/sim/record/recorder.hpp"
#include "lib/sim/record/run.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;

struct VerifyOptions {
  std::string trace, scenario, root, rndf;  ///< scenario and rndf empty: looked for
  ProgramOptions programs;
};
namespace fs = std::filesystem;

bool has_digest(const fs::path& file, const std::string& digest) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;  // opening a FIFO would block
  try {
    return hex64(hash64(Input::open(file.string(), 1u << 28).text())) == digest;
  } catch (const IoError&) {
    return false;
  }
}

// A trace knows its inputs' names and digests, not their folders, so that it is the same wherever it was made. Looked for beside
// `neighbor`, then in the working folder and up to three folders below it, in the order of their names.
std::string find_input(const std::string& name, const std::string& digest, const std::string& neighbor) {
  const fs::path beside = fs::path(neighbor).parent_path() / name;
  if (has_digest(beside, digest)) return beside.string();
  std::error_code error;
  std::vector<fs::path> found;
  fs::recursive_directory_iterator it(".", fs::directory_options::skip_permission_denied, error), end;
  for (std::size_t seen = 0; !error && it != end && seen < 200'000; it.increment(error), ++seen) {
    if (it.depth() >= 3) it.disable_recursion_pending();
    if (it->path().filename() == fs::path(name).filename()) found.push_back(it->path().lexically_normal());
  }
  std::sort(found.begin(), found.end());
  for (const fs::path& candidate : found)
    if (has_digest(candidate, digest)) return candidate.string();
  return {};
}

// The scenario to run again; empty after simrun-no-scenario was reported.
std::string find_scenario(const VerifyOptions& options, const trace::Header& header, Diagnostics& problems) {
  if (!options.scenario.empty()) return options.scenario;
  const std::string digest = header.inputs.empty() ? "" : header.inputs.front().digest;
  std::string found = find_input(header.scenario, digest, options.trace);
  if (found.empty())
    problems.report(code::kNoScenario, {},
                    fmt::format("no {} with digest {} beside the trace or below the working folder; name it with --scenario",
                                simbatch::quoted(header.scenario), digest.empty() ? "?" : digest));
  return found;
}

// An object file's network is its second input, if it has one.
std::string find_network(const VerifyOptions& options, const trace::Header& header, const std::string& scenario) {
  if (!options.rndf.empty() || header.inputs.size() < 2 ||
      !file_kind::is_objects(file_kind::kind_of(Input::open(scenario).text())))
    return options.rndf;
  const std::string found = find_input(header.inputs[1].name, header.inputs[1].digest, scenario);
  return !found.empty() && file_kind::kind_of(Input::open(found).text()) == file_kind::Kind::rndf ? found : "";
}

void compare_inputs(const trace::Header& header, const std::vector<scenario::FileDigest>& inputs, Diagnostics& problems) {
  for (const scenario::FileDigest& file : inputs) {
    const auto same = std::find_if(header.inputs.begin(), header.inputs.end(),
                                   [&](const trace::InputFile& f) { return f.name == file.name; });
    if (same == header.inputs.end() || same->digest != file.digest)
      problems.report(code::kDigest, {},
                      fmt::format("input {} has digest {}, the trace was made with {}", simbatch::quoted(file.name),
                                  file.digest, same == header.inputs.end() ? "no such file" : same->digest));
  }
  for (const trace::InputFile& file : header.inputs)
    if (std::none_of(inputs.begin(), inputs.end(), [&](const scenario::FileDigest& f) { return f.name == file.name; }))
      problems.report(code::kDigest, {},
                      fmt::format("the trace was made with input {}, which is not read now", simbatch::quoted(file.name)));
}

void compare_platforms(const trace::Header& now, const trace::Header& then, Diagnostics& problems) {
  const auto compare = [&](const char* what, const std::string& a, const std::string& b) {
    if (a != b)
      problems.report(
          code::kPlatform, {},
          fmt::format("another {}: {}, the trace was made with {}", what, simbatch::quoted(a), simbatch::quoted(b)));
  };
  compare("engine", now.engine, then.engine);
  compare("math library", now.mathematics, then.mathematics);
  compare("floating-point mode", now.float_mode, then.float_mode);
}

sim::RunPlan plan_of(const trace::Trace& old) {
  sim::RunPlan plan;
  plan.every = old.header.every;
  plan.hash_every = old.header.hash_every;
  // No more than the run was asked for: a damaged trace may claim any number of steps.
  plan.steps = old.end ? std::min(old.end->steps, old.header.steps) : old.steps.empty() ? 0 : old.steps.back();
  if (old.end && old.end->outcome == "failed") plan.steps = old.header.steps;  // to fail again, in the step that was not made
  return plan;
}

trace::Header header_of(const scenario::BuiltScenario& built, const sim::RunPlan& plan, const trace::Header& old,
                        const std::vector<const sim::TreeNode*>& nodes) {
  trace::Header header = sim::trace_header(*built.simulation, plan);
  header.scenario = built.name;
  header.steps = old.steps;
  for (const scenario::FileDigest& file : built.inputs) header.inputs.push_back({file.name, file.digest});
  header.devices = sim::trace_devices(nodes);
  return header;
}

// Runs the scenario again and compares; reports what differs.
ExitCode repeat(const trace::Trace& old, const scenario::BuiltScenario& built, Diagnostics problems, cli::Reporter& reporter) {
  const sim::RunPlan plan = plan_of(old);
  sim::RunOutputs outputs;
  for (const trace::Device& device : old.header.devices)
    if (const sim::TreeNode* node = built.simulation->tree().find(device.name)) outputs.nodes.push_back(node);
  trace::Header header = header_of(built, plan, old.header, outputs.nodes);
  compare_platforms(header, old.header, problems);
  trace::Collector collector(std::move(header));
  outputs.writer = &collector;
  cli::handle_interrupts_by_polling();
  cli::Progress progress(reporter.options(), "verifying", static_cast<std::uint64_t>(plan.steps));
  trace::End end = sim::run_simulation(*built.simulation, plan, outputs, [&](std::int64_t done) {
    progress.update(static_cast<std::uint64_t>(done));
    return !cli::interrupted();
  });
  progress.finish();
  if (cli::interrupted()) return reporter.finish(ExitCode::interrupted);
  if (built.programs != nullptr) reporter.show(built.programs->warnings());
  trace::Trace& now = collector.trace();
  // A run that was interrupted is repeated up to where it was; a cut trace up to its last row.
  if (old.end) {
    if (old.end->outcome == "interrupted" && end.outcome == "complete") end.outcome = "interrupted";
    now.end = end;
  }
  const trace::Comparison comparison = trace::compare(old, now);
  if (!comparison.equal()) {
    cli::print(show(comparison));
    problems.report(code::kDiffers, {}, "the run does not repeat this trace");
  }
  reporter.show(std::move(problems));
  if (comparison.equal())
    reporter.status(
        fmt::format("verified: {} steps, {} rows, state hash {}", end.steps, comparison.rows, hex64(end.state_hash)));
  return reporter.finish();
}

ExitCode verify(const VerifyOptions& options, cli::Reporter& reporter) {
  const auto read = read_trace(reporter, options.trace);
  if (!read) return reporter.finish(ExitCode::input);
  const trace::Trace& old = *read->trace.value;
  Diagnostics problems(options.trace);
  const std::string scenario = find_scenario(options, old.header, problems);
  if (scenario.empty()) {
    reporter.show(std::move(problems));
    return reporter.finish();
  }
  ExitCode exit = ExitCode::ok;
  scenario::BuildOptions how{.dt = old.header.dt,
                             .seed = old.header.seed,
                             .root = options.root,
                             .graspit_root = options.root,
                             .rndf = find_network(options, old.header, scenario)};
  apply(reporter.options(), options.programs, how);
  const auto built = build(reporter, scenario, how, exit);
  if (!built) return reporter.finish(exit);
  compare_inputs(old.header, built->inputs, problems);
  return repeat(old, *built, std::move(problems), reporter);
}

}  // namespace

void add_verify(cli::Command& program) {
  cli::Command& command = program.add("verify", "Repeat the run of a trace and compare");
  auto& o = command.keep<VerifyOptions>();
  command.positional("TRACE", o.trace, "Trace").required();
  command.option("--scenario", "SCENARIO", o.scenario, "Its scenario (default: found by name and digest)");
  add_root_option(command, o.root);
  add_rndf_option(command, o.rndf, "Road network of a CajunBot object file (default: found by name and digest)");
  add_program_options(command, o.programs);
  command.examples({"simrun verify run.json --scenario scenario.xml"});
  command.run([&o](cli::Reporter& reporter) { return verify(o, reporter); });
}

}  // namespace simbatch::simrun
