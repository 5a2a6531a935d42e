// Reads any bytes as a PBF file; what is accepted is written as XML and read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/osm/read.hpp"
#include "formats/osm/read_pbf.hpp"
#include "formats/osm/write.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::osm;
  ReadOptions options;
  options.locate_key = "made";
  options.max_model_bytes = std::size_t{1} << 28;
  const auto read = detail::read_pbf({reinterpret_cast<const char*>(data), size}, options, "fuzz");
  if (!read.value && !read.diagnostics.has_errors()) std::abort();
  if (!read.ok()) return 0;
  const auto again = read_xml(write_xml(read.value->model), {}, "again");
  if (!again.value || again.value->model.node_count() != read.value->model.node_count()) std::abort();
  return 0;
}
