#pragma once
/// Pieces of JSON text, shared by the writers.

#include <string>
#include <string_view>

#include "formats/trace/trace.hpp"

namespace simbatch::trace::detail {

/// A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
void append_string(std::string& out, std::string_view text);
/// `"schema":..., ... "devices":[...]` without braces. `newline` goes between the members and devices.
void append_header(std::string& out, const Header& header, std::string_view newline);
/// {"outcome":...}
void append_end(std::string& out, const End& end);
/// {"step":[...],"hash":[...]}
void append_hashes(std::string& out, const std::vector<HashPoint>& hashes);

}  // namespace simbatch::trace::detail
