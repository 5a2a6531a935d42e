#pragma once
/// Maps and road networks with their lanes, in the formats of traffic simulators.

#include <optional>
#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "formats/rndf/rndf.hpp"
#include "lib/file_kind/file_kind.hpp"

namespace simbatch::objconv {

/// The street map of a map folder (map.osm, or packed); the path itself if it is not a folder, or has none.
std::string street_map_of(const std::string& path);
/// The suffix of a road format with which an output's name ends: ".xodr", ".lanelet2.osm" or ".net.xml"; empty for others.
std::string road_target(std::string_view output);
/// True for these suffixes.
bool is_road_target(std::string_view target);
/// True for OpenStreetMap files, packed too, and RNDFs.
bool has_roads(file_kind::Kind kind);
/// The roads of such a file in that format; nothing after an error.
std::optional<std::string> roads_file(const Input& input, file_kind::Kind kind, std::string_view target,
                                      const rndf::ReadOptions& options, Diagnostics& diagnostics);

}  // namespace simbatch::objconv
