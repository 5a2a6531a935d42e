// The parent loads everything that the runs share; each run is executed in a forked child, which sends its row as text. The
// parent appends it to the journal of its shard and flushes, so that a killed study loses no finished run. Rows do not depend
// on when or where they were computed; the table is all rows sorted by number.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/process/pool.hpp"
#include "lib/study/journal.hpp"
#include "lib/study/study.hpp"
#include "lib/study/table.hpp"

namespace simbatch::study {
namespace fs = std::filesystem;
namespace {

using detail::Rows;

std::string journal_name(const StudyOptions& options) {
  return options.shards == 1 ? "journal.csv" : fmt::format("journal-{}-of-{}.csv", options.shard, options.shards);
}

/// The row sent by a child, or how it ended.
std::string end_of(const PoolResult& ended, const StudyOptions& options, const Points& points) {
  PointResult result;
  result.metrics.resize(points.metrics().size());
  result.margins.resize(points.margins().size());
  if (ended.end == PoolResult::End::out_of_time) {
    result.verdict = RunVerdict::timeout;
    result.message = "no end after " + number_text(options.timeout) + " s of wall clock";
    return detail::row_end(result);
  }
  if (!ended.process.by_signal && ended.process.value == 0 && !ended.bytes.empty()) return ended.bytes;
  result.verdict = RunVerdict::crash;
  result.message = "the process " + ended.process.text();
  return detail::row_end(result);
}

/// Runs grouped by world: those with the same choices for the scenario's ground (a map's folder). Numbers also change a world,
/// but nothing in it that is worth caching.
using Groups = std::map<std::vector<double>, std::vector<std::int64_t>>;

Groups grouped(const Study& study, const std::vector<std::int64_t>& runs) {
  constexpr std::string_view kGround = "Terrain/";
  Groups groups;
  for (const std::int64_t run : runs) {
    const std::vector<double> values = values_of(study, run);
    std::vector<double> key;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!study.parameters[i].choices.empty() && study.parameters[i].path.starts_with(kGround)) key.push_back(values[i]);
    groups[key].push_back(run);
  }
  return groups;
}

/// Stopping rule, applied in the order of run numbers: the first run after which the interval is narrow enough, or too many runs
/// have failed.
class Ending {
 public:
  Ending(const Study& study, const StudyOptions& options)
      : study_(study), width_(options.until_width), most_(options.max_failures), runs_(run_count(study)) {}
  /// Evaluates the rows that are known so far. @return true once the end is known and all runs before it are done
  bool reached(const Rows& rows) {
    if (!width_ && most_ == 0) return false;
    for (auto row = rows.find(seen_); !is_known_ && row != rows.end() && row->first == seen_; ++row) {
      ++seen_;
      pass_ += detail::verdict_of(row->second.text, study_) == RunVerdict::pass;
      const Share share = wilson(pass_, seen_);
      too_many_ = most_ > 0 && seen_ - pass_ >= most_;
      is_known_ = too_many_ || (width_ && share.high - share.low <= *width_);
      if (is_known_) runs_ = seen_;
    }
    return is_known_;
  }
  std::int64_t runs() const { return runs_; }
  bool too_many() const { return too_many_; }

 private:
  const Study& study_;
  std::optional<double> width_;
  std::int64_t most_, runs_, seen_ = 0, pass_ = 0;
  bool is_known_ = false, too_many_ = false;
};

/// Executes the missing runs. @return false if interrupted
bool make_runs(const Study& study, const StudyOptions& options, Points& points, const std::vector<std::int64_t>& todo,
               const std::string& head, Rows& rows, Ending& ending) {
  std::int64_t failing = 0;
  for (const auto& [run, row] : rows) failing += detail::verdict_of(row.text, study) != RunVerdict::pass;
  detail::Journal journal((fs::path(options.folder) / journal_name(options)).string(), head);
  PoolLimits limits;
  limits.parallel = options.jobs;
  if (options.timeout > 0) limits.seconds = options.timeout;
  limits.keep_going = options.keep_going;
  for (const auto& group : grouped(study, todo)) {
    const auto& runs = group.second;
    points.keep_world_of(values_of(study, runs.front()));
    const bool all = run_pool(
        runs.size(), limits,
        [&](std::size_t job, const PoolOutput& output) {
          output.send(detail::row_end(points.run(values_of(study, runs[job]))));
          return 0;
        },
        [&](PoolResult&& ended) {
          const std::int64_t run = runs[ended.job];
          const detail::JournalRow row{detail::whole_row(study, run, end_of(ended, options, points)),
                                       std::round(ended.seconds * 1000) / 1000};
          journal.append(detail::journal_line(row));
          failing += detail::verdict_of(row.text, study) != RunVerdict::pass;
          rows.emplace(run, row);
          if (options.progress) options.progress(static_cast<std::int64_t>(rows.size()), run_count(study), failing);
          return !ending.reached(rows);
        });
    if (!all) return false;
  }
  return true;
}

StudyResult counted(const Study& study, const Rows& rows, std::int64_t runs) {
  StudyResult result;
  result.runs = runs;
  result.done = static_cast<std::int64_t>(rows.size());
  for (const auto& [run, row] : rows) {
    const RunVerdict verdict = detail::verdict_of(row.text, study);
    ++(verdict == RunVerdict::pass ? result.pass : verdict == RunVerdict::fail ? result.fail : result.broken);
  }
  result.is_whole = result.done == result.runs;
  return result;
}

void make_results_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError(folder, "cannot make the folder: " + error.message());
}

PointSettings settings_of(const StudyOptions& options) { return {options.file, options.build}; }

}  // namespace

std::optional<StudyResult> run_study(const Study& study, const StudyOptions& options, Diagnostics& problems) {
  auto points = Points::prepare(study, settings_of(options), problems);
  if (!points || (options.may_write && !options.may_write())) return std::nullopt;
  make_results_folder(options.folder);
  const std::string head = detail::journal_head(study, *points);
  if (options.fresh) detail::remove_journals(options.folder);
  Rows rows;
  if (!detail::read_journals(options.folder, head, study, *points, rows, problems)) return std::nullopt;
  const std::size_t before = rows.size();
  std::vector<std::int64_t> todo;
  for (std::int64_t run = options.shard - 1; run < run_count(study); run += options.shards)
    if (!rows.contains(run)) todo.push_back(run);
  Ending ending(study, options);
  if (!todo.empty() && !ending.reached(rows)) (void)make_runs(study, options, *points, todo, head, rows, ending);
  rows.erase(rows.lower_bound(ending.runs()), rows.end());  // runs that were in progress when the end was determined
  StudyResult result = counted(study, rows, ending.runs());
  result.before = static_cast<std::int64_t>(before);
  result.too_many = ending.too_many();
  if (result.is_whole) result.replays = detail::write_tables(study, *points, rows, options);
  return result;
}

std::optional<StudyEstimate> estimate_study(const Study& study, const StudyOptions& options, Diagnostics& problems) {
  auto points = Points::prepare(study, settings_of(options), problems);
  if (!points) return std::nullopt;
  StudyEstimate estimate;
  estimate.runs = run_count(study);
  Rows rows;
  std::error_code error;
  const std::string head = detail::journal_head(study, *points);
  if (!options.fresh && fs::is_directory(options.folder, error) &&
      !detail::read_journals(options.folder, head, study, *points, rows, problems))
    return std::nullopt;
  estimate.known = static_cast<std::int64_t>(rows.size());
  estimate.trials = std::min(kTrials, estimate.runs);
  const auto run_of = [&](std::size_t trial) {
    return static_cast<std::int64_t>(trial) * (estimate.runs - 1) / std::max<std::int64_t>(estimate.trials - 1, 1);
  };
  points->keep_world_of(values_of(study, 0));
  PoolLimits limits;
  if (options.timeout > 0) limits.seconds = options.timeout;
  limits.keep_going = options.keep_going;
  (void)run_pool(
      static_cast<std::size_t>(estimate.trials), limits,
      [&](std::size_t trial, const PoolOutput& output) {
        output.send(detail::row_end(points->run(values_of(study, run_of(trial)))));
        return 0;
      },
      [&](PoolResult&& ended) {
        const std::string row = detail::whole_row(study, run_of(ended.job), end_of(ended, options, *points));
        const auto columns = static_cast<double>(study.parameters.size() + points->metrics().size() + points->margins().size());
        estimate.seconds += ended.seconds / static_cast<double>(estimate.trials);
        // The journal, results.csv, and 8 bytes for each number in results.parquet.
        estimate.bytes += (2 * static_cast<double>(row.size()) + 8 * columns + 32) / static_cast<double>(estimate.trials);
        const auto read = detail::read_row(row, study, *points);
        if (!read || read->verdict == RunVerdict::pass) return true;
        ++estimate.failed;
        estimate.message = "run " + number_text(read->run) + ": " + std::string(to_text(read->verdict)) + ": " + read->message;
        return true;
      });
  return estimate;
}

std::optional<StudyResult> merge_study(const Study& study, const StudyOptions& options, const std::vector<std::string>& folders,
                                       Diagnostics& problems) {
  const auto points = Points::prepare(study, settings_of(options), problems);
  if (!points || (options.may_write && !options.may_write())) return std::nullopt;
  const std::string head = detail::journal_head(study, *points);
  Rows rows;
  bool are_good = true;
  for (const std::string& folder : folders) {
    if (!fs::is_directory(folder)) throw IoError(folder, "is not a folder");
    are_good = detail::read_journals(folder, head, study, *points, rows, problems) && are_good;
  }
  if (!are_good) return std::nullopt;
  StudyResult result = counted(study, rows, run_count(study));
  for (std::int64_t run = 0; run < result.runs && result.missing.size() < StudyResult::kMaxMissing; ++run)
    if (!rows.contains(run)) result.missing.push_back(run);
  if (!result.is_whole) return result;
  make_results_folder(options.folder);
  result.replays = detail::write_tables(study, *points, rows, options);
  return result;
}

}  // namespace simbatch::study
