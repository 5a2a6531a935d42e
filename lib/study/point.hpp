#pragma once
/// One run of a study: the scenario with these values of its parameters, run to its end, and what came of it.
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

#include "lib/scenario/build_cache.hpp"
#include "lib/study/study.hpp"

namespace simbatch::study {

enum class RunVerdict : std::uint8_t {
  pass,     ///< all expectations hold
  fail,     ///< one does not
  error,    ///< the scenario could not be built with these values, or its run failed
  crash,    ///< its process was killed
  timeout,  ///< it took too long by the wall clock
};
std::string_view to_text(RunVerdict verdict);

/// What came of a run.
struct PointResult {
  RunVerdict verdict = RunVerdict::error;
  std::string message;  ///< of all but pass: the first expectation that does not hold, or why there is no result
  std::int64_t steps = 0;
  std::optional<std::uint64_t> state_hash;     ///< empty: there was no first step
  std::vector<std::optional<double>> metrics;  ///< in the order of Points::metrics(); empty: has no value
  std::vector<std::optional<double>>
      margins;  ///< in the order of Points::margins(); infinite where an event decides; empty: no result
};

/// A number that each run has.
struct PointColumn {
  std::string name;
  std::string unit;  ///< empty: none, or unknown
};

struct PointSettings {
  std::string file;                   ///< of the study; the scenario is relative to its folder
  scenario::BuildOptions build = {};  ///< text, robot_texts, seed, dt and cache are the runs'
};

/// A study whose runs can be made, in any order and in any process.
class Points {
 public:
  /// Reads the scenario and builds the first run, without running or loading programs, so that names, units and paths are checked before any run; and
  /// one run for each choice of each parameter (at most kMostChecked of them). Reports everything that is wrong.
  /// @throws IoError
  static std::optional<Points> prepare(const Study& study, PointSettings settings, Diagnostics& problems);
  static constexpr std::size_t kMostChecked = 64;

  /// Builds and runs it here, in this process. Never throws: what goes wrong is in the result.
  /// @param values  of all parameters, in their order
  PointResult run(const std::vector<double>& values) const;

  /// The command that runs it, once its scenario is in this file (Variant). Seed, step and duration are options of it.
  std::string command(const std::string& scenario, const std::vector<double>& values) const;
  /// A result as names and texts, with units; of all columns.
  std::vector<std::pair<std::string, std::string>> shown(const PointResult& result) const;

  /// Of the study, without its folder.
  std::string file_name() const;
  const std::vector<PointColumn>& metrics() const { return metrics_; }
  const std::vector<PointColumn>& margins() const { return margins_; }
  /// What decides the results but the values: version, engine, metrics, expectations, and every file by its name; with a digest of each.
  struct Input {
    std::string name, digest;
    friend bool operator==(const Input&, const Input&) = default;
  };
  const std::vector<Input>& inputs() const { return inputs_; }

  /// From here on runs use what building this one leaves behind (a town, the trees over its meshes), also in processes that are forked later.
  void keep_world_of(const std::vector<double>& values);

 private:
  explicit Points(const Study& study, PointSettings settings) : study_(&study), settings_(std::move(settings)) {}
  struct Built;
  enum class Purpose { check, run };  // a check loads no program into this process
  std::optional<Built> build(const std::vector<double>& values, Purpose purpose, Diagnostics& problems) const;
  bool check_choices(Diagnostics& problems);
  bool note_columns(const Built& first, Diagnostics& problems);
  void note_files(const Built& built);
  PointResult finished(const Built& built) const;

  const Study* study_;
  PointSettings settings_;
  std::string scenario_path_, scenario_text_;
  std::vector<PointColumn> metrics_, margins_;
  std::vector<Input> inputs_;
  std::shared_ptr<scenario::BuildCache> cache_;
};

}  // namespace simbatch::study
