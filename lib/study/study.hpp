#pragma once
/// Studies: one scenario, run many times with different values of some of its attributes (docs/studies.md).

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

/// A parameter that varies between runs.
struct Parameter {
  enum class Scale { linear, log };
  std::string name;  ///< column name in the table; key of its random draws
  /// "Physics/Engine/Friction/@value", "Objects/Robot[@name='car']/Control[2]/@brake"; or, through an attribute that names a
  /// file, inside that file: "Objects/Robot[@name='car']/@file/Parts/Box[1]/Mass/@value"; or .../Include/@robot/...; or one of kSettings
  std::string path;
  std::vector<double> values;             ///< discrete values; empty: low to high. With `choices`: their indices
  std::vector<std::string> choices = {};  ///< texts instead of numbers; empty: numbers
  double low = 0, high = 0;               ///< low <= high; both > 0 on a log scale
  bool has_range = false;                 ///< low and high are given; without a range and values, the values come from a table
  Scale scale = Scale::linear;
  std::int64_t steps = 0;  ///< number of grid points from low to high, both included; 0: none
  bool whole = false;      ///< rounded to whole numbers (always for "seed")
  SourcePlace place, path_place;
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// Special paths that are not attributes: the random seed of the run, its step (s), its duration (s).
inline constexpr std::array<std::string_view, 3> kSettings = {"seed", "dt", "duration"};
/// The text of a value in files and tables; a whole number has no exponent, as --seed reads none.
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
  std::optional<double> duration;  ///< s, > 0; absent: that of the scenario
  std::vector<Parameter> parameters;
  DesignKind design = DesignKind::grid;
  std::int64_t runs = 0;  ///< for all kinds except grid
  struct Expect {
    std::string name, that;
    TextPlaces places;
    friend bool operator==(const Expect&, const Expect&) = default;
  };
  std::vector<Expect> expects;  ///< in addition to those of the scenario
  /// A numeric result of each run, in addition to the margins (lib/expect/metric.hpp).
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
  std::string table;                      ///< for DesignKind::table: path relative to the study's folder
  std::vector<std::vector<double>> rows;  ///< rows of the table, from read_plan(); not read by read_study()
  SourcePlace place, scenario_place, table_place;
  friend bool operator==(const Study&, const Study&) = default;
};

/// Maximum number of runs of a study, and of parameters of a Sobol' design.
inline constexpr std::int64_t kMaxRuns = 10'000'000;
inline constexpr std::size_t kMaxSobolParameters = 13;

/// Reads a study file. Every problem is reported with its position.
Parsed<Study> read_study(std::string_view text, const std::string& file);
/// Reads a study from a file, including Study::rows if its design is a table. A table that cannot be read is reported at the
/// place where the study names it.
/// @throws IoError if the study itself cannot be read
Parsed<Study> load_study(const std::string& file);
/// The text of a study's scenario; empty if it cannot be read, which is reported at the place where the study names it.
/// @param file  path of the study  @param path  receives the scenario's path
std::optional<std::string> read_scenario(const Study& study, const std::string& file, std::string& path, Diagnostics& problems);
/// Gives each parameter that has neither values nor a range the distinct values of its column in the table, in ascending order,
/// for callers that choose values themselves.
void take_values_of_table(Study& study);

/// Number of runs. @pre the study was read without errors
std::int64_t run_count(const Study& study);
/// The values of a run, in the order of the parameters. Depends only on the study and the run: draws are keyed by the study's
/// seed, the parameter's name and the run, so that additional parameters do not change the values of others, and additional
/// runs do not change earlier ones (except in a grid and a Latin hypercube). @param run  0 to run_count() - 1
std::vector<double> values_of(const Study& study, std::int64_t run);
/// The design as CSV (RFC 4180): run, then a column for each parameter.
std::string plan_csv(const Study& study);

/// The scenario's text with these parameter values; "seed" does not occur in it. Paths that do not lead to exactly one
/// attribute are reported at their position in the study file. A parameter whose path leads into another file is reported as
/// well: use make_variant().
std::optional<std::string> edited_scenario(std::string_view scenario, const std::string& scenario_file, const Study& study,
                                           const std::vector<double>& values, Diagnostics& problems);

/// A scenario with parameter values inserted.
struct Variant {
  struct File {
    std::string robot;  ///< name of the robot
    std::string path;   ///< of the variant, in the same folder as the original; of a robot of the library beside the scenario
    std::string text;
  };
  std::string scenario;     ///< text
  std::vector<File> files;  ///< changed files of robots
};
struct VariantFiles {
  std::string scenario;   ///< path of the scenario
  std::string root = {};  ///< folder that the scenario may read; empty: its own
  /// Prefix for the names of changed files, which the scenario then references: with "run17", car.xml becomes run17-1-car.xml.
  /// Empty: names are kept.
  std::string prefix = {};
  std::string library = {};  ///< of robots that `<Include>` names (scenario::BuildOptions::library)
};
/// Inserts the values of all parameters except settings. Reads the files of robots that paths lead into; other references to
/// such a file are not changed.
/// @throws IoError
std::optional<Variant> make_variant(std::string_view scenario, const VariantFiles& files, const Study& study,
                                    const std::vector<double>& values, Diagnostics& problems);

/// Reads a design as written by plan_csv(), possibly edited or created by other programs: one column per parameter, in any
/// order; a column "run" is ignored. Reports problems with line and column.
Parsed<std::vector<std::vector<double>>> read_plan(std::string_view text, const std::string& file, const Study& study);
/// The current values in the files of a scenario and its robots, in the order of the parameters: a number, or the index of a
/// choice. Empty if the file contains any other text, and for "seed", "dt" and "duration". Nothing after problems, which are
/// reported as by make_variant().
std::optional<std::vector<std::optional<double>>> present_values(std::string_view scenario, const VariantFiles& files,
                                                                 const Study& study, Diagnostics& problems);

/// @return the success rate and its 95 % confidence interval (E. B. Wilson, JASA 22, 1927). @pre n > 0
struct Share {
  double share = 0, low = 0, high = 0;
};
Share wilson(std::int64_t successes, std::int64_t n);

/// True if at least this share of n runs passes. @param share  from 0 to 1; empty: all @pre n >= 0
bool enough_pass(std::int64_t pass, std::int64_t n, const std::optional<double>& share);

struct StudyOptions {
  std::string file;    ///< of the study
  std::string folder;  ///< output folder for journals and tables
  scenario::BuildOptions build;
  std::size_t jobs = 1;
  double timeout = 600;                ///< s of wall clock for each run; 0: none
  std::int64_t shard = 1, shards = 1;  ///< this call executes the runs with number modulo `shards` equal to `shard` - 1
  bool fresh = false;                  ///< discard previous results in the folder
  /// End the study with the first run, in numerical order, after which Wilson's interval is this narrow (upper minus lower
  /// end); empty: run all. Independent of the order in which runs complete. Not with shards.
  std::optional<double> until_width = {};
  /// The study ends with the nth run, in numerical order, that does not pass; 0: no such limit. Not with shards.
  std::int64_t max_failures = 0;
  /// The share of runs that must pass, from 0 to 1 (enough_pass()). Empty: all.
  std::optional<double> min_pass = {};
  std::string junit = {};   ///< file for the results as JUnit XML, written with the tables; empty: none
  std::size_t replays = 0;  ///< number of worst runs that the report links to worst/runN.html (StudyResult::replays)
  std::function<bool()> keep_going;
  /// Called after all inputs have been read and before anything is written; return false to run and write nothing.
  std::function<bool()> may_write = {};
  /// @param failing  runs that do not pass
  std::function<void(std::int64_t done, std::int64_t all, std::int64_t failing)> progress;
};

struct StudyResult {
  std::int64_t runs = 0, done = 0, before = 0;  ///< total; completed; completed before this call
  std::int64_t pass = 0, fail = 0, broken = 0;
  bool is_whole = false;                   ///< the tables were written
  bool too_many = false;                   ///< ended by StudyOptions::max_failures
  std::vector<std::int64_t> replays = {};  ///< the runs that the report links
  static constexpr std::size_t kMaxMissing = 10;
  std::vector<std::int64_t> missing = {};  ///< of merge_study(): the first runs that no journal has
};

/// Executes the runs missing in the folder's journals, each in a separate process, and writes results.csv and results.parquet
/// once all runs are complete, with the same bytes for any number of jobs, shards or interruptions. Empty after errors, which
/// are reported.
/// @throws IoError
std::optional<StudyResult> run_study(const Study& study, const StudyOptions& options, Diagnostics& problems);

/// Estimated cost of a study.
struct StudyEstimate {
  std::int64_t runs = 0, known = 0;  ///< runs of the study; runs whose results are already in the folder
  double seconds = 0;                ///< wall clock time of a single run
  double bytes = 0;                  ///< size of a run in the journal and the tables
  std::int64_t trials = 0, failed = 0;
  std::string message;  ///< of a trial that did not pass
};
/// Executes up to kTrials runs, spread over the study, each in a separate process, and writes nothing. Empty after errors,
/// which are reported.
/// @throws IoError
inline constexpr std::int64_t kTrials = 3;
std::optional<StudyEstimate> estimate_study(const Study& study, const StudyOptions& options, Diagnostics& problems);

/// Writes the tables from the journals in these folders, left by shards on machines without a common folder. Runs nothing;
/// writes nothing if a run is missing. Empty after errors, which are reported.
/// @throws IoError
std::optional<StudyResult> merge_study(const Study& study, const StudyOptions& options, const std::vector<std::string>& folders,
                                       Diagnostics& problems);

}  // namespace simbatch::study
