// XML that is read forgivingly: what the strict reader takes is taken unchanged, and nothing else is accepted without a warning.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/xml/repair.hpp"

using namespace simbatch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto strict = xml::Document::parse(text, "fuzz");
  const auto forgiven = xml::parse_forgiving(text, "fuzz");
  if (strict.ok() && (!forgiven.ok() || forgiven.value->root().name() != strict.value->root().name())) std::abort();
  if (forgiven.ok() && !strict.ok() && forgiven.diagnostics.warnings() == 0) std::abort();
  return 0;
}
