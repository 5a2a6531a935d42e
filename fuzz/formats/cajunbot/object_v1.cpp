// Reads version 1; what reads without an error must write and read back the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/cajunbot/cajunbot.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::cajunbot;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto first = read_v1(text, "fuzz");
  if (!first.value && !first.diagnostics.has_errors()) std::abort();
  if (!first.ok()) return 0;
  check(*first.value, Version::v1, first.diagnostics);
  for (const Object& object : first.value->objects)
    if (!v1_fault(object).empty()) return 0;
  const auto second = read_v1(write_v1(*first.value, {.extras = true}), "again");
  if (!second.ok() || !(*second.value == *first.value)) std::abort();
  return 0;
}
