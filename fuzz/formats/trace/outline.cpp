// Archives, tables and scenes: what they say of their trace, or why they are refused.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/trace/outline.hpp"

using namespace simbatch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const trace::Outline outline = trace::outlined_format(bytes) == trace::Format::npz ? trace::npz_outline(bytes, "fuzz")
                                                                                     : trace::mat_outline(bytes, "fuzz");
  if (outline.trace.value.has_value() == outline.trace.diagnostics.has_errors()) std::abort();
  (void)trace::glb_outline(bytes, "fuzz");
  (void)trace::wide_outline(bytes, "fuzz");
  return 0;
}
