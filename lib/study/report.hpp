#pragma once
/// The report of a study: one self-contained HTML page, and a picture. Internal to this room.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/study/table.hpp"

namespace simbatch::study::detail {

/// Maximum number of runs drawn as points; of more, every kth is drawn.
inline constexpr std::size_t kMaxPoints = 20'000;
inline constexpr std::size_t kMaxWorst = 20;

/// The page: the share that passes with its interval, how metrics and margins are spread, shares by parameter, a scatter and a
/// heat map whose axes can be chosen, and the worst runs with the commands that replay them. A function of these alone. @param
/// file  name of the study file
/// @param replays  runs with a page worst/runN.html beside the report
std::string report_html(const Study& study, const Points& points, const std::vector<TableRow>& rows, const std::string& file,
                        const std::vector<std::int64_t>& replays);
/// Those of the worst runs that can be replayed, at most `most`: a run that crashed or took too long has left nothing.
std::vector<std::int64_t> replayed(const std::vector<TableRow>& rows, std::size_t most);

/// As SVG: the margin of the expectation that decides most runs over each parameter, and the share that passes over two parameters.
std::string report_svg(const Study& study, const Points& points, const std::vector<TableRow>& rows);
/// The expectation that most runs fail, of those whose margins are finite. 0 if there is none.
std::size_t deciding_margin(const std::vector<TableRow>& rows);
/// The two parameters that decide most together: between the cells of a table of 4 x 4 parts of their ranges, shares that pass
/// differ most. Without "seed".
std::optional<std::pair<std::size_t, std::size_t>> deciding_parameters(const Study& study, const std::vector<TableRow>& rows);

}  // namespace simbatch::study::detail
