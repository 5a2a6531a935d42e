#pragma once
/// Reading OSM files: XML 0.5 and 0.6 (plain, gzip, bzip2) and PBF.
///
/// XML is read by a scanner of our own: no tree, one pass over the mapped file. It checks well-formedness completely: it
/// rejects everything that Expat rejects, with line and column (docs/formats/osm.md lists additional restrictions: a DOCTYPE,
/// encodings other than UTF-8, names with letters outside ASCII, a depth over 256).

#include <string>

#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "formats/osm/document.hpp"
#include "formats/osm/read_xml.hpp"

namespace simbatch::osm {

/// Reads an opened file (Input::open: mapped, or standard input). The kind is determined from the content, not from the name.
/// The value is empty when there is no usable map (not XML, wrong root, wrong version).
Parsed<Document> read(const Input& input, const ReadOptions& options = {});
/// The same for a text in memory. @param file_name  as diagnostics name it
Parsed<Document> read(std::string_view text, const ReadOptions& options, const std::string& file_name);
/// Opens and reads. @throws IoError when it cannot be opened
Parsed<Document> read_file(const std::string& file, const ReadOptions& options = {});

}  // namespace simbatch::osm
