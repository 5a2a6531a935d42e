#include "lib/study/journal.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "lib/study/codes.hpp"
#include "lib/study/csv.hpp"
#include "lib/study/table.hpp"

namespace simbatch::study::detail {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kFirstLine = "# simbatch study 3\r\n";

/// True if the design's values are listed one by one, so that a run is identified by its values, not by its number.
bool lists_values(const Study& study) { return study.design == DesignKind::grid || study.design == DesignKind::table; }

/// Digest of everything that determines the meaning of a row: for a grid or a table, its columns; for other designs also what
/// determines the values of a run besides its number. Adding runs to random or Sobol' designs keeps the existing ones.
std::string design_digest(const Study& study) {
  const bool is_list = lists_values(study);
  std::string text = is_list ? "list" : number_text(study.seed) + " " + number_text(static_cast<int>(study.design));
  if (study.design == DesignKind::latin) text += " " + number_text(run_count(study));
  for (const Parameter& p : study.parameters) {
    text += "\n" + p.name + "\n" + p.path;
    if (is_list) continue;
    text += "\n" + number_text(p.low) + " " + number_text(p.high) + " " + number_text(static_cast<int>(p.scale)) +
            number_text(static_cast<int>(p.whole)) + " " + number_text(p.steps);
    for (const double value : p.values) text += " " + number_text(value);
    for (const std::string& choice : p.choices) text += "\n|" + choice;
  }
  return hex64(hash64(text));
}

/// The cells of a run's parameters, each after a comma.
std::string values_text(const Study& study, std::int64_t run) {
  std::string text;
  const std::vector<double> values = values_of(study, run);
  for (std::size_t i = 0; i < values.size(); ++i) text += "," + csv_cell(value_text(study.parameters[i], values[i]));
  return text;
}

std::vector<std::string_view> head_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (text.starts_with("# ")) {
    const std::size_t end = text.find("\r\n");
    if (end == std::string_view::npos) break;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end + 2);
  }
  return lines;
}

/// "town.osm and the metrics": names whose digests differ or that are missing in one of the two.
std::string difference(std::string_view a, std::string_view b) {
  std::vector<std::string> names;
  const auto a_lines = head_lines(a), b_lines = head_lines(b);
  const auto add_missing = [&](const std::vector<std::string_view>& from, const std::vector<std::string_view>& in) {
    for (const std::string_view line : from) {
      if (std::find(in.begin(), in.end(), line) != in.end()) continue;
      const std::string name(line.substr(2, line.rfind(' ') - 2));
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  };
  add_missing(a_lines, b_lines);
  add_missing(b_lines, a_lines);
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text + (names.size() > kShown ? ", ..." : "");
}

/// The inverse of journal_line(); empty for a line that journal_line() does not produce.
std::optional<JournalRow> row_of(std::string_view line) {
  const std::size_t comma = line.rfind(','), end = line.size() - kLineEnd.size();
  if (comma == std::string_view::npos) return std::nullopt;
  const std::string_view cell = line.substr(comma + 1, end - comma - 1);
  const auto seconds = parse_double(cell);
  JournalRow row{std::string(line.substr(0, comma)) + std::string(kLineEnd), seconds ? seconds.value : -1};
  return row.seconds >= 0 && journal_line(row) == line ? std::optional(std::move(row)) : std::nullopt;
}

bool is_journal(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with("journal") && name.ends_with(".csv");
}

}  // namespace

std::string header_row(const Study& study, const Points& points) {
  std::string header = "run";
  for (const Parameter& parameter : study.parameters) header += "," + csv_cell(parameter.name);
  header += ",verdict,message,steps,state_hash";
  for (const PointColumn& metric : points.metrics()) header += "," + csv_cell(metric.name);
  for (const PointColumn& margin : points.margins()) header += "," + csv_cell("margin of " + margin.name);
  return header + "\r\n";
}

std::string row_end(const PointResult& result) {
  std::string row = std::string(to_text(result.verdict)) + "," + csv_cell(result.message) + "," + number_text(result.steps) +
                    "," + (result.state_hash ? hex64(*result.state_hash) : "");
  for (const auto& metric : result.metrics) row += "," + csv_number(metric);
  for (const auto& margin : result.margins) row += "," + csv_number(margin);
  return row;
}

std::string whole_row(const Study& study, std::int64_t run, const std::string& end) {
  return number_text(run) + values_text(study, run) + "," + end + "\r\n";
}

void RowFinder::take(const JournalRow& row, Rows& rows) {
  if (const auto read = read_row(row.text, study_, shape_)) {
    rows.emplace(read->run, row);
    return;
  }
  if (!lists_values(study_)) return;
  CsvReader reader(row.text);
  std::vector<std::string> cells;
  reader.next(cells);
  const std::size_t last = study_.parameters.size();
  if (cells.size() <= last + 1) return;
  std::string values, end;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    std::string& text = i <= last ? values : end;
    text += (i == last + 1 ? "" : ",") + csv_cell(cells[i]);
  }
  if (cells[0] + values + "," + end + "\r\n" != row.text) return;
  if (by_values_.empty())
    for (std::int64_t run = 0; run < run_count(study_); ++run) by_values_[values_text(study_, run)].push_back(run);
  const auto found = by_values_.find(values);
  if (found == by_values_.end()) return;
  for (const std::int64_t run : found->second)
    if (std::string moved = whole_row(study_, run, end); read_row(moved, study_, shape_))
      rows.emplace(run, JournalRow{std::move(moved), row.seconds});
}

RunVerdict verdict_of(const std::string& row, const Study& study) {
  CsvReader reader(row);
  std::vector<std::string> cells;
  reader.next(cells);
  const std::size_t place = 1 + study.parameters.size();
  for (const RunVerdict verdict : {RunVerdict::pass, RunVerdict::fail, RunVerdict::crash, RunVerdict::timeout})
    if (place < cells.size() && cells[place] == to_text(verdict)) return verdict;
  return RunVerdict::error;
}

std::string journal_line(const JournalRow& row) {
  return row.text.substr(0, row.text.size() - kLineEnd.size()) + "," + rounded_text(row.seconds, 3) + std::string(kLineEnd);
}

std::string journal_head(const Study& study, const Points& points) {
  std::string head(kFirstLine);
  head += "# the design " + design_digest(study) + "\r\n";
  for (const Points::Input& input : points.inputs()) {
    std::string name = input.name;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '\r' || c == '\n'; }, ' ');
    head += "# " + name + " " + input.digest + "\r\n";
  }
  return head;
}

bool read_journal(std::string_view text, const std::string& file, const std::string& head, RowFinder& finder, Rows& rows,
                  Diagnostics& problems) {
  if (head.starts_with(text)) return true;  // truncated within its header
  if (!text.starts_with(head) || text.substr(head.size()).starts_with("# ")) {
    Diagnostics other(file);
    const bool is_ours = text.starts_with(kFirstLine);
    const std::string what = is_ours ? "the results are not of these inputs: changed since: " + difference(head, text)
                                     : std::string("this is not a journal of this version of the program");
    other.report(code::kChanged, {1, 1}, what + "; expected another folder, or --fresh");
    problems.append(std::move(other));
    return false;
  }
  text.remove_prefix(head.size());
  for (std::size_t end = text.find("\r\n"); end != std::string_view::npos; end = text.find("\r\n")) {
    if (const auto row = row_of(text.substr(0, end + 2))) finder.take(*row, rows);
    text.remove_prefix(end + 2);
  }
  return true;
}

bool read_journals(const std::string& folder, const std::string& head, const Study& study, const Points& points, Rows& rows,
                   Diagnostics& problems) {
  RowFinder finder(study, RowShape{points.metrics().size(), points.margins().size()});
  // Sorted by name: which of several rows of a run counts must not depend on the file system.
  std::vector<fs::path> journals;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (is_journal(entry.path())) journals.push_back(entry.path());
  std::sort(journals.begin(), journals.end());
  bool are_good = true;
  for (const fs::path& path : journals)
    are_good = read_journal(Input::open_regular(path.string()).text(), path.string(), head, finder, rows, problems) && are_good;
  return are_good;
}

void remove_journals(const std::string& folder) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (is_journal(entry.path())) found.push_back(entry.path());
  for (const fs::path& path : found) fs::remove(path);
}

Journal::Journal(const std::string& path, const std::string& head) : path_(path), file_(nullptr, &std::fclose) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) {
    const Input input = Input::open_regular(path);
    const std::size_t end = input.text().rfind("\r\n"), whole = end == std::string_view::npos ? 0 : end + 2;
    // If truncated within its header, it starts from scratch.
    const std::size_t keep = whole < head.size() ? 0 : whole;
    if (keep != input.text().size()) fs::resize_file(path, keep);
  }
  file_.reset(std::fopen(path.c_str(), "ab"));
  if (file_ == nullptr) throw IoError::from_errno(path, "cannot write", errno);
  std::fseek(file_.get(), 0, SEEK_END);
  if (std::ftell(file_.get()) == 0) append(head);
}

void Journal::append(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0)
    throw IoError::from_errno(path_, "cannot write", errno);
}

}  // namespace simbatch::study::detail
