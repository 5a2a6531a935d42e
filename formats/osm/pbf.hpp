#pragma once
/// PBF through libosmium.

#include <string_view>

#include "formats/osm/read.hpp"

namespace simbatch::osm::detail {

Parsed<Document> read_pbf(std::string_view bytes, const ReadOptions& options, std::string_view file_name);

}  // namespace simbatch::osm::detail
