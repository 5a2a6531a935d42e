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

constexpr std::string_view kFirstLine = "# simbatch study 2\r\n";

/// Of everything in the study that decides the values of a run but its number. More runs of random draws and Sobol' sequences move none.
std::string design_digest(const Study& study) {
  std::string text = number_text(study.seed) + " " + number_text(static_cast<int>(study.design));
  if (study.design == DesignKind::grid || study.design == DesignKind::latin) text += " " + number_text(run_count(study));
  for (const Parameter& p : study.parameters) {
    text += "\n" + p.name + "\n" + p.path + "\n" + number_text(p.low) + " " + number_text(p.high) + " " +
            number_text(static_cast<int>(p.scale)) + number_text(static_cast<int>(p.whole)) + " " + number_text(p.steps);
    for (const double value : p.values) text += " " + number_text(value);
    for (const std::string& choice : p.choices) text += "\n|" + choice;
  }
  for (const std::vector<double>& row : study.rows)
    for (const double value : row) text += " " + number_text(value);
  return hex64(hash64(text));
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
  std::string row = number_text(run);
  const std::vector<double> values = values_of(study, run);
  for (std::size_t i = 0; i < values.size(); ++i) row += "," + csv_cell(value_text(study.parameters[i], values[i]));
  return row + "," + end + "\r\n";
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

bool read_journal(std::string_view text, const std::string& file, const std::string& head,
                  const std::function<std::int64_t(const std::string& row)>& run_of, Rows& rows, Diagnostics& problems) {
  if (head.starts_with(text)) return true;  // cut in its first lines
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
    std::string row(text.substr(0, end + 2));
    text.remove_prefix(end + 2);
    if (const std::int64_t run = run_of(row); run >= 0) rows.emplace(run, std::move(row));
  }
  return true;
}

bool read_journals(const std::string& folder, const std::string& head, const Study& study, const Points& points, Rows& rows,
                   Diagnostics& problems) {
  const auto run_of = [&](const std::string& row) {
    const auto read = read_row(row, study, points);
    return read ? read->run : std::int64_t{-1};
  };
  // By name, so that it does not depend on the file system which of several rows of a run counts.
  std::vector<fs::path> journals;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (is_journal(entry.path())) journals.push_back(entry.path());
  std::sort(journals.begin(), journals.end());
  bool are_good = true;
  for (const fs::path& path : journals)
    are_good = read_journal(Input::open_regular(path.string()).text(), path.string(), head, run_of, rows, problems) && are_good;
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
