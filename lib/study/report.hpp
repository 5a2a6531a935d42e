#pragma once
/// The report of a study: one self-contained HTML page, and a picture. Internal to this room.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/study/table.hpp"

namespace simbatch::study::detail {

/// Maximum number of runs drawn as points; if there are more, only every kth is drawn.
inline constexpr std::size_t kMaxPoints = 20'000;
inline constexpr std::size_t kMaxWorst = 20;

/// The page: the pass rate with its confidence interval, distributions of metrics and margins, pass rates by parameter, a
/// scatter plot and a heat map with selectable axes, and the worst runs with the commands that replay them.
/// @param file     name of the study file
/// @param replays  runs with a page worst/runN.html beside the report
std::string report_html(const Study& study, const Points& points, const std::vector<TableRow>& rows, const std::string& file,
                        const std::vector<std::int64_t>& replays);
/// Those of the worst runs that can be replayed, at most `most`: a run that crashed or timed out has no trace.
std::vector<std::int64_t> replayed(const std::vector<TableRow>& rows, std::size_t most);

/// A picture as SVG: over each parameter, the margin of the expectation that decides most runs; over two, the pass rate.
std::string report_svg(const Study& study, const Points& points, const std::vector<TableRow>& rows);
/// The expectation that most runs fail, of those whose margins are finite. 0 if there is none.
std::size_t deciding_margin(const std::vector<TableRow>& rows);
/// The two parameters with the strongest joint influence: if their ranges are divided into 4 x 4 cells, the pass rates of the
/// cells differ most. "seed" is excluded.
std::optional<std::pair<std::size_t, std::size_t>> deciding_parameters(const Study& study, const std::vector<TableRow>& rows);

}  // namespace simbatch::study::detail
