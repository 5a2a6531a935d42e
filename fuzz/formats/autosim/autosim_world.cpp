#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/autosim/world.hpp"

// What reads without an error is written, read again, and must be equal.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::autosim;
  const auto parsed = read_world({reinterpret_cast<const char*>(data), size}, "fuzz.xml");
  if (parsed.ok() && read_world(write_world(*parsed.value), "again.xml").value != parsed.value) std::abort();
  return 0;
}
