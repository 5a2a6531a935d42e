// Delta debugging (A. Zeller, R. Hildebrandt, Simplifying and isolating failure-inducing input, IEEE TSE 28, 2002): a candidate
// is accepted if it still fails by the same comparison of the same expectation. Candidates are run in small groups of fixed
// size, and the first failing one of a group is accepted, so that the result does not depend on the number of concurrent runs.
//
//   repeat until nothing changes: parameters to their defaults; values rounder; objects out
//   at the end, if wanted, beside the result: fewer steps

#include <algorithm>
#include <cmath>
#include <map>

#include "base/core/number.hpp"
#include "lib/search/search.hpp"
#include "lib/search/space.hpp"

namespace simbatch::search {
namespace {

constexpr std::size_t kGroup = 8;
constexpr int kMaxDigits = 6;

/// The value rounded to a number of significant decimal digits. @param direction  -1 toward zero, 0 nearest, 1 away from zero
double rounded(double value, int digits, int direction) {
  if (value == 0) return 0;
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)))) - (digits - 1);
  const double unit = std::pow(10.0, std::abs(exponent));
  const double scaled = exponent >= 0 ? std::abs(value) / unit : std::abs(value) * unit;
  const double whole = direction < 0 ? std::floor(scaled) : direction > 0 ? std::ceil(scaled) : std::round(scaled);
  return std::copysign(exponent >= 0 ? whole * unit : whole / unit, value);
}

/// Number of significant digits in the decimal notation, without leading and trailing zeros: 0.25 and 1200 have two.
int digits_of(double value) {
  std::string text = number_text(std::abs(value));
  text = text.substr(0, text.find('e'));
  std::erase(text, '.');
  const std::size_t first = text.find_first_not_of('0'), last = text.find_last_not_of('0');
  return first == std::string::npos ? 0 : static_cast<int>(last - first + 1);
}

class Shrinker {
 public:
  Shrinker(const Case& subject, const SearchOptions& options, const SearchResult& result)
      : subject_(subject),
        options_(options),
        space_(subject.study),
        expectation_(result.expectation),
        condition_(result.tried[result.best].trial.margins[expectation_].condition) {
    best_.values = result.tried[result.best].values;
    best_.only = expectation_;
    const Trial& first = result.tried[0].trial;
    default_passes_ = !first.margins.empty() && !first.margins[expectation_].fails;
  }

  Shrunk run() {
    // Without the other expectations the result must be the same.
    if (first_that_fails({best_}) == 0) {
      for (bool changed = true; changed;) {
        changed = restore_defaults();
        changed |= round_values();
        changed |= remove_objects();
      }
    }
    Shrunk shrunk;
    shrunk.values = best_.values;
    for (std::size_t i = 0; i < best_.values.size(); ++i) shrunk.is_default.push_back(best_.values[i] == subject_.defaults[i]);
    shrunk.removed.assign(best_.removed.begin(), best_.removed.end());
    shrunk.fails_at = time_of_failure();
    shrunk.variant = best_;
    shrunk.trial = known_[best_];
    if (options_.shorten) shrunk.shortest = shortest();
    shrunk.runs = runs_;
    return shrunk;
  }

 private:
  bool still_fails(const Trial& trial) const {
    return trial.margins.size() == 1 && trial.margins[0].fails && trial.margins[0].condition == condition_;
  }

  /// Runs unknown variants up to the remaining limit. @return false if stopped by the limit or the user
  bool learn(const std::vector<Variant>& variants) {
    std::vector<Variant> fresh;
    std::vector<study::Variant> scenarios;
    for (const Variant& variant : variants) {
      if (known_.contains(variant) || std::find(fresh.begin(), fresh.end(), variant) != fresh.end()) continue;
      fresh.push_back(variant);
      scenarios.push_back(files_of(subject_, variant).value_or(study::Variant()));
    }
    // The first run is always needed: it is the trial of the result.
    if (has_ended_ || (runs_ > 0 && runs_ + static_cast<std::int64_t>(fresh.size()) > options_.shrink)) has_ended_ = true;
    if (has_ended_) return false;
    const std::vector<Trial> trials = run_trials(subject_, options_.trials, scenarios);
    runs_ += static_cast<std::int64_t>(fresh.size());
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      if (trials[i].end == Trial::End::skipped) has_ended_ = true;
      known_[fresh[i]] = trials[i];
    }
    return !has_ended_;
  }

  /// The first of some variants that still fails; npos: none.
  std::size_t first_that_fails(const std::vector<Variant>& variants) {
    for (std::size_t begin = 0; begin < variants.size(); begin += kGroup) {
      const auto group = variants.begin() + static_cast<std::ptrdiff_t>(begin);
      const std::size_t size = std::min(kGroup, variants.size() - begin);
      if (!learn({group, group + static_cast<std::ptrdiff_t>(size)})) return std::string::npos;
      for (std::size_t i = begin; i < begin + size; ++i)
        if (still_fails(known_.at(variants[i]))) return i;
    }
    return std::string::npos;
  }
  bool take_first(const std::vector<Variant>& variants) {
    const std::size_t found = first_that_fails(variants);
    if (found == std::string::npos) return false;
    best_ = variants[found];
    return true;
  }

  std::vector<std::size_t> moved() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < best_.values.size(); ++i)
      if (best_.values[i] != subject_.defaults[i]) result.push_back(i);
    return result;
  }

  /// Tries all at once, all but one, then one by one.
  bool restore_defaults() {
    const std::vector<std::size_t> away = moved();
    if (away.empty()) return false;
    std::vector<Variant> variants(1, best_);
    variants[0].values = subject_.defaults;
    for (const std::size_t kept : away) {
      if (away.size() < 3) break;
      Variant one = best_;
      one.values = subject_.defaults;
      one.values[kept] = best_.values[kept];
      variants.push_back(std::move(one));
    }
    if (take_first(variants)) return true;
    bool changed = false;
    for (bool again = true; again && moved().size() > 1;) {
      variants.clear();
      for (const std::size_t i : moved()) {
        Variant one = best_;
        one.values[i] = subject_.defaults[i];
        variants.push_back(std::move(one));
      }
      again = take_first(variants);
      changed |= again;
    }
    return changed;
  }

  /// Finds, for each parameter, the smallest number of digits with which the run still fails.
  bool round_values() {
    bool changed = false;
    for (const std::size_t i : moved()) {
      std::vector<Variant> variants;
      const double value = best_.values[i];
      for (int digits = 1; digits < std::min(digits_of(value), kMaxDigits); ++digits)
        for (const int direction : {0, -1, 1}) {
          Variant one = best_;
          one.values[i] = space_.nearest(i, rounded(value, digits, direction));
          const bool is_rounder = digits_of(one.values[i]) <= digits;
          if (is_rounder && std::find(variants.begin(), variants.end(), one) == variants.end())
            variants.push_back(std::move(one));
        }
      changed |= take_first(variants);
    }
    return changed;
  }

  /// True if the run with default parameters has the same verdict without the objects; otherwise their absence causes the
  /// failure.
  bool is_fair(const Variant& variant) {
    Variant plain = variant;
    plain.values = subject_.defaults;
    if (!learn({plain})) return false;
    const Trial& trial = known_.at(plain);
    return trial.margins.size() == 1 && trial.margins[0].fails != default_passes_;
  }

  /// Removes halves, quarters, ... down to single objects.
  bool remove_objects() {
    bool changed = false;
    std::vector<std::string> left;
    for (const std::string& name : subject_.objects)
      if (!best_.removed.contains(name)) left.push_back(name);
    for (std::size_t size = left.size(); size > 0 && !has_ended_; size /= 2) {
      for (std::size_t begin = 0; begin < left.size() && !has_ended_;) {
        const std::size_t end = std::min(begin + size, left.size());
        Variant one = best_;
        one.removed.insert(left.begin() + static_cast<std::ptrdiff_t>(begin), left.begin() + static_cast<std::ptrdiff_t>(end));
        if (first_that_fails({one}) == 0 && is_fair(one)) {
          best_ = one;
          left.erase(left.begin() + static_cast<std::ptrdiff_t>(begin), left.begin() + static_cast<std::ptrdiff_t>(end));
          changed = true;
        } else {
          begin = end;
        }
      }
    }
    return changed;
  }

  /// The value of the parameter with this path (s), or that of the case.
  double setting(std::string_view path, double otherwise) const {
    const auto& parameters = subject_.study.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].path == path) return best_.values[i];
    return otherwise;
  }

  /// Time after which the verdict could no longer change (s).
  double time_of_failure() {
    const Trial& trial = known_[best_];
    const std::int64_t decided = trial.margins.empty() ? -1 : trial.margins[0].decided;
    if (decided < 0) return setting("duration", subject_.duration);
    return std::round(static_cast<double>(decided) * setting("dt", subject_.dt) * 1e9) / 1e9;
  }

  std::optional<Variant> shortest() {
    Variant one = best_;
    one.duration = time_of_failure();
    const bool is_shorter = *one.duration > 0 && *one.duration < setting("duration", subject_.duration);
    if (!is_shorter || first_that_fails({one}) != 0 || !is_fair(one)) return std::nullopt;
    return one;
  }

  const Case& subject_;
  const SearchOptions& options_;
  Space space_;
  std::size_t expectation_;
  Variant best_;
  std::string condition_;
  bool default_passes_ = false, has_ended_ = false;
  std::map<Variant, Trial> known_;
  std::int64_t runs_ = 0;
};

}  // namespace

Shrunk shrink(const Case& subject, const SearchOptions& options, const SearchResult& result) {
  return Shrinker(subject, options, result).run();
}

}  // namespace simbatch::search
