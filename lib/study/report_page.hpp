#pragma once
/// The report's page, without data. Internal to this room.

#include <string_view>

namespace simbatch::study::detail {

/// HTML with style and script in it; /*DATA*/ once, where the JSON goes.
extern const std::string_view kReportPage;

}  // namespace simbatch::study::detail
