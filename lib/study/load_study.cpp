// The files that a study names; one that cannot be read is reported at the place where the study names it.

#include <algorithm>
#include <filesystem>

#include "base/core/input.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/study/codes.hpp"
#include "lib/study/study.hpp"

namespace simbatch::study {
namespace fs = std::filesystem;
namespace {

std::string beside(const std::string& file, const std::string& name) { return (fs::path(file).parent_path() / name).string(); }

/// @param file, at  of the study: where the file is named
std::optional<std::string> read_named(const std::string& path, const std::string& file, Position at, Diagnostics& problems) {
  try {
    return std::string(Input::open(path).text());
  } catch (const IoError& error) {
    Diagnostics found(file);
    found.report(code::kFile, at, error.what());
    problems.append(std::move(found));
    return std::nullopt;
  }
}

}  // namespace

Parsed<Study> load_study(const std::string& file) {
  const Input input = Input::open(file);
  auto study = read_study(input.text(), file);
  file_kind::explain_errors(input.text(), file, file_kind::Purpose::study, study.diagnostics);
  if (!study.ok() || study.value->design != DesignKind::table) return study;
  const std::string table = beside(file, study.value->table);
  const auto text = read_named(table, file, study.value->table_place.at, study.diagnostics);
  if (!text) return study;
  auto rows = read_plan(*text, table, *study.value);
  study.diagnostics.append(std::move(rows.diagnostics));
  if (rows.value) study.value->rows = std::move(*rows.value);
  return study;
}

std::optional<std::string> read_scenario(const Study& study, const std::string& file, std::string& path,
                                         Diagnostics& problems) {
  path = beside(file, study.scenario);
  return read_named(path, file, study.scenario_place.at, problems);
}

void take_values_of_table(Study& study) {
  for (std::size_t i = 0; i < study.parameters.size(); ++i) {
    Parameter& parameter = study.parameters[i];
    if (!parameter.values.empty() || parameter.has_range) continue;
    for (const std::vector<double>& row : study.rows) parameter.values.push_back(row[i]);
    std::sort(parameter.values.begin(), parameter.values.end());
    parameter.values.erase(std::unique(parameter.values.begin(), parameter.values.end()), parameter.values.end());
  }
}

}  // namespace simbatch::study
