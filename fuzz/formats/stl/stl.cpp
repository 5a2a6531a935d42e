#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/stl/stl.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = simbatch::stl::read_stl({reinterpret_cast<const char*>(data), size}, "fuzz");
  for (const auto& triangle : read.value->triangles)
    for (const std::uint32_t corner : triangle)
      if (corner >= read.value->points.size()) std::abort();
  return 0;
}
