#pragma once
/// Pieces of JSON text, shared by the writers.

#include <string>
#include <string_view>

#include "formats/trace/trace.hpp"

namespace simbatch::trace::detail {

/// `"schema":..., ... "devices":[...]` without braces. `newline` goes between the members and devices.
void append_header(std::string& out, const Header& header, std::string_view newline);
/// {"outcome":...}
void append_end(std::string& out, const End& end);
/// {"step":[...],"hash":[...]}
void append_hashes(std::string& out, const std::vector<HashPoint>& hashes);

}  // namespace simbatch::trace::detail
