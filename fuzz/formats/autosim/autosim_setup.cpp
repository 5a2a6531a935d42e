#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/autosim/setup.hpp"

// What reads without an error is written, read again, and must be equal.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::autosim;
  const auto parsed = read_setup({reinterpret_cast<const char*>(data), size}, "fuzz.xml");
  if (parsed.ok() && read_setup(write_setup(*parsed.value), "again.xml").value != parsed.value) std::abort();
  return 0;
}
