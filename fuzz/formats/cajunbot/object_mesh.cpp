// The two files of a mesh object: what is read is written, and reads back the same. The first byte chooses the file.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/cajunbot/cajunbot.hpp"

using namespace simbatch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'v') {
    const auto read = cajunbot::read_vertices(text, "fuzz");
    if (!read.ok()) return 0;
    const auto again = cajunbot::read_vertices(cajunbot::write_vertices(*read.value), "again");
    if (!again.ok() || *again.value != *read.value) std::abort();
    return 0;
  }
  constexpr std::size_t kVertices = 100;
  const auto read = cajunbot::read_indices(text, "fuzz", kVertices);
  if (!read.ok()) return 0;
  for (const auto& triangle : *read.value)
    for (const std::uint32_t corner : triangle)
      if (corner >= kVertices) std::abort();
  return 0;
}
