#include <cstdlib>
#include <filesystem>

#include "apps/common/console.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/codes.hpp"
#include "apps/simrun/python_path.hpp"
#include "apps/simrun/simrun.hpp"
#include "apps/simrun/trust.hpp"
#include "base/core/input.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/serve/control_endpoints.hpp"
#include "lib/sim/record/recorded_trace.hpp"
#include "lib/study/codes.hpp"
#include "simbatch_version.hpp"

namespace simbatch::simrun {

void apply(const cli::CommonOptions& common, const ProgramOptions& programs, scenario::BuildOptions& options,
           std::shared_ptr<serve::ControlEndpoints> page_endpoints) {
  options.allow_programs = programs.allow;
  options.trusts = trusting();
  options.program_choices = programs.choices;
  options.program_timeout = programs.timeout;
  options.controllers = programs.controllers;
  options.isolate = programs.isolate;
  options.controller_files = programs.readable;
  if (programs.ignore) options.programs = scenario::ProgramUse::ignore;
  if (!programs.controllers.empty())
    if (const auto path = controller_python_path()) options.controller_environment.push_back("PYTHONPATH=" + *path);
  if (const char* token = std::getenv("SIMBATCH_TOKEN")) options.controller_token = token;
  options.open_endpoint = serve::WebEndpointOpener(options.controller_token, std::move(page_endpoints));
  options.generator = std::string("simbatch ") + SIMBATCH_VERSION;
  options.keep_going = [] { return !cli::interrupted(); };
  options.log = [common](std::string_view robot, std::string_view text) {
    cli::status(common, std::string(robot) + ": " + std::string(text));
  };
}

Diagnostics isolation_gaps(const SandboxSupport& support, const std::string& scenario) {
  Diagnostics problems(scenario);
  for (const std::string& gap : support.gaps())
    problems.report(code::kIsolation, {}, "on this kernel --isolate does not guard " + gap + "; with --strict nothing is run");
  return problems;
}

bool report_isolation(const ProgramOptions& programs, const std::string& scenario, cli::Reporter& reporter) {
  if (!programs.isolate) return true;
  const SandboxSupport& support = sandbox_support();
  reporter.status("isolated: " + support.text());
  reporter.show(isolation_gaps(support, scenario));
  return !reporter.failed();
}

std::vector<std::string> words_of(const ProgramOptions& programs) {
  std::vector<std::string> words;
  if (programs.allow) words.emplace_back("--allow-programs");
  if (programs.ignore) words.emplace_back("--ignore-programs");
  for (const auto& choice : programs.choices) words.insert(words.end(), {"--program", choice.robot + "=" + choice.library});
  for (const auto& choice : programs.controllers)
    words.insert(words.end(), {"--controller", choice.robot + "=" + choice.command});
  if (programs.isolate) words.emplace_back("--isolate");
  for (const std::string& path : programs.readable) words.insert(words.end(), {"--isolate-read", path});
  return words;
}

bool apply_settings(cli::Reporter& reporter, const std::string& scenario, const std::vector<scenario::FileChange>& settings,
                    scenario::BuildOptions& how) {
  if (settings.empty()) return true;
  Diagnostics problems(scenario);
  if (file_kind::report_folder(scenario, problems)) {
    reporter.show(std::move(problems));
    return false;
  }
  const Input input = Input::open(scenario);
  const std::size_t before = reporter.errors();
  const auto kind = file_kind::kind_of(input.text());
  if (scenario.ends_with(".wld") || file_kind::is_grasp_world(kind)) {
    (void)study::set_grasp_world(settings, how, problems);
  } else if (kind != file_kind::Kind::autosim_world) {
    problems.report(study::code::kSetting, {}, "--set changes values of World files and their robots; this is neither");
  } else if (auto variant = study::with_settings(input.text(), {.scenario = scenario, .root = how.root, .library = how.library},
                                                 settings, problems)) {
    how.text = std::move(variant->scenario);
    for (study::Variant::File& file : variant->files) how.robot_texts[file.robot] = std::move(file.text);
    how.changes = settings;
  }
  reporter.show(std::move(problems));
  return reporter.errors() == before;
}

std::optional<scenario::BuiltScenario> build(cli::Reporter& reporter, const std::string& scenario,
                                             scenario::BuildOptions options, cli::ExitCode& exit,
                                             const std::vector<scenario::FileChange>& settings) {
  exit = cli::ExitCode::input;
  if (!apply_settings(reporter, scenario, settings, options)) return std::nullopt;
  scenario::BuildResult result = scenario::build_scenario(scenario, options);
  if (result.unreadable) exit = cli::ExitCode::io;
  const std::size_t before = reporter.errors();  // settings of another scenario
  reporter.show(std::move(result.diagnostics));
  if (reporter.errors() > before) return std::nullopt;  // warnings too, with --strict
  return std::move(result.value);
}

std::vector<scenario::FileChange> settings_of(const trace::Header& header) {
  std::vector<scenario::FileChange> settings;
  for (const trace::FileChange& change : header.settings) settings.push_back({change.at, change.value});
  return settings;
}

namespace {

/// A file that is a recording with its description.
struct Described {
  Input input;
  Parsed<sim::RecordingView> view;
};
/// Nothing for any other file.
std::optional<Described> read_described(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  Input input = Input::open(path);
  if (!sim::is_recording(input.text())) return std::nullopt;
  Parsed<sim::RecordingView> view = sim::read_recording(input.text(), input.name());
  if (view.value && !view.value->description) return std::nullopt;  // an older one
  return Described{std::move(input), std::move(view)};
}

/// Naming the kind of a file that is not a trace is more helpful than the position of its first error.
void name_other_kind(const std::string& path, Diagnostics& problems) {
  std::error_code error;
  if (!problems.has_errors() || path == "-" || !std::filesystem::is_regular_file(path, error)) return;
  const Input input = Input::open(path);
  Diagnostics instead(path);
  if (file_kind::report_other_kind(input.text(), path, file_kind::Purpose::trace, instead)) problems = std::move(instead);
}

}  // namespace

std::optional<ReadTrace> read_trace(cli::Reporter& reporter, const std::string& path) {
  ReadTrace read;
  if (auto recording = read_described(path)) {
    read.trace = recording->view.value ? sim::trace_of(*recording->view.value, path)
                                       : Parsed<trace::Trace>{std::nullopt, std::move(recording->view.diagnostics)};
  } else {
    trace::ReadTrace other = trace::read_trace(path);
    name_other_kind(path, other.trace.diagnostics);
    read = {std::move(other.trace), other.format};
  }
  reporter.show(read.trace.diagnostics);
  if (reporter.failed() || !read.trace.value) return std::nullopt;
  return read;
}

std::optional<TraceParts> read_trace_parts(cli::Reporter& reporter, const std::string& path, trace::PartReceiver& receiver) {
  TraceParts read;
  if (auto recording = read_described(path)) {
    read.recording = true;
    const Input& input = recording->input;
    if (const auto& view = recording->view.value) {
      const auto start = static_cast<std::size_t>(view->data.data() - input.text().data());
      static_cast<trace::PartsRead&>(read) = sim::trace_parts(
          *view, path, receiver, [&](std::size_t from, std::size_t bytes) { input.release(start + from, bytes); });
    } else {
      read.trace.diagnostics = std::move(recording->view.diagnostics);
    }
  } else {
    static_cast<trace::PartsRead&>(read) = trace::read_parts(path, receiver);
    name_other_kind(path, read.trace.diagnostics);
  }
  const bool failed = read.trace.diagnostics.has_errors();
  reporter.show(read.trace.diagnostics);
  if (failed) return std::nullopt;
  return read;
}

}  // namespace simbatch::simrun
