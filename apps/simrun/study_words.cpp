#include "apps/simrun/study_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/core/number.hpp"

namespace simbatch::simrun {
namespace {

std::optional<std::int64_t> environment_number(const char* name) {
  const char* text = std::getenv(name);
  const auto number = parse_integer<std::int64_t>(text == nullptr ? "" : text);
  return number ? std::optional(number.value) : std::nullopt;
}

/// The shard of this task of a Slurm array: its place among the tasks, whatever their numbers are. Steps are the same between
/// all.
std::optional<Shard> slurm_shard() {
  const auto id = environment_number("SLURM_ARRAY_TASK_ID"), count = environment_number("SLURM_ARRAY_TASK_COUNT"),
             low = environment_number("SLURM_ARRAY_TASK_MIN"), step = environment_number("SLURM_ARRAY_TASK_STEP");
  if (!id || !count || !low || *count < 1 || *id < *low) return std::nullopt;
  const std::int64_t every = std::max<std::int64_t>(step.value_or(1), 1), index = (*id - *low) / every + 1;
  if ((*id - *low) % every != 0 || index > *count) return std::nullopt;
  return Shard{index, *count};
}

/// "2.5 h", "12 min", "38 s"
std::string duration_text(double seconds) {
  if (seconds >= 7200) return fmt::format("{:.1f} h", seconds / 3600);
  if (seconds >= 180) return fmt::format("{:.0f} min", seconds / 60);
  return seconds < 99.5 ? fmt::format("{:.2g} s", seconds) : fmt::format("{:.0f} s", seconds);
}

std::string bytes_text(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.1f} GB", bytes / 1e9);
  return bytes >= 1e6 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.0f} kB", bytes / 1e3);
}

}  // namespace

std::optional<Shard> read_shard(std::string_view text) {
  if (text == "slurm") return slurm_shard();
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto index = parse_integer<std::int64_t>(text.substr(0, slash)),
             count = parse_integer<std::int64_t>(text.substr(slash + 1));
  if (!index || !count || index.value < 1 || index.value > count.value || count.value > 1'000'000) return std::nullopt;
  return Shard{index.value, count.value};
}

std::string percent(double share) {
  const double value = 100 * share;
  if (value < 1e-3) return "0";
  // One failure in many runs is not "100 %".
  return value < 100 && value >= 99.995 ? fmt::format("{:.7g}", value) : fmt::format("{:.4g}", value);
}

std::string summary(const study::StudyResult& result) {
  std::string text = fmt::format("{} of {} runs are done ({} were before): {} pass, {} fail, {} broke", result.done,
                                 result.runs, result.before, result.pass, result.fail, result.broken);
  if (result.done > 0) {
    const study::Share share = study::wilson(result.pass, result.done);
    text += fmt::format("; {} % pass (95 %: {} to {} %)", percent(share.share), percent(share.low), percent(share.high));
  }
  return text;
}

std::string estimate_text(const study::StudyEstimate& estimate, const study::StudyOptions& how) {
  const auto left = static_cast<double>(estimate.runs - estimate.known) / static_cast<double>(how.shards);
  std::string text = fmt::format("{} runs, {} of them known\n", estimate.runs, estimate.known);
  text += fmt::format("a run takes {}, all that are left {} with {} jobs{}\n", duration_text(estimate.seconds),
                      duration_text(left * estimate.seconds / static_cast<double>(how.jobs)), how.jobs,
                      how.shards == 1 ? "" : fmt::format(" in each of {} shards", how.shards));
  text += fmt::format("about {} of results", bytes_text(static_cast<double>(estimate.runs) * estimate.bytes));
  text += how.replays > 0 ? fmt::format(", and the replay pages of at most {} failing runs\n", how.replays) : "\n";
  text += fmt::format("{} of {} trial runs do not pass{}\n", estimate.failed, estimate.trials,
                      estimate.failed == 0 ? "" : "; " + estimate.message);
  return text;
}

}  // namespace simbatch::simrun
