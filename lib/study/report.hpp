#pragma once
/// The report of a study: one self-contained HTML page, and a picture. Internal to this room.

#include <string>
#include <vector>

#include "lib/study/table.hpp"

namespace simbatch::study::detail {

/// Maximum number of runs drawn as points; of more, every kth is drawn.
inline constexpr std::size_t kMaxPoints = 20'000;
inline constexpr std::size_t kMaxWorst = 20;

/// The page: pass rate with confidence interval, distributions of metrics and margins, pass rates by parameter, a scatter plot
/// and a heat map with selectable axes, and the worst runs with the commands that replay them. Depends only on study and rows.
/// @param file  name of the study file
std::string report_html(const Study& study, const Points& points, const std::vector<TableRow>& rows, const std::string& file);

/// SVG charts of the least margin over each parameter.
std::string report_svg(const Study& study, const std::vector<TableRow>& rows);

}  // namespace simbatch::study::detail
