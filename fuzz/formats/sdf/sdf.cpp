#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/sdf/read.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)simbatch::sdf::file::read_sdf({reinterpret_cast<const char*>(data), size}, "fuzz");
  return 0;
}
