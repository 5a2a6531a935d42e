#include "apps/simrun/origin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/simrun/codes.hpp"
#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "base/core/text.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/sim/tree/tree.hpp"

namespace simbatch::simrun {
namespace {

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

// A trace knows its inputs' names and digests, not their folders, so that it does not depend on where it was made. Inputs are
// searched for beside `neighbor`, then in the working folder and up to three levels below it, in the order of their names.
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

/// Where the name of the robot ends, in the name of an input that controlled one ("car=drive.py"); 0 for other inputs.
std::size_t equals_of(const trace::Header& header, const trace::InputFile& input) {
  const std::size_t equals = input.name.find('=');
  return equals == std::string::npos || &input == &header.inputs.front() ? 0 : equals;  // the scenario is first
}

}  // namespace

std::string find_scenario(const std::string& chosen, const std::string& trace, const trace::Header& header,
                          Diagnostics& problems) {
  if (!chosen.empty()) return chosen;
  const std::string digest = header.inputs.empty() ? "" : header.inputs.front().digest;
  std::string found = find_input(header.scenario, digest, trace);
  if (found.empty())
    problems.report(code::kNoScenario, {},
                    fmt::format("no {} with digest {} beside the trace or below the working folder; name it with --scenario",
                                simbatch::quoted(header.scenario), digest.empty() ? "?" : digest));
  return found;
}

std::string find_network(const std::string& chosen, const trace::Header& header, const std::string& scenario) {
  if (!chosen.empty() || header.inputs.size() < 2 || !file_kind::is_objects(file_kind::kind_of(Input::open(scenario).text())))
    return chosen;
  const std::string found = find_input(header.inputs[1].name, header.inputs[1].digest, scenario);
  return !found.empty() && file_kind::kind_of(Input::open(found).text()) == file_kind::Kind::rndf ? found : "";
}

// A choice is listed as ROBOT=TEXT: a controller with the digest of the text itself, followed by its files; a library with the
// digest of the file.
std::vector<std::string> missing_choices(const trace::Header& header, const ProgramOptions& now) {
  const auto is_given = [&](const std::string& robot) {
    const auto fits = [&](const auto& choice) { return sim::glob_matches(choice.robot, robot); };
    return std::any_of(now.controllers.begin(), now.controllers.end(), fits) ||
           std::any_of(now.choices.begin(), now.choices.end(), fits);
  };
  std::vector<std::string> words, controlled;
  for (const trace::InputFile& input : header.inputs) {
    const std::size_t equals = equals_of(header, input);
    if (equals == 0) continue;
    const std::string robot = input.name.substr(0, equals), text = input.name.substr(equals + 1);
    if (is_given(robot)) continue;
    const bool is_command = hex64(hash64(text)) == input.digest;
    const bool is_file_of_command = std::find(controlled.begin(), controlled.end(), robot) != controlled.end();
    if (is_command) controlled.push_back(robot);
    if (!is_command && is_file_of_command) continue;
    words.insert(words.end(), {is_command ? "--controller" : "--program", input.name});
  }
  return words;
}

trace::Header without_programs(trace::Header header) {
  std::vector<trace::InputFile> kept;
  for (const trace::InputFile& input : header.inputs)
    if (equals_of(header, input) == 0) kept.push_back(input);
  header.inputs = std::move(kept);
  return header;
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
  // Bounded by the requested duration: a damaged trace may claim any number of steps.
  plan.steps = old.end ? std::min(old.end->steps, old.header.steps) : old.steps.empty() ? 0 : old.steps.back();
  // to repeat the failure, in the step that was not completed
  if (old.end && old.end->outcome == "failed") plan.steps = old.header.steps;
  return plan;
}

}  // namespace simbatch::simrun
