#pragma once
/// Studies: one scenario, run many times with other values of some of its attributes (docs/studies.md).

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "lib/expect/metric.hpp"
#include "lib/scenario/build.hpp"

namespace simbatch::study {

/// What varies.
struct Parameter {
  enum class Scale { linear, log };
  std::string name;  ///< column of the table; key of its random draws
  /// "Physics/Engine/Friction/@value", "Objects/Robot[@name='car']/Control[2]/@brake"; through an attribute that names a file into that file:
  /// "Objects/Robot[@name='car']/@file/Parts/Box[1]/Mass/@value"; or one of kSettings
  std::string path;
  std::vector<double> values;             ///< to choose from; empty: low to high. With `choices`: their indices
  std::vector<std::string> choices = {};  ///< texts instead of numbers; empty: numbers
  double low = 0, high = 0;               ///< low <= high; both > 0 on a log scale
  bool has_range = false;                 ///< they are given; without them and without values, a table has the values
  Scale scale = Scale::linear;
  std::int64_t steps = 0;  ///< points between low and high, both included, in a grid; 0: none
  bool whole = false;      ///< rounded to whole numbers (always for "seed")
  SourcePlace place, path_place;
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// Paths that lead to no attribute: the run's random seed, its step in s, its duration in s.
inline constexpr std::array<std::string_view, 3> kSettings = {"seed", "dt", "duration"};
/// What a value is in files and tables.
std::string value_text(const Parameter& parameter, double value);

enum class DesignKind {
  grid,    ///< every combination; the last parameter varies fastest
  random,  ///< independent draws
  latin,   ///< Latin hypercube: each parameter has one value in each of `runs` equal parts of its range
  sobol,   ///< Sobol' sequence with a random digital shift
  table,   ///< Study::rows
};

struct Study {
  std::string name, scenario;  ///< scenario: path relative to the study's folder
  std::uint64_t seed = 1;
  std::optional<double> duration;  ///< s, > 0; absent: the scenario's
  std::vector<Parameter> parameters;
  DesignKind design = DesignKind::grid;
  std::int64_t runs = 0;  ///< of all kinds but grid
  struct Expect {
    std::string name, that;
    TextPlaces places;
    friend bool operator==(const Expect&, const Expect&) = default;
  };
  std::vector<Expect> expects;  ///< besides the scenario's
  /// A number of each run, beside the margins (lib/expect/metric.hpp).
  struct Metric {
    std::string name;
    expect::MetricKind kind = expect::MetricKind::final;
    std::string of, unit;
    double from = 0;
    std::optional<double> to = {};
    TextPlaces places = {};
    friend bool operator==(const Metric&, const Metric&) = default;
  };
  std::vector<Metric> metrics;
  std::string table;                      ///< of that kind: path relative to the study's folder
  std::vector<std::vector<double>> rows;  ///< what the table has (read_plan()), which read_study() does not read
  SourcePlace place;
  friend bool operator==(const Study&, const Study&) = default;
};

/// Most runs of a study, and most parameters of a Sobol' design.
inline constexpr std::int64_t kMostRuns = 10'000'000;
inline constexpr std::size_t kMostSobol = 13;

/// Reads a study file. Every problem is reported with its place.
Parsed<Study> read_study(std::string_view text, const std::string& file);

/// Number of runs. @pre the study was read without errors
std::int64_t run_count(const Study& study);
/// The values of a run, in the order of the parameters. A function of the study and the run alone: a draw is keyed by the study's seed, its
/// parameter's name and the run, so that one parameter more moves no other, and more runs move no earlier one (but those of a grid and a Latin
/// hypercube). @param run  0 to run_count() - 1
std::vector<double> values_of(const Study& study, std::int64_t run);
/// The design as CSV (RFC 4180): run, then a column for each parameter.
std::string plan_csv(const Study& study);

/// The scenario's text with these values in the places of the parameters; "seed" has none. Reports paths that do not lead to one attribute
/// at their places in the study file.
/// A parameter whose path leads into another file is reported as well: use make_variant().
std::optional<std::string> edited_scenario(std::string_view scenario, const std::string& scenario_file, const Study& study,
                                           const std::vector<double>& values, Diagnostics& problems);

/// A scenario with values in the places of the parameters.
struct Variant {
  struct File {
    std::string robot;  ///< whose file it is
    std::string path;   ///< of the variant, beside the original
    std::string text;
  };
  std::string scenario;     ///< text
  std::vector<File> files;  ///< of robots, that had to change as well
};
struct VariantFiles {
  std::string scenario;   ///< path of the scenario
  std::string root = {};  ///< folder that it may read; empty: its own
  /// Of the names of changed files, which the scenario then has: "run17" makes run17-1-car.xml of car.xml. Empty: the scenario keeps the names.
  std::string prefix = {};
};
/// Puts values at the places of all parameters but settings. The file of a robot that a path leads into is read; what else names that file is
/// not changed.
/// @throws IoError
std::optional<Variant> make_variant(std::string_view scenario, const VariantFiles& files, const Study& study,
                                    const std::vector<double>& values, Diagnostics& problems);

/// The design as plan_csv() writes it, perhaps edited or made elsewhere: a column for each parameter, in any order; "run" may be there, and does
/// not count. Reports what is wrong, with line and column.
Parsed<std::vector<std::vector<double>>> read_plan(std::string_view text, const std::string& file, const Study& study);
/// The numbers that a scenario has in the places of the parameters; none for "seed", and where there is no number. Empty after errors, which are reported as
/// edited_scenario() does it.
std::optional<std::vector<std::optional<double>>> present_values(std::string_view scenario, const std::string& scenario_file,
                                                                 const Study& study, Diagnostics& problems);

/// @return the share of successes and its 95 % interval (E. B. Wilson, JASA 22, 1927). @pre n > 0
struct Share {
  double share = 0, low = 0, high = 0;
};
Share wilson(std::int64_t successes, std::int64_t n);

struct StudyOptions {
  std::string file;    ///< of the study
  std::string folder;  ///< for the journals and tables
  scenario::BuildOptions build;
  std::size_t jobs = 1;
  double timeout = 600;                ///< s of wall clock for each run; 0: none
  std::int64_t shard = 1, shards = 1;  ///< this call does the runs whose number leaves `shard` - 1 when divided by `shards`
  bool fresh = false;                  ///< forget what the folder has
  /// The study ends with the first run, counted from 0, after which Wilson's interval is this narrow (upper minus lower end); empty: with the last.
  /// What that is depends on no order in which runs end. Not with shards.
  std::optional<double> until_width = {};
  std::function<bool()> go_on;
  std::function<void(std::int64_t done, std::int64_t all)> progress;
};

struct StudyResult {
  std::int64_t runs = 0, done = 0, before = 0;  ///< of the study; known now; of them known before this call
  std::int64_t pass = 0, fail = 0, broken = 0;
  bool is_whole = false;  ///< the tables were written
  static constexpr std::size_t kMostMissing = 10;
  std::vector<std::int64_t> missing = {};  ///< of merge_study(): the first runs that no journal has
};

/// Runs what the folder's journals do not have yet, each in a process of its own, and writes results.csv and results.parquet when all runs are known:
/// the same bytes whatever the number of jobs, shards or interruptions. Empty after errors, which are reported.
/// @throws IoError
std::optional<StudyResult> run_study(const Study& study, const StudyOptions& options, Diagnostics& problems);

/// Writes the tables from the journals in these folders, which shards have left on machines that share none. Runs nothing; writes nothing if a run
/// is missing. Empty after errors, which are reported.
/// @throws IoError
std::optional<StudyResult> merge_study(const Study& study, const StudyOptions& options, const std::vector<std::string>& folders,
                                       Diagnostics& problems);

}  // namespace simbatch::study
