#include "formats/osm/read.hpp"

#include "formats/osm/read_pbf.hpp"

namespace simbatch::osm {

Parsed<Document> read(const Input& input, const ReadOptions& options) {
  const FileType type = type_of_bytes(input.text());
  if (type.format == Format::pbf) return detail::read_pbf(input.text(), options, input.name());
  if (type.compression == Compression::none) return read_xml(input.text(), options, input.name());
  Parsed<Document> result = detail::read_compressed_xml(input.text(), type.compression, options, input.name());
  if (result.value) result.value->type = type;
  return result;
}

Parsed<Document> read_file(const std::string& file, const ReadOptions& options) { return read(Input::open(file), options); }

}  // namespace simbatch::osm
