#pragma once
/// Runs variants of a scenario, each in a separate process, and evaluates their expectations.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lib/scenario/build_cache.hpp"
#include "lib/study/study.hpp"

namespace simbatch::search {

struct TrialOptions {
  std::string file;  ///< of the study
  scenario::BuildOptions build = {};
  std::size_t jobs = 1;
  double timeout = 600;  ///< s of wall clock for each run; 0: none
  std::function<bool()> keep_going = {};
  bool needs_expectations = true;  ///< make_case() refuses a case that expects nothing
};

/// The subject of a search: a checked study and its scenario.
struct Case {
  study::Study study;
  std::string scenario_path, scenario_text;
  std::string root;                                  ///< folder that the scenario may read; empty: its own
  std::string library = {};                          ///< scenario::BuildOptions::library
  std::shared_ptr<scenario::BuildCache> cache = {};  ///< what all runs have in common, loaded before the first
  double duration = 0;                               ///< s
  double dt = 0;                                     ///< s
  struct Expectation {
    std::string name, that;
  };
  std::vector<Expectation> expectations;  ///< those of the scenario, then those of the study
  std::vector<double> defaults;           ///< parameter values of the scenario, or the nearest that the study allows
  std::vector<std::string> objects;       ///< names
};

/// Reads the study's scenario and builds it with default values, so that paths, names and units are checked before any search.
/// Empty after errors, which are reported.
/// @throws IoError
std::optional<Case> make_case(const study::Study& study, const TrialOptions& options, Diagnostics& problems);

/// A variant of the case's scenario.
struct Variant {
  std::vector<double> values;            ///< of the parameters
  std::set<std::string> removed = {};    ///< names of objects
  std::optional<double> duration = {};   ///< s; overrides that of the case
  std::optional<std::size_t> only = {};  ///< the only expectation to keep
  friend auto operator<=>(const Variant&, const Variant&) = default;
};
/// The variant's scenario as a standalone text, to be run in the folder of the case's scenario, and the changed files of
/// robots. Empty if a parameter's value cannot be inserted. @param prefix  study::VariantFiles::prefix
std::optional<study::Variant> files_of(const Case& subject, const Variant& variant, const std::string& prefix = {});

/// Result of an expectation.
struct Margin {
  double margin = 0;  ///< in `unit`; infinite if an event decides
  std::string unit;
  bool fails = false;
  std::int64_t decided = -1;  ///< step after which it could no longer change; -1: decided by the end of the run
  std::string condition;      ///< the deciding comparison
  std::string text;           ///< expect::describe()
};

struct Trial {
  enum class End { passed, failed, broken, skipped };
  End end = End::skipped;
  std::string problem;          ///< of a broken trial, on one line
  std::vector<Margin> margins;  ///< by expectation; empty if broken
  std::int64_t steps = 0;
  std::uint64_t state_hash = 0;
};

/// Runs scenarios given as texts (files_of() without a prefix). @return in their order; skipped ones were not run, or ended by
/// `keep_going`
/// @throws IoError
std::vector<Trial> run_trials(const Case& subject, const TrialOptions& options, const std::vector<study::Variant>& scenarios);

}  // namespace simbatch::search
