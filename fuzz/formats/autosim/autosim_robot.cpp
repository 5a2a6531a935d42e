#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/autosim/robot.hpp"

// What reads without an error is written, read again, and must be equal.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::autosim;
  const auto parsed = read_robot({reinterpret_cast<const char*>(data), size}, "fuzz.xml");
  if (parsed.ok() && read_robot(write_robot(*parsed.value), "again.xml").value != parsed.value) std::abort();
  return 0;
}
