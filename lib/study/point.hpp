#pragma once
/// Single runs of a study: the scenario with given parameter values, run to its end, and the result.
///
///   auto points = Points::prepare(study, {"brake.study.xml", {}}, problems);
///   PointResult result = points->run({0.4, 0.9, 17});     // verdict, margins, metrics

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/expect/monitor.hpp"
#include "lib/scenario/build_cache.hpp"
#include "lib/study/study.hpp"

namespace simbatch::study {

enum class RunVerdict : std::uint8_t {
  pass,     ///< all expectations hold
  fail,     ///< at least one is violated
  error,    ///< the scenario could not be built with these values, or its run failed
  crash,    ///< its process was killed
  timeout,  ///< it exceeded the wall clock limit
};
std::string_view to_text(RunVerdict verdict);

/// Result of a run.
struct PointResult {
  RunVerdict verdict = RunVerdict::error;
  std::string message;  ///< unless passed: the first violated expectation, or the reason why there is no result
  std::int64_t steps = 0;
  std::optional<std::uint64_t> state_hash;     ///< empty: no step was made
  std::vector<std::optional<double>> metrics;  ///< in the order of Points::metrics(); empty: no value
  std::vector<std::optional<double>>
      margins;  ///< in the order of Points::margins(); infinite if an event decides; empty: no result
};

/// A numeric result column.
struct PointColumn {
  std::string name;
  std::string unit;  ///< empty: none, or unknown
};

struct PointSettings {
  std::string file;                   ///< of the study; the scenario is relative to its folder
  scenario::BuildOptions build = {};  ///< text, robot_texts, seed, dt and cache are set per run
};

/// A prepared study, whose runs can be executed in any order and in any process.
class Points {
 public:
  /// Reads the scenario and builds the first run, without running or loading programs, to check names, units and paths before
  /// any run; and one run for each choice of each parameter (at most kMaxChecked of them). Reports all problems.
  /// @throws IoError
  static std::optional<Points> prepare(const Study& study, PointSettings settings, Diagnostics& problems);
  static constexpr std::size_t kMaxChecked = 64;

  /// Builds and runs the scenario in this process. Never throws: problems are part of the result.
  /// @param values  of all parameters, in their order
  /// @param trace  file for a JSON trace of it, of at most kMaxRows rows; empty: none
  PointResult run(const std::vector<double>& values, const std::string& trace = {}) const;
  static constexpr std::int64_t kMaxRows = 2000;
  /// How the run's scenario, scenario_path(), is built. Empty after problems, which are reported.
  std::optional<scenario::BuildOptions> build_options(const std::vector<double>& values, Diagnostics& problems) const;
  const std::string& scenario_path() const { return scenario_path_; }

  /// The command line that repeats the run with its scenario stored in this file (Variant). Seed, step and duration become
  /// options.
  std::string command(const std::string& scenario, const std::vector<double>& values) const;
  /// All columns of a result as names and texts with units.
  std::vector<std::pair<std::string, std::string>> shown(const PointResult& result) const;

  /// Name of the study file, without its folder.
  std::string file_name() const;
  const std::vector<PointColumn>& metrics() const { return metrics_; }
  const std::vector<PointColumn>& margins() const { return margins_; }
  /// An input of the results other than the values, with its digest: version, engine, metrics, expectations, and every file by
  /// name.
  struct Input {
    std::string name, digest;
    friend bool operator==(const Input&, const Input&) = default;
  };
  const std::vector<Input>& inputs() const { return inputs_; }

  /// Builds this run's world and keeps what it cached (a town, the collision trees of its meshes) for all later runs, including
  /// those in forked processes.
  void keep_world_of(const std::vector<double>& values);

 private:
  explicit Points(const Study& study, PointSettings settings) : study_(&study), settings_(std::move(settings)) {}
  struct Built;
  enum class Purpose { check, run };  // a check loads no program into this process
  std::optional<Built> build(const std::vector<double>& values, Purpose purpose, Diagnostics& problems) const;
  bool check_choices(Diagnostics& problems);
  void check_ends(Diagnostics& problems) const;
  std::string problem_of_files(const std::vector<double>& values) const;
  bool note_columns(const Built& first, Diagnostics& problems);
  void note_files(const Built& built);
  PointResult finished(const Built& built, const std::vector<expect::Outcome>& outcomes) const;

  const Study* study_;
  PointSettings settings_;
  std::string scenario_path_, scenario_text_;
  std::vector<PointColumn> metrics_, margins_;
  std::vector<Input> inputs_;
  std::shared_ptr<scenario::BuildCache> cache_;
};

}  // namespace simbatch::study
