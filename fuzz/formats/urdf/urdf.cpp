#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/urdf/urdf.hpp"

// What is read without an error is written, and read again, without one.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = simbatch::urdf::read_urdf({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (read.ok() && !simbatch::urdf::read_urdf(simbatch::urdf::write_urdf(*read.value), "again").ok()) std::abort();
  return 0;
}
