#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/simrun/codes.hpp"
#include "apps/simrun/show.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/rndf/rndf.hpp"
#include "formats/trace/collect.hpp"
#include "lib/sim/record/recorder.hpp"
#include "lib/sim/record/run.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;
namespace fs = std::filesystem;

bool has_digest(const fs::path& file, const std::string& digest) {
  try {
    return hex64(hash64(Input::open(file.string(), 1u << 28).text())) == digest;
  } catch (const IoError&) {
    return false;
  }
}

// A trace knows its inputs' names and digests, not their folders, so that it is the same wherever it was made. Looked for beside
// `neighbour`, then in the working folder and up to three folders below it, in the order of their names.
std::string find_input(const std::string& name, const std::string& digest, const std::string& neighbour) {
  const fs::path beside = fs::path(neighbour).parent_path() / name;
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

}  // namespace

ExitCode verify(const cli::Common& common, const VerifyOptions& options) {
  cli::Reporter reporter(common);
  const auto read = read_trace(reporter, options.trace);
  if (!read) return reporter.finish(ExitCode::input);
  const trace::Trace& old = *read->trace.value;

  Diagnostics problems(options.trace);
  const auto& inputs = old.header.inputs;
  const std::string scenario =
      !options.scenario.empty() ? options.scenario
                                : find_input(old.header.scenario, inputs.empty() ? "" : inputs.front().digest, options.trace);
  if (scenario.empty()) {
    problems.report(
        code::kNoScenario, {},
        fmt::format("no {} with digest {} beside the trace or below the working folder; name it with --scenario",
                    simbatch::quoted(old.header.scenario), old.header.inputs.empty() ? "?" : old.header.inputs.front().digest));
    reporter.show(std::move(problems));
    return reporter.finish();
  }
  // An object file's network is its second input, if it has one.
  std::string rndf = options.rndf;
  if (rndf.empty() && inputs.size() > 1 && cajunbot::detect_version(Input::open(scenario).text())) {
    rndf = find_input(inputs[1].name, inputs[1].digest, scenario);
    if (!rndf.empty() && !rndf::looks_like_rndf(Input::open(rndf).text())) rndf.clear();
  }
  ExitCode exit = ExitCode::ok;
  sim::BuildOptions how{
      .dt = old.header.dt, .seed = old.header.seed, .root = options.root, .graspit_root = options.root, .rndf = rndf};
  apply(common, options.programs, how);
  const auto built = build(reporter, scenario, how, exit);
  if (!built) return reporter.finish(exit);
  for (const sim::FileDigest& file : built->inputs) {
    const auto same = std::find_if(old.header.inputs.begin(), old.header.inputs.end(),
                                   [&](const trace::InputFile& f) { return f.name == file.name; });
    if (same == old.header.inputs.end() || same->digest != file.digest)
      problems.report(code::kDigest, {},
                      fmt::format("input {} has digest {}, the trace was made with {}", simbatch::quoted(file.name),
                                  file.digest, same == old.header.inputs.end() ? "no such file" : same->digest));
  }
  for (const trace::InputFile& file : old.header.inputs)
    if (std::none_of(built->inputs.begin(), built->inputs.end(), [&](const sim::FileDigest& f) { return f.name == file.name; }))
      problems.report(code::kDigest, {},
                      fmt::format("the trace was made with input {}, which is not read now", simbatch::quoted(file.name)));

  sim::RunPlan plan;
  plan.every = old.header.every;
  plan.hash_every = old.header.hash_every;
  plan.steps = old.end ? old.end->steps : old.steps.empty() ? 0 : old.steps.back();
  if (old.end && old.end->outcome == "failed") plan.steps = old.header.steps;  // to fail again: in the step that was not made
  sim::RunOutputs outputs;
  for (const trace::Device& device : old.header.devices)
    if (const sim::TreeNode* node = built->simulation->tree().find(device.name)) outputs.nodes.push_back(node);
  trace::Header header = sim::trace_header(*built->simulation, plan);
  header.scenario = built->name;
  header.steps = old.header.steps;
  for (const sim::FileDigest& file : built->inputs) header.inputs.push_back({file.name, file.digest});
  header.devices = sim::trace_devices(outputs.nodes);
  for (const auto& [what, now, then] : {std::tuple{"engine", header.engine, old.header.engine},
                                        std::tuple{"math library", header.mathematics, old.header.mathematics},
                                        std::tuple{"floating-point mode", header.float_mode, old.header.float_mode}})
    if (now != then)
      problems.report(
          code::kPlatform, {},
          fmt::format("another {}: {}, the trace was made with {}", what, simbatch::quoted(now), simbatch::quoted(then)));

  trace::Collector collector(std::move(header));
  outputs.writer = &collector;
  cli::handle_interrupts_by_polling();
  cli::Progress progress(common, "verifying", static_cast<std::uint64_t>(plan.steps));
  trace::End end = sim::run_simulation(*built->simulation, plan, outputs, [&](std::int64_t done) {
    progress.update(static_cast<std::uint64_t>(done));
    return !cli::interrupted();
  });
  progress.finish();
  if (cli::interrupted()) return reporter.finish(ExitCode::interrupted);
  if (built->programs != nullptr) reporter.show(built->programs->warnings());
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
    cli::info(common,
              fmt::format("verified: {} steps, {} rows, state hash {}", end.steps, comparison.rows, hex64(end.state_hash)));
  return reporter.finish();
}

}  // namespace simbatch::simrun
