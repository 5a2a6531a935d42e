#pragma once
/// The report of a study: one HTML page that needs no network, and a picture. Internal to this room.

#include <string>
#include <vector>

#include "lib/study/table.hpp"

namespace simbatch::study::detail {

/// Runs that the page has as points; of more, each kth.
inline constexpr std::size_t kMostPoints = 20'000;
inline constexpr std::size_t kMostWorst = 20;

/// The page: the share that passes with its interval, how metrics and margins are spread, shares by parameter, a scatter and a heat map whose axes
/// can be chosen, and the worst runs with the commands that replay them. A function of study and rows alone. @param file  name of the study file
std::string report_html(const Study& study, const Points& points, const std::vector<TableRow>& rows, const std::string& file);

/// The least margin over each parameter, as SVG.
std::string report_svg(const Study& study, const std::vector<TableRow>& rows);

}  // namespace simbatch::study::detail
