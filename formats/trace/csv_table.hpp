#pragma once
/// One table of a CSV folder.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/trace/trace.hpp"

namespace simbatch::trace::detail {

/// Reads a table (RFC 4180: CR LF or LF, quoted cells) into a device's columns. @return false after an error
bool read_table(std::string_view text, const std::string& file_name, const Device& device, std::vector<std::int64_t>& steps,
                std::vector<Column>& columns, Diagnostics& diagnostics);

}  // namespace simbatch::trace::detail
