#include "formats/osm/codes.hpp"
#include "formats/osm/pbf.hpp"

namespace simbatch::osm::detail {
Parsed<Document> read_pbf(std::string_view, const ReadOptions&, std::string_view file_name) {
  Parsed<Document> result;
  result.diagnostics = Diagnostics(std::string(file_name));
  result.diagnostics.report(code::kPbf, {}, "PBF is not read yet");
  return result;
}
}  // namespace simbatch::osm::detail
