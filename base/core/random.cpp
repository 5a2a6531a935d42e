#include "base/core/random.hpp"

#include "base/core/hash.hpp"

namespace simbatch {

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  // Multipliers and Weyl increments: table 2 and section 3.2 of the paper.
  constexpr std::uint64_t kM0 = 0xD2511F53, kM1 = 0xCD9E8D57;
  constexpr std::uint32_t kW0 = 0x9E3779B9, kW1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = kM0 * counter[0];
    const std::uint64_t p1 = kM1 * counter[2];
    counter = {static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
               static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key[0] += kW0;
    key[1] += kW1;
  }
  return counter;
}

RandomStream::RandomStream(std::uint64_t seed, std::string_view name, std::uint32_t index)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {
  // The seed is the key; name and index choose one of 2^64 disjoint runs of 2^64 blocks of the counter.
  const std::uint64_t stream = hash64(name, index);
  stream_ = {static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)};
}

std::uint32_t RandomStream::next32() {
  if (used_ == 4) {
    words_ = philox4x32({static_cast<std::uint32_t>(block_), static_cast<std::uint32_t>(block_ >> 32), stream_[0], stream_[1]},
                        key_);
    ++block_;
    used_ = 0;
  }
  return words_[used_++];
}

std::uint64_t RandomStream::next64() {
  const std::uint64_t low = next32();
  return low | static_cast<std::uint64_t>(next32()) << 32;
}

double RandomStream::uniform() { return static_cast<double>(next64() >> 11) * 0x1p-53; }

std::uint64_t RandomStream::below(std::uint64_t n) {
  // Values of the last, incomplete run of n are drawn again.
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % n;
  std::uint64_t value = next64();
  while (value >= limit) value = next64();
  return value % n;
}

}  // namespace simbatch
