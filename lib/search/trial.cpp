#include "lib/search/trial.hpp"

#include <algorithm>
#include <cmath>

#include "base/core/number.hpp"
#include "base/process/pool.hpp"
#include "formats/autosim/world.hpp"
#include "lib/search/codes.hpp"
#include "lib/search/space.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "lib/sim/tree/bit_stream.hpp"
#include "lib/study/expected_run.hpp"

namespace simbatch::search {
namespace {

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string encode(const Trial& trial) {
  std::string bytes;
  sim::BitWriter out(bytes);
  out.integer(static_cast<std::uint64_t>(trial.end));
  out.text(trial.problem);
  out.integer(static_cast<std::uint64_t>(trial.steps));
  out.integer(trial.state_hash);
  out.integer(trial.margins.size());
  for (const Margin& one : trial.margins) {
    out.number(one.margin);
    out.text(one.unit);
    out.integer(one.fails ? 1 : 0);
    out.integer(static_cast<std::uint64_t>(one.decided));
    out.text(one.condition);
    out.text(one.text);
  }
  return bytes;
}

bool decode(std::string_view bytes, Trial& trial) {
  sim::BitReader in(bytes);
  std::uint64_t end = 0, steps = 0, count = 0, fails = 0, decided = 0;
  in.integer(end);
  in.text(trial.problem);
  in.integer(steps);
  in.integer(trial.state_hash);
  in.integer(count);
  for (std::uint64_t i = 0; i < count && !in.failed(); ++i) {
    Margin& one = trial.margins.emplace_back();
    in.number(one.margin);
    in.text(one.unit);
    in.integer(fails);
    in.integer(decided);
    in.text(one.condition);
    in.text(one.text);
    one.fails = fails != 0;
    one.decided = static_cast<std::int64_t>(decided);
  }
  trial.end = static_cast<Trial::End>(end);
  trial.steps = static_cast<std::int64_t>(steps);
  return !in.failed() && in.rest().empty();
}

Trial broken(std::string problem) {
  Trial trial;
  trial.end = Trial::End::broken;
  trial.problem = one_line(std::move(problem));
  return trial;
}

std::string first_error(const Diagnostics& problems) {
  for (const Diagnostic& problem : problems.items())
    if (problem.severity == Severity::error) return to_text(problem);
  return "the scenario cannot be built";
}

/// The options for building a variant.
scenario::BuildOptions build_options(const Case& subject, const TrialOptions& options, const study::Variant& files) {
  scenario::BuildOptions how = options.build;
  how.text = files.scenario;
  for (const study::Variant::File& file : files.files) how.robot_texts[file.robot] = file.text;
  how.cache = subject.cache;
  return how;
}

/// In the child.
Trial run_files(const Case& subject, const TrialOptions& options, const study::Variant& files) {
  try {
    const scenario::BuildOptions how = build_options(subject, options, files);
    const auto built = scenario::build_scenario(subject.scenario_path, how);
    if (!built.value) return broken(first_error(built.diagnostics));
    const study::ExpectedRun run = study::run_expected(
        *built.value, {study::steps_of(built.value->duration, built.value->simulation->settings().physics.dt), 1, 0});
    if (!run.is_complete) return broken(run.end.message);
    Trial trial;
    trial.end = Trial::End::passed;
    trial.steps = run.end.steps;
    trial.state_hash = run.end.state_hash;
    for (const expect::Outcome& outcome : run.outcomes) {
      const bool fails = outcome.verdict != expect::Verdict::holds;
      trial.margins.push_back({std::isnan(outcome.margin) ? (fails ? -HUGE_VAL : HUGE_VAL) : outcome.margin, outcome.unit,
                               fails, outcome.decided, outcome.condition, expect::describe(outcome)});
      if (fails) trial.end = Trial::End::failed;
    }
    return trial;
  } catch (const std::exception& error) {
    return broken(error.what());
  }
}

Trial trial_of(const PoolResult& ended, const TrialOptions& options) {
  if (ended.end == PoolResult::End::out_of_time)
    return broken("no end after " + number_text(options.timeout) + " s of wall clock (--timeout)");
  Trial trial;
  if (ended.end != PoolResult::End::ended || ended.process.by_signal || ended.process.value != 0 || !decode(ended.bytes, trial))
    return broken("the process " + ended.process.text());
  return trial;
}

template <class T>
void remove_named(std::vector<T>& objects, const std::set<std::string>& names) {
  std::erase_if(objects, [&](const T& object) { return names.contains(object.name); });
}

template <class T>
void add_names(const std::vector<T>& objects, std::vector<std::string>& names) {
  for (const T& object : objects) names.push_back(object.name);
}

/// Extracts the data of the case from the scenario's model.
bool read_scenario(Case& subject, Diagnostics& problems) {
  auto world = autosim::read_world(subject.scenario_text, subject.scenario_path);
  if (!world.ok()) {
    problems.append(std::move(world.diagnostics));
    return false;
  }
  add_names(world.value->robots, subject.objects);
  add_names(world.value->statics, subject.objects);
  add_names(world.value->traffic, subject.objects);
  add_names(world.value->grasps, subject.objects);
  for (const autosim::Expect& expect : world.value->expectations.expects)
    subject.expectations.push_back({expect.name, expect.that});
  for (const study::Study::Expect& expect : subject.study.expects) subject.expectations.push_back({expect.name, expect.that});

  const auto present = study::present_values(
      subject.scenario_text, {.scenario = subject.scenario_path, .root = subject.root, .library = subject.library},
      subject.study, problems);
  if (!present) return false;
  const Space space(subject.study);
  for (std::size_t i = 0; i < present->size(); ++i) {
    const study::Parameter& parameter = subject.study.parameters[i];
    const double value = parameter.path == "seed"
                             ? static_cast<double>(world.value->physics.seed)
                             : (*present)[i].value_or(parameter.values.empty() ? parameter.low : parameter.values[0]);
    subject.defaults.push_back(space.nearest(i, value));
  }
  return true;
}

}  // namespace

std::optional<Case> make_case(const study::Study& study, const TrialOptions& options, Diagnostics& problems) {
  Case subject;
  subject.study = study;
  study::take_values_of_table(subject.study);
  auto text = study::read_scenario(study, options.file, subject.scenario_path, problems);
  if (!text) return std::nullopt;
  subject.scenario_text = std::move(*text);
  subject.root = options.build.root;
  subject.library = options.build.library;
  subject.cache = std::make_shared<scenario::BuildCache>();
  if (!read_scenario(subject, problems)) return std::nullopt;
  // First the unchanged scenario, so that its problems are reported at their positions.
  const auto files = study::make_variant(subject.scenario_text,
                                         {.scenario = subject.scenario_path, .root = subject.root, .library = subject.library},
                                         study, subject.defaults, problems);
  if (!files) return std::nullopt;
  scenario::BuildOptions how = build_options(subject, options, *files);
  how.isolate = true;  // loads no program here
  auto built = scenario::build_scenario(subject.scenario_path, how);
  problems.append(std::move(built.diagnostics));
  if (!built.value) return std::nullopt;
  for (const study::Study::Expect& expect : study.expects)
    built.value->expectations->add(expect.that, {options.file, expect.places}, expect.name, 0, problems);
  if (problems.has_errors()) return std::nullopt;
  subject.dt = built.value->simulation->settings().physics.dt;
  subject.duration = study.duration.value_or(built.value->duration);
  if (subject.expectations.empty() && options.needs_expectations)
    problems.report(code::kNothing, study.place.at,
                    "the study and its scenario expect nothing, expected <Expect name= that=/>");
  else if (!(subject.duration > 0))
    problems.report(code::kDuration, study.place.at,
                    "neither the study nor the scenario says how long to run, expected duration=\"SECONDS\"");
  if (problems.has_errors()) return std::nullopt;
  return subject;
}

std::optional<study::Variant> files_of(const Case& subject, const Variant& variant, const std::string& prefix) {
  Diagnostics problems;
  auto files = study::make_variant(subject.scenario_text, {subject.scenario_path, subject.root, prefix, subject.library},
                                   subject.study, variant.values, problems);
  if (!files) return std::nullopt;
  std::erase_if(files->files, [&](const study::Variant::File& file) { return variant.removed.contains(file.robot); });
  auto world = autosim::read_world(files->scenario, subject.scenario_path);
  if (!world.ok()) return std::nullopt;
  autosim::World& w = *world.value;
  double duration = subject.duration;
  for (std::size_t i = 0; i < variant.values.size(); ++i) {
    const std::string& path = subject.study.parameters[i].path;
    if (path == "seed") w.physics.seed = static_cast<std::uint64_t>(variant.values[i]);
    if (path == "dt") w.physics.step = variant.values[i];
    if (path == "duration") duration = variant.values[i];
  }
  remove_named(w.robots, variant.removed);
  remove_named(w.statics, variant.removed);
  remove_named(w.traffic, variant.removed);
  remove_named(w.grasps, variant.removed);
  w.expectations = {};
  w.expectations.duration = variant.duration.value_or(duration);
  for (std::size_t i = 0; i < subject.expectations.size(); ++i)
    if (variant.only.value_or(i) == i)
      w.expectations.expects.push_back({subject.expectations[i].name, {}, subject.expectations[i].that, {}});
  files->scenario = autosim::write_world(w);
  return files;
}

std::vector<Trial> run_trials(const Case& subject, const TrialOptions& options, const std::vector<study::Variant>& scenarios) {
  std::vector<Trial> trials(scenarios.size());
  PoolLimits limits;
  limits.parallel = options.jobs;
  if (options.timeout > 0) limits.seconds = options.timeout;
  limits.keep_going = options.keep_going;
  (void)run_pool(
      scenarios.size(), limits,
      [&](std::size_t job, const PoolOutput& output) {
        output.send(encode(run_files(subject, options, scenarios[job])));
        return 0;
      },
      [&](PoolResult&& ended) {
        trials[ended.job] = trial_of(ended, options);
        return true;
      });
  return trials;
}

}  // namespace simbatch::search
