#include "formats/osm/file_type.hpp"

#include <string>

#include "base/core/text.hpp"

namespace simbatch::osm {

FileType type_of_name(std::string_view name) {
  const std::string lower = lower_ascii(name);
  const std::string_view n = lower;
  if (n.ends_with(".pbf")) return {Format::pbf, Compression::none};
  if (n.ends_with(".gz")) return {Format::xml, Compression::gzip};
  if (n.ends_with(".bz2")) return {Format::xml, Compression::bzip2};
  return {};
}

FileType type_of_bytes(std::string_view bytes) {
  if (bytes.starts_with("\x1F\x8B")) return {Format::xml, Compression::gzip};
  if (bytes.starts_with("BZh")) return {Format::xml, Compression::bzip2};
  // A PBF file starts with the size of its first header (big-endian, small) and that header's type, field 1.
  if (bytes.size() >= 15 && bytes[0] == '\0' && bytes[1] == '\0' && bytes.substr(4, 11) == "\x0A\x09OSMHeader")
    return {Format::pbf, Compression::none};
  return {};
}

}  // namespace simbatch::osm
