#pragma once
/// A quick hash of short texts for our own tables; never stored or shown.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace simbatch::osm::detail {

/// 64 x 64 -> 128 bits multiplied, folded: the mixing step of wyhash (Wang Yi).
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t load(const char* at, std::size_t size) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, size);
  return word;
}

inline std::uint64_t quick_hash(std::string_view text, std::uint64_t seed = 0x9E3779B97F4A7C15) {
  constexpr std::uint64_t kMix = 0xA0761D6478BD642F;
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t hash = seed ^ left;
  while (left > 8) {
    hash = fold(hash ^ load(at, 8), kMix);
    at += 8;
    left -= 8;
  }
  // 4 to 8 bytes by two overlapping words, fewer by single bytes: avoids memcpy with a runtime size.
  std::uint64_t last = 0;
  if (left >= 4)
    last = load(at, 4) | load(at + left - 4, 4) << 32;
  else if (left > 0)
    last = static_cast<unsigned char>(at[0]) | static_cast<std::uint64_t>(static_cast<unsigned char>(at[left / 2])) << 8 |
           static_cast<std::uint64_t>(static_cast<unsigned char>(at[left - 1])) << 16;
  return fold(hash ^ last, kMix ^ left);
}

inline std::uint64_t quick_hash(std::string_view key, std::string_view value) { return quick_hash(value, quick_hash(key)); }

}  // namespace simbatch::osm::detail
