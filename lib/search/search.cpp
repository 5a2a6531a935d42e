// The main loop: the optimizer proposes points, new parameter values among them are run, and the margins are combined to one
// objective.
//
// With several expectations the objective is the least of their margins, each divided by the median of its magnitude over the
// first runs, since meters and radians cannot be compared.

#include "lib/search/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/core/number.hpp"
#include "lib/search/space.hpp"

namespace simbatch::search {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// A search ends after this many consecutive batches without new values.
constexpr int kMaxStale = 200;
/// Batch size of an exhaustive search, after which --first is checked. Fixed, so that results do not depend on the number of
/// jobs.
constexpr std::size_t kExhaustiveBatch = 32;

class Search {
 public:
  Search(const Case& subject, const SearchOptions& options) : subject_(subject), options_(options), space_(subject.study) {
    for (std::size_t i = 0; i < subject.expectations.size(); ++i)
      if (options.expectation.empty() || subject.expectations[i].name == options.expectation) wanted_.push_back(i);
  }

  SearchResult run() {
    run_new({subject_.defaults});
    const std::int64_t combinations = space_.combinations(options_.runs);
    if (combinations > 0)
      try_all(combinations);
    else
      optimize();
    summarize();
    return std::move(result_);
  }

 private:
  bool keep_going() const {
    return !result_.was_interrupted && done() < options_.runs && !(options_.first && result_.first_failing);
  }
  std::int64_t done() const { return static_cast<std::int64_t>(result_.tried.size()); }

  void try_all(std::int64_t combinations) {
    result_.is_exhaustive = true;
    for (std::int64_t next = 0; next < combinations && keep_going();) {
      std::vector<std::vector<double>> batch;
      for (; next < combinations && batch.size() < kExhaustiveBatch; ++next) batch.push_back(space_.combination(next));
      run_new(batch);
    }
  }

  void optimize() {
    std::vector<std::int64_t> levels;
    for (std::size_t i = 0; i < space_.size(); ++i) levels.push_back(space_.levels(i));
    const auto optimizer = optimize::make_optimizer(options_.method, std::move(levels), options_.seed);
    for (int stale = 0; keep_going() && !is_least() && stale < kMaxStale;) {
      std::vector<std::vector<double>> batch;
      std::vector<Point> points;
      for (const Point& point : optimizer->ask()) {
        batch.push_back(space_.values(point));
        points.push_back(space_.point(batch.back()));
      }
      stale = run_new(batch) ? 0 : stale + 1;
      if (!keep_going()) return;
      set_scales();
      std::vector<double> values;
      for (const auto& one : batch) values.push_back(objective(result_.tried[known_.at(one)].trial));
      optimizer->tell(points, values);
    }
  }

  /// Runs values that were not run before, within the remaining number of runs. @return true if there were any
  bool run_new(const std::vector<std::vector<double>>& batch) {
    std::vector<std::vector<double>> fresh;
    for (const auto& values : batch) {
      if (known_.contains(values) || done() + static_cast<std::int64_t>(fresh.size()) >= options_.runs) continue;
      known_.emplace(values, result_.tried.size() + fresh.size());
      fresh.push_back(values);
    }
    if (fresh.empty()) return false;
    std::vector<study::Variant> scenarios;
    for (const auto& values : fresh) scenarios.push_back(files_of(subject_, {values}).value_or(study::Variant()));
    const std::vector<Trial> trials = run_trials(subject_, options_.trials, scenarios);
    for (std::size_t i = 0; i < fresh.size(); ++i) add(fresh[i], trials[i]);
    if (options_.progress) options_.progress(done(), options_.runs, least_text());
    return true;
  }

  void add(const std::vector<double>& values, const Trial& trial) {
    if (trial.end == Trial::End::skipped) {
      result_.was_interrupted = true;
      return;
    }
    if (fails(trial)) {
      ++result_.failing;
      if (!result_.first_failing) result_.first_failing = result_.tried.size();
    }
    if (trial.end == Trial::End::broken) ++result_.broken;
    result_.tried.push_back({values, trial});
  }

  bool fails(const Trial& trial) const {
    return !trial.margins.empty() &&
           std::any_of(wanted_.begin(), wanted_.end(), [&](std::size_t i) { return trial.margins[i].fails; });
  }

  double scaled(const Trial& trial, std::size_t i) const {
    return trial.margins[i].margin / (scales_.empty() ? 1 : scales_[i]);
  }
  /// The expectation with the least margin. @pre the trial is not broken
  std::size_t worst(const Trial& trial) const {
    return *std::min_element(wanted_.begin(), wanted_.end(), [&](std::size_t a, std::size_t b) {
      const double x = scaled(trial, a), y = scaled(trial, b);
      return x < y || (x == y && trial.margins[a].fails && !trial.margins[b].fails);
    });
  }
  double objective(const Trial& trial) const { return trial.margins.empty() ? kInfinity : scaled(trial, worst(trial)); }

  /// True if an event has failed, which is the smallest possible margin.
  bool is_least() const {
    return std::any_of(result_.tried.begin(), result_.tried.end(),
                       [&](const Tried& one) { return fails(one.trial) && objective(one.trial) == -kInfinity; });
  }

  void set_scales() {
    if (!scales_.empty() || wanted_.size() < 2) return;
    scales_.assign(subject_.expectations.size(), 1);
    for (const std::size_t i : wanted_) {
      std::vector<double> sizes;
      for (const Tried& one : result_.tried)
        if (!one.trial.margins.empty() && std::isfinite(one.trial.margins[i].margin))
          sizes.push_back(std::abs(one.trial.margins[i].margin));
      if (sizes.empty()) continue;
      std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2), sizes.end());
      if (const double median = sizes[sizes.size() / 2]; median > 0) scales_[i] = median;
    }
  }

  std::size_t best() const {
    std::size_t found = 0;
    for (std::size_t i = 1; i < result_.tried.size(); ++i) {
      const Trial &a = result_.tried[i].trial, &b = result_.tried[found].trial;
      const double x = objective(a), y = objective(b);
      if (x < y || (x == y && fails(a) && !fails(b))) found = i;
    }
    return found;
  }

  std::string least_text() const {
    const Trial& trial = result_.tried.empty() ? Trial() : result_.tried[best()].trial;
    if (trial.margins.empty()) return {};
    const std::size_t i = worst(trial);
    if (!std::isfinite(trial.margins[i].margin)) return trial.margins[i].fails ? "fails" : "holds";
    const std::string& unit = trial.margins[i].unit;
    return rounded_text(trial.margins[i].margin, 4) + (unit.empty() ? "" : " " + unit);
  }

  void summarize() {
    if (result_.tried.empty()) return;
    result_.best = best();
    const Trial& trial = result_.tried[result_.best].trial;
    // Prefers a failing run even if a scaled margin of another expectation is smaller.
    if (!fails(trial) && result_.first_failing) result_.best = *result_.first_failing;
    const Trial& found = result_.tried[result_.best].trial;
    if (!found.margins.empty()) result_.expectation = worst(found);
    if (fails(found) && !found.margins[result_.expectation].fails)
      result_.expectation =
          *std::find_if(wanted_.begin(), wanted_.end(), [&](std::size_t i) { return found.margins[i].fails; });
  }

  const Case& subject_;
  const SearchOptions& options_;
  Space space_;
  SearchResult result_;
  std::map<std::vector<double>, std::size_t> known_;  // values -> index in result_.tried
  std::vector<std::size_t> wanted_;                   // expectations
  std::vector<double> scales_;                        // by expectation; empty: 1
};

}  // namespace

SearchResult run_search(const Case& subject, const SearchOptions& options) { return Search(subject, options).run(); }

}  // namespace simbatch::search
