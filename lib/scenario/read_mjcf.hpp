#pragma once
/// MJCF models with the files that they include.

#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "formats/mjcf/mjcf.hpp"

namespace simbatch::scenario {

/// Reads a model; included and attached files are searched for relative to its folder, as far as it may read.
/// @param path  of the model's file @param root  folder that it may read; empty: its own
Parsed<mjcf::Model> read_mjcf_files(std::string_view text, const std::string& path, const std::string& root);

}  // namespace simbatch::scenario
