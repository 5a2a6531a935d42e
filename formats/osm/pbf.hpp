#pragma once
/// PBF through libosmium (its headers stay in the .cpp files), and conversions between XML and PBF.

#include <functional>
#include <string_view>

#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "formats/osm/read.hpp"
#include "formats/osm/write.hpp"

namespace simbatch::osm::detail {

Parsed<Document> read_pbf(std::string_view bytes, const ReadOptions& options, std::string_view file_name);

void write_pbf(const Model& model, const WriteOptions& options, const std::function<void(std::string_view)>& write);

void pass_through_pbf(const Input& input, const Document& document, AtomicFile& file, FileType type,
                      const PassThroughOptions& options, const std::function<void(NodeSink&)>& new_nodes,
                      Diagnostics& diagnostics);

}  // namespace simbatch::osm::detail
