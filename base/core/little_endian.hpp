#pragma once
/// Numbers in binary files.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace simbatch {

/// The number whose bytes these are, the lowest first. @param bytes  at most 8
constexpr std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace simbatch
