// Any text: reading, both emulations, and for a clean reading write -> read gives the same mission.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/medusa/emulate.hpp"
#include "formats/medusa/medusa.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::medusa;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = read_mission(text, "m");
  (void)emulate(text, Reader::vehicle);
  (void)emulate(text, Reader::console);
  if (parsed.value && !parsed.diagnostics.has_errors()) {
    const auto again = read_mission(write_mission(*parsed.value), "m");
    if (!again.value || !(*again.value == *parsed.value)) std::abort();
  }
  return 0;
}
