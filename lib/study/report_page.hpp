#pragma once
/// The report's page, without data. Internal to this room.

#include <string_view>

namespace simbatch::study::detail {

/// HTML with embedded style and script; contains /*DATA*/ once, to be replaced by the JSON.
extern const std::string_view kReportPage;

}  // namespace simbatch::study::detail
