#pragma once
/// Maps and road networks with their lanes, in the formats of traffic simulators.

#include <optional>
#include <string>
#include <string_view>

#include "apps/objconv/world.hpp"
#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "lib/file_kind/file_kind.hpp"

namespace simbatch::objconv {

/// The street map of a map folder (map.osm, or packed); the path itself if it is not a folder, or has none.
std::string street_map_of(const std::string& path);
/// The suffix of a road format with which an output's name ends: ".xodr", ".lanelet2.osm" or ".net.xml"; empty for others.
std::string road_target(std::string_view output);
/// True for these suffixes.
bool is_road_target(std::string_view target);
/// True for OpenStreetMap files, packed too, RNDFs, and scenarios, which may have a map.
bool has_roads(file_kind::Kind kind);
/// The roads of such a file, or of the street map in a map folder, in that format. Those of a map have heights if it has a height
/// map or elevation tiles, or ways that leave the ground. Nothing after an error.
/// @param path     the file, or the folder
/// @param input    the file, or the street map in the folder
/// @param options  root of the files that a scenario names; whether to read an RNDF as planar
/// @throws IoError
std::optional<std::string> roads_file(const std::string& path, Input input, std::string_view target,
                                      const WorldOptions& options, bool strict, Diagnostics& diagnostics);

}  // namespace simbatch::objconv
