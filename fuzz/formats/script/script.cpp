#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/script/script.hpp"

// What reads without an error is written, read again, and must be equal.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::script;
  const auto parsed = read_script({reinterpret_cast<const char*>(data), size}, "fuzz.xml");
  if (parsed.ok() && read_script(write_script(*parsed.value), "again.xml").value != parsed.value) std::abort();
  return 0;
}
