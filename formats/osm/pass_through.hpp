#pragma once
/// Inserts new nodes into an existing file that otherwise remains unchanged.

#include <functional>
#include <string>
#include <string_view>

#include "base/core/atomic_file.hpp"
#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "formats/osm/document.hpp"
#include "formats/osm/node_sink.hpp"

namespace simbatch::osm {

/// Copies a file and inserts new nodes before its first node, way or relation. In an XML file every other byte is preserved
/// (except for upload="false" and the located nodes, if requested); a PBF file is decoded and encoded by libosmium, all of its
/// objects' data is kept. Between XML and PBF libosmium converts: only 0.6, and attributes of <osm> are lost. Input and output
/// may be the same file; the output is complete or untouched.
///
/// @param input   source of `document` (`read(input)`), still open
/// @param output  `-` is standard output
/// @param new_nodes  called once, writes all new nodes in their final order; their ids ascend in osmium's order
///                   (-1, -2, ...) for a file that is to stay sorted
/// @return problems: when the kind cannot be converted
/// @throws IoError
Diagnostics pass_through(const Input& input, const Document& document, const std::string& output,
                         const PassThroughOptions& options, const std::function<void(NodeSink&)>& new_nodes);

/// The same into a file that is already open. The caller commits it; if there are problems, there is nothing to commit.
Diagnostics pass_through(const Input& input, const Document& document, AtomicFile& output, const PassThroughOptions& options,
                         const std::function<void(NodeSink&)>& new_nodes);

/// The same for an XML text in memory: the new text.
std::string pass_through_text(std::string_view text, const Layout& layout, Version version, const PassThroughOptions& options,
                              const std::function<void(NodeSink&)>& new_nodes);

}  // namespace simbatch::osm
