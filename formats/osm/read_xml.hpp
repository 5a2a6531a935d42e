#pragma once
/// Reading OSM XML from memory.

#include <cstddef>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "formats/osm/document.hpp"

namespace simbatch::osm {

/// Reads XML. @param file_name  as diagnostics name it
Parsed<Document> read_xml(std::string_view text, const ReadOptions& options, std::string_view file_name);

namespace detail {
/// Largest tag, comment or other token of a compressed text (bytes): these are copied, and a stream of a few kilobytes can
/// contain one of gigabytes.
inline constexpr std::size_t kMaxToken = std::size_t{1} << 20;

/// Reads compressed XML. @param compression  not none
Parsed<Document> read_compressed_xml(std::string_view bytes, Compression compression, const ReadOptions& options,
                                     std::string_view file_name);
/// The `<` of what looks like the start of a node or way near the middle of the text; npos if there is none. It may yet be
/// in a comment: only a reader that has read everything before it knows.
std::size_t cut_of(std::string_view text);
}  // namespace detail

}  // namespace simbatch::osm
