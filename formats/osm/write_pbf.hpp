#pragma once
/// Writing PBF with libosmium, and conversions between XML and PBF. Private to the room.

#include <functional>
#include <string>
#include <string_view>

#include "base/core/atomic_file.hpp"
#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "formats/osm/document.hpp"
#include "formats/osm/node_sink.hpp"

namespace simbatch::osm::detail {

void write_pbf(const Model& model, const std::string& generator, const std::function<void(std::string_view)>& write);

/// As pass_through(), where one of the two files is PBF.
void pass_through_pbf(const Input& input, const Document& document, AtomicFile& file, FileType type,
                      const PassThroughOptions& options, const std::function<void(NodeSink&)>& new_nodes,
                      Diagnostics& diagnostics);

}  // namespace simbatch::osm::detail
