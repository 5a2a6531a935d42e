#include "lib/study/point.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/core/shell_word.hpp"
#include "formats/autosim/robot.hpp"
#include "formats/autosim/world.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "lib/sim/expect/metrics.hpp"
#include "lib/study/codes.hpp"
#include "lib/study/csv.hpp"
#include "lib/study/expected_run.hpp"
#include "lib/study/scenario_tests.hpp"
#include "simbatch_version.hpp"

namespace simbatch::study {
namespace fs = std::filesystem;

std::string_view to_text(RunVerdict verdict) {
  constexpr std::string_view kTexts[] = {"pass", "fail", "error", "crash", "timeout"};
  return kTexts[static_cast<std::size_t>(verdict)];
}

namespace {

/// The unit of the margin, if it is the same for all comparisons.
std::string unit_of(const expect::Program& program) {
  std::string unit;
  for (const expect::Atom& atom : program.atoms) {
    if (!unit.empty() && !atom.unit.empty() && atom.unit != unit) return {};
    if (!atom.unit.empty()) unit = atom.unit;
  }
  return unit;
}

std::vector<Diagnostic>::const_iterator first_error(const Diagnostics& problems) {
  return std::find_if(problems.items().begin(), problems.items().end(),
                      [](const Diagnostic& d) { return d.severity == Severity::error; });
}

/// After an error in a file with values set by the study: names these values.
Diagnostics values_note(const Study& study, const std::string& file, const Diagnostics& problems) {
  Diagnostics note(file);
  const auto error = first_error(problems);
  if (error == problems.items().end() || error->file == file) return note;
  std::string text = "this is run 0, with ";
  const std::vector<double> values = values_of(study, 0);
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? "" : ", ") + study.parameters[i].name + " = " + value_text(study.parameters[i], values[i]);
  note.note(code::kParameter, study.place.at, std::move(text));
  return note;
}

}  // namespace

/// A run ready to be stepped.
struct Points::Built {
  scenario::BuiltScenario scenario;
  std::unique_ptr<sim::Metrics> metrics;
  double duration = 0;
};

std::optional<scenario::BuildOptions> Points::build_options(const std::vector<double>& values, Diagnostics& problems) const {
  const VariantFiles files{.scenario = scenario_path_, .root = settings_.build.root, .library = settings_.build.library};
  auto variant = make_variant(scenario_text_, files, *study_, values, problems);
  if (!variant) return std::nullopt;
  scenario::BuildOptions how = settings_.build;
  how.text = std::move(variant->scenario);
  for (Variant::File& file : variant->files) how.robot_texts[file.robot] = std::move(file.text);
  how.cache = cache_;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& path = study_->parameters[i].path;
    if (path == "seed") how.seed = static_cast<std::uint64_t>(values[i]);
    if (path == "dt") how.dt = values[i];
  }
  return how;
}

std::optional<Points::Built> Points::build(const std::vector<double>& values, Purpose purpose, Diagnostics& problems) const {
  auto how = build_options(values, problems);
  if (!how) return std::nullopt;
  if (purpose == Purpose::check) how->isolate = true;
  Built built;
  std::optional<double> duration = study_->duration;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (study_->parameters[i].path == "duration") duration = values[i];
  auto result = scenario::build_scenario(scenario_path_, *how);
  problems.append(std::move(result.diagnostics));
  if (!result.value) return std::nullopt;
  built.scenario = std::move(*result.value);
  built.duration = duration.value_or(built.scenario.duration);
  for (const Study::Expect& expect : study_->expects)
    built.scenario.expectations->add(expect.that, {settings_.file, expect.places}, expect.name, 0, problems);
  built.metrics = std::make_unique<sim::Metrics>(*built.scenario.simulation);
  for (const Study::Metric& metric : study_->metrics)
    built.metrics->add({metric.kind, metric.of, {settings_.file, metric.places}, metric.unit, metric.from, metric.to},
                       problems);
  if (problems.has_errors()) return std::nullopt;
  return built;
}

std::optional<Points> Points::prepare(const Study& study, PointSettings settings, Diagnostics& problems) {
  Points points(study, std::move(settings));
  auto text = read_scenario(study, points.settings_.file, points.scenario_path_, problems);
  if (!text) return std::nullopt;
  points.scenario_text_ = std::move(*text);
  points.cache_ = std::make_shared<scenario::BuildCache>();
  Diagnostics found(points.settings_.file);
  const auto first = points.build(values_of(study, 0), Purpose::check, found);
  if (!first) found.append(values_note(study, points.settings_.file, found));
  problems.append(std::move(found));
  if (!first || !points.note_columns(*first, problems)) return std::nullopt;
  if (!points.check_choices(problems)) return std::nullopt;
  points.check_ends(problems);
  return points;
}

/// Reads the files of runs with the least and the greatest value of each parameter, so that values which no file may have are
/// found before half of a study's runs have been wasted. Only a warning, since draws are hardly ever at the ends.
void Points::check_ends(Diagnostics& problems) const {
  std::vector<double> values = values_of(*study_, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = study_->parameters[i];
    const bool is_setting = std::find(kSettings.begin(), kSettings.end(), parameter.path) != kSettings.end();
    if (is_setting || !parameter.choices.empty()) continue;
    const double first = values[i];
    std::set<double> ends;
    if (parameter.has_range) ends = {parameter.low, parameter.high};
    if (parameter.whole && parameter.has_range) ends = {std::round(parameter.low), std::round(parameter.high)};
    if (!parameter.values.empty()) {
      const auto [least, greatest] = std::minmax_element(parameter.values.begin(), parameter.values.end());
      ends = {*least, *greatest};
    }
    for (const double end : ends) {
      values[i] = end;
      const std::string problem = problem_of_files(values);
      if (end == first || problem.empty()) continue;
      Diagnostics found(settings_.file);
      found.report(
          code::kRange, parameter.place.at,
          quoted(parameter.name) + " cannot be " + number_text(end) + ", so that runs near it may not be built: " + problem);
      problems.append(std::move(found));
    }
    values[i] = first;
  }
}

/// The first problem in reading the files of a run; empty: none.
std::string Points::problem_of_files(const std::vector<double>& values) const {
  Diagnostics problems;
  const auto variant = make_variant(
      scenario_text_, {.scenario = scenario_path_, .root = settings_.build.root, .library = settings_.build.library}, *study_,
      values, problems);
  if (variant) problems.append(autosim::read_world(variant->scenario, scenario_path_).diagnostics);
  for (std::size_t i = 0; variant && i < variant->files.size(); ++i)
    problems.append(autosim::read_robot(variant->files[i].text, variant->files[i].path).diagnostics);
  const auto error = first_error(problems);
  return error == problems.items().end() ? "" : to_text(*error);
}

/// Tries each choice once, with the first values of all other parameters: a missing file is found now, not after an hour.
bool Points::check_choices(Diagnostics& problems) {
  const std::size_t errors = problems.errors();
  std::vector<double> values = values_of(*study_, 0);
  std::size_t checked = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = study_->parameters[i];
    const double first = values[i];
    for (std::size_t choice = 0; choice < parameter.choices.size() && checked < kMaxChecked; ++choice) {
      values[i] = static_cast<double>(choice);
      if (values[i] == first) continue;
      ++checked;
      Diagnostics found;
      if (const auto built = build(values, Purpose::check, found)) {
        note_files(*built);
        continue;
      }
      problems.append(std::move(found));
      problems.report(code::kParameter, parameter.place.at,
                      "parameter " + quoted(parameter.name) + " cannot be " + quoted(parameter.choices[choice]));
    }
    values[i] = first;
  }
  return problems.errors() == errors;
}

bool Points::note_columns(const Built& first, Diagnostics& problems) {
  if (!(first.duration > 0)) {
    problems.report(code::kDesign, study_->place.at,
                    "neither the study nor the scenario says how long to run, expected duration=\"SECONDS\"");
    return false;
  }
  inputs_.push_back({"the program's version", hex64(hash64(SIMBATCH_VERSION))});
  inputs_.push_back({"the physics engine", hex64(hash64(first.scenario.simulation->world().engine()))});
  std::string metrics, expectations = number_text(first.duration);
  for (std::size_t i = 0; i < study_->metrics.size(); ++i) {
    const Study::Metric& metric = study_->metrics[i];
    metrics_.push_back({metric.name, first.metrics->all()[i].unit()});
    metrics += metric.name + " " + number_text(static_cast<int>(metric.kind)) + " " + metric.of + " " + metric.unit + " " +
               number_text(metric.from) + " " + (metric.to ? number_text(*metric.to) : "") + "\n";
  }
  for (const auto& [expectation, monitor, least] : first.scenario.expectations->entries()) {
    margins_.push_back({expectation.name, unit_of(monitor.program())});
    expectations += expectation.name + ": " + expectation.text + "\n";
  }
  inputs_.push_back({"the metrics", hex64(hash64(metrics))});
  inputs_.push_back({"the expectations or the duration", hex64(hash64(expectations))});
  inputs_.push_back({study_->scenario, hex64(hash64(scenario_text_))});
  note_files(first);
  return true;
}

void Points::note_files(const Built& built) {
  for (const scenario::FileDigest& file : built.scenario.inputs) {
    const auto is_it = [&](const Input& input) { return input.name == file.name; };
    if (file.name != built.scenario.name && std::none_of(inputs_.begin(), inputs_.end(), is_it))
      inputs_.push_back({file.name, file.digest});
  }
}

void Points::keep_world_of(const std::vector<double>& values) {
  cache_ = std::make_shared<scenario::BuildCache>();
  Diagnostics problems;  // discarded: if the world cannot be built, its runs report that
  (void)build(values, Purpose::check, problems);
}

std::string Points::file_name() const { return fs::path(settings_.file).filename().string(); }

std::string Points::command(const std::string& scenario, const std::vector<double>& values) const {
  Diagnostics problems;
  const auto built = build(values, Purpose::check, problems);
  std::string command = "simrun " + shell_word(scenario);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (const char* name : {"seed", "dt"})
      if (study_->parameters[i].path == name) command += std::string(" --") + name + " " + number_text(values[i]);
  if (!built) return command;
  return command + " --steps " + number_text(steps_of(built->duration, built->scenario.simulation->settings().physics.dt));
}

std::vector<std::pair<std::string, std::string>> Points::shown(const PointResult& result) const {
  std::vector<std::pair<std::string, std::string>> lines{{"verdict", std::string(to_text(result.verdict))}};
  if (!result.message.empty()) lines.emplace_back("message", result.message);
  lines.emplace_back("steps", number_text(result.steps));
  if (result.state_hash) lines.emplace_back("state hash", hex64(*result.state_hash));
  const auto add = [&](const std::string& name, const PointColumn& column, const std::optional<double>& value) {
    const std::string unit = column.unit.empty() ? "" : " " + column.unit;
    lines.emplace_back(name, !value ? "none" : csv_number(value) + (std::isfinite(*value) ? unit : ""));
  };
  for (std::size_t i = 0; i < metrics_.size(); ++i) add(metrics_[i].name, metrics_[i], result.metrics[i]);
  for (std::size_t i = 0; i < margins_.size(); ++i) add("margin of " + margins_[i].name, margins_[i], result.margins[i]);
  return lines;
}

PointResult Points::finished(const Built& built, const std::vector<expect::Outcome>& outcomes) const {
  PointResult result;
  for (const expect::Metric& metric : built.metrics->all()) result.metrics.push_back(metric.value());
  result.margins.resize(margins_.size());
  result.verdict = RunVerdict::pass;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::string& name = built.scenario.expectations->entries()[i].expectation.name;
    const expect::Outcome& outcome = outcomes[i];
    const auto place =
        std::find_if(margins_.begin(), margins_.end(), [&](const PointColumn& column) { return column.name == name; });
    if (place != margins_.end()) result.margins[static_cast<std::size_t>(place - margins_.begin())] = outcome.margin + 0.0;
    if (outcome.verdict == expect::Verdict::holds || result.verdict == RunVerdict::fail) continue;
    result.verdict = RunVerdict::fail;
    result.message = name + " " + expect::describe(outcome);
  }
  return result;
}

PointResult Points::run(const std::vector<double>& values, const std::string& trace) const {
  PointResult failed;
  failed.metrics.resize(metrics_.size());
  failed.margins.resize(margins_.size());
  try {
    Diagnostics problems(settings_.file);
    auto built = build(values, Purpose::run, problems);
    if (!built) {
      failed.message = "the scenario cannot be built";
      const auto error = first_error(problems);
      if (error != problems.items().end()) failed.message = to_text(*error);
      return failed;
    }
    sim::RunPlan how{steps_of(built->duration, built->scenario.simulation->settings().physics.dt), 1, 0};
    if (!trace.empty()) how.every = std::max<std::int64_t>(1, (how.steps + kMaxRows - 1) / kMaxRows);
    const ExpectedRun made = run_expected(built->scenario, how, {true, trace, [&] { built->metrics->evaluate(); }});
    if (made.writer != nullptr) made.writer->finish(made.end);
    failed.steps = made.end.steps;
    failed.state_hash = made.end.state_hash;
    if (!made.is_complete) {
      failed.message = made.end.message;
      return failed;
    }
    PointResult result = finished(*built, made.outcomes);
    result.steps = made.end.steps;
    result.state_hash = made.end.state_hash;
    return result;
  } catch (const std::exception& error) {
    failed.message = error.what();
    return failed;
  }
}

}  // namespace simbatch::study
