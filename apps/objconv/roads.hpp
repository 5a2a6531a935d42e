#pragma once
/// Maps and road networks with their lanes, in the formats of traffic simulators.

#include <optional>
#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "lib/file_kind/file_kind.hpp"

namespace simbatch::objconv {

/// True for suffixes of road formats: .xodr.
bool is_road_target(std::string_view suffix);
/// An OpenStreetMap file or an RNDF in the format of that suffix; nothing after an error.
std::optional<std::string> roads_file(const Input& input, file_kind::Kind kind, std::string_view suffix, bool strict,
                                      Diagnostics& diagnostics);

}  // namespace simbatch::objconv
