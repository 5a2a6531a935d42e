#pragma once
/// The types of OSM files: XML, plain or compressed, and PBF.

#include <cstdint>
#include <string_view>

namespace simbatch::osm {

enum class Format : std::uint8_t { xml, pbf };
enum class Compression : std::uint8_t { none, gzip, bzip2 };
struct FileType {
  Format format = Format::xml;
  Compression compression = Compression::none;
  friend bool operator==(const FileType&, const FileType&) = default;
};
/// From the suffixes of a name: .osm, .xml, .osm.gz, .osm.bz2, .osm.pbf, .pbf. Others, and "-", are plain XML.
FileType type_of_name(std::string_view name);
/// From the first bytes of a file. Anything except gzip, bzip2 and PBF is treated as plain XML.
FileType type_of_bytes(std::string_view first_bytes);

}  // namespace simbatch::osm
