#pragma once
/// The search for the run that fails: least margin of an expectation over a study's parameters, then the simplest scenario that still fails
/// (docs/search.md).

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
  std::int64_t runs = 200;    ///< most runs of the search, >= 1
  bool first = false;         ///< ends with the batch in which the first run failed
  std::string expectation;    ///< name; empty: whichever of all has the least margin
  std::int64_t shrink = 200;  ///< most runs of shrinking
  /// @param least  the least margin so far, as a text with its unit; empty: none
  std::function<void(std::int64_t done, std::int64_t all, const std::string& least)> progress = {};
};

/// A run of a search.
struct Tried {
  std::vector<double> values;  ///< of the parameters
  Trial trial;
};

struct SearchResult {
  std::vector<Tried>
      tried;             ///< in order; the first has the scenario's own values, or those of the study that are nearest to them
  std::size_t best = 0;  ///< index of the least margin; of equal ones the first
  std::size_t expectation = 0;  ///< whose margin that is
  std::int64_t failing = 0, broken = 0;
  std::optional<std::size_t> first_failing;
  bool was_interrupted = false;
  bool is_exhaustive = false;  ///< every combination of values was tried
  bool fails() const { return failing > 0; }
};

/// Reports if no expectation of the case has this name; empty means all.
void check_expectation(const Case& subject, const std::string& name, Diagnostics& problems);

/// Minimizes. The result depends on the study, the options' method, seed and runs, and the files, but not on the number of jobs.
/// @throws IoError if the system has no process left
SearchResult run_search(const Case& subject, const SearchOptions& options);

/// Warns of runs that broke, with one of them for an example.
void report_broken(const Case& subject, const SearchResult& result, Diagnostics& problems);

/// The parameters' values as a person reads them: "friction = 0.3; as in the scenario: brake, noise".
std::string describe(const Case& subject, const std::vector<double>& values);

/// The simplest failing scenario that shrinking has found.
struct Shrunk {
  std::vector<double> values;        ///< of the parameters
  std::vector<bool> is_default;      ///< by parameter: it has the value of the first run
  std::vector<std::string> removed;  ///< names of objects that the failure does not need
  double duration = 0;               ///< s
  std::string text;                  ///< of the scenario, which has the one expectation
  Trial trial;
  std::int64_t runs = 0;  ///< that shrinking took
};

/// Makes a failing run simpler, for as long as the same comparison of the same expectation fails: parameters go back to their defaults, values become round,
/// objects and steps are left out. An object is left out only if without it the run with default parameters still does what it did.
/// @pre result.fails()
Shrunk shrink(const Case& subject, const SearchOptions& options, const SearchResult& result);

}  // namespace simbatch::search
