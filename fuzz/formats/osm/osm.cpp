// Reads any bytes as an OSM file; what is accepted is written and read again, and takes a new node.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "formats/osm/pass_through.hpp"
#include "formats/osm/read.hpp"
#include "formats/osm/write.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::osm;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ReadOptions options;
  options.remarks = true;
  options.locate_key = "made";
  options.max_model_bytes = std::size_t{1} << 28;
  const auto read = read_xml(text, options, "fuzz");
  if (!read.value && !read.diagnostics.has_errors()) std::abort();
  if (!read.ok()) return 0;
  WriteOptions write;
  write.generator = read.value->model.generator;
  const auto again = read_xml(write_xml(read.value->model, write), {}, "again");
  if (!again.value || !same(read.value->model, again.value->model)) std::abort();
  const std::string more = pass_through_text(text, read.value->layout, read.value->model.version, {}, [](NodeSink& sink) {
    const TagText tags[] = {{"made", "&<>'\"\n"}};
    sink.node(-1, {1, 2}, tags);
  });
  const auto third = read_xml(more, options, "more");
  if (!third.value || third.value->model.node_count() != read.value->model.node_count() + 1) std::abort();
  return 0;
}
