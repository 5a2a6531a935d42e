#pragma once
/// Reading PBF with libosmium, whose headers stay in the .cpp files. Private to the room.

#include <string_view>

#include "base/core/diagnostics.hpp"
#include "formats/osm/document.hpp"

namespace simbatch::osm::detail {

Parsed<Document> read_pbf(std::string_view bytes, const ReadOptions& options, std::string_view file_name);

}  // namespace simbatch::osm::detail
