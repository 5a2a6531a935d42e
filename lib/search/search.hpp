#pragma once
/// Search for failing runs: minimizes the margin of an expectation over a study's parameters, then simplifies the scenario
/// while it still fails (docs/search.md).

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/optimize/optimizer.hpp"
#include "lib/search/trial.hpp"
#include "lib/study/study.hpp"

namespace simbatch::search {

struct SearchOptions {
  TrialOptions trials;
  optimize::Method method = optimize::Method::bayes;
  std::uint64_t seed = 1;
  std::int64_t runs = 200;    ///< maximum number of runs of the search, >= 1
  bool first = false;         ///< end after the batch with the first failing run
  std::string expectation;    ///< name; empty: the one with the least margin
  std::int64_t shrink = 200;  ///< maximum number of runs of shrinking
  bool shorten = false;       ///< also look for the shortest run that fails (Shrunk::shortest); takes up to two more runs
  /// @param least  the least margin so far, as text with unit; empty: none
  std::function<void(std::int64_t done, std::int64_t all, const std::string& least)> progress = {};
};

/// A run of a search.
struct Tried {
  std::vector<double> values;  ///< of the parameters
  Trial trial;
};

struct SearchResult {
  std::vector<Tried> tried;     ///< in order; the first has the values of the scenario, or the nearest that the study allows
  std::size_t best = 0;         ///< index of the run with the least margin, the first of several
  std::size_t expectation = 0;  ///< the expectation with that margin
  std::int64_t failing = 0, broken = 0;
  std::optional<std::size_t> first_failing;
  bool was_interrupted = false;
  bool is_exhaustive = false;  ///< all combinations of values were tried
  bool fails() const { return failing > 0; }
};

/// Reports an error if no expectation of the case has this name; empty means all.
void check_expectation(const Case& subject, const std::string& name, Diagnostics& problems);

/// Minimizes the margin. The result depends on the study, its files, and method, seed and runs of the options, but not on the
/// number of jobs.
/// @throws IoError if no process can be created
SearchResult run_search(const Case& subject, const SearchOptions& options);

/// Warns about broken runs, with one of them as an example.
void report_broken(const Case& subject, const SearchResult& result, Diagnostics& problems);

/// The parameter values in readable form: "friction = 0.3; as in the scenario: brake, noise".
std::string describe(const Case& subject, const std::vector<double>& values);

/// The simplest failing scenario found by shrinking.
struct Shrunk {
  std::vector<double> values;        ///< of the parameters
  std::vector<bool> is_default;      ///< by parameter: true if it has the value of the first run
  std::vector<std::string> removed;  ///< names of objects that the failure does not need
  double fails_at = 0;               ///< s, when the failure has become certain; the variant runs on
  Variant variant;                   ///< of the scenario, with the one expectation
  /// The same scenario with no more steps than the failure takes, for inspection only: as a test it would pass after any change
  /// that merely delays the failure. Empty if SearchOptions::shorten is false, the failure takes the whole run, or the shorter
  /// run does not fail in the same way.
  std::optional<Variant> shortest = {};
  Trial trial;
  std::int64_t runs = 0;  ///< used for shrinking
};

/// Simplifies a failing run while the same comparison of the same expectation fails: resets parameters to their defaults,
/// rounds values, removes objects. The run keeps its length, because the scenario serves as a test, and later changes may only
/// delay the failure. An object is removed only if the run with default parameters has the same verdict without it.
/// @pre result.fails()
Shrunk shrink(const Case& subject, const SearchOptions& options, const SearchResult& result);

}  // namespace simbatch::search
