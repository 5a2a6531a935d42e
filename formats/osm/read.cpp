#include "formats/osm/read.hpp"

#include "formats/osm/read_pbf.hpp"

namespace simbatch::osm {

Parsed<Document> read(const Input& input, const ReadOptions& options) { return read(input.text(), options, input.name()); }

Parsed<Document> read(std::string_view text, const ReadOptions& options, const std::string& file_name) {
  const FileType type = type_of_bytes(text);
  if (type.format == Format::pbf) return detail::read_pbf(text, options, file_name);
  if (type.compression == Compression::none) return read_xml(text, options, file_name);
  Parsed<Document> result = detail::read_compressed_xml(text, type.compression, options, file_name);
  if (result.value) result.value->type = type;
  return result;
}

Parsed<Document> read_file(const std::string& file, const ReadOptions& options) { return read(Input::open(file), options); }

}  // namespace simbatch::osm
