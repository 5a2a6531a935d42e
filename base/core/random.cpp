#include "base/core/random.hpp"

#include <emmintrin.h>

#include <algorithm>

#include "base/core/hash.hpp"

namespace simbatch {

namespace {
// Multipliers and Weyl increments: table 2 and section 3.2 of the paper.
constexpr std::uint64_t kM0 = 0xD2511F53, kM1 = 0xCD9E8D57;
constexpr std::uint32_t kW0 = 0x9E3779B9, kW1 = 0xBB67AE85;

__m128i both(std::uint64_t x) { return _mm_set1_epi64x(static_cast<long long>(x)); }
__m128i two(std::uint64_t low, std::uint64_t high) {
  return _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
}

constexpr std::size_t kPairs = 3;

/// Sum of the words of the first `blocks` blocks, at most 2 * kPairs, from a counter on. Pairs of blocks go through the rounds of
/// philox4x32() together, each word in the lower half of 64 bits; what is in the upper half has no effect.
std::uint64_t sum_of_blocks(std::uint64_t first, std::size_t blocks, std::array<std::uint32_t, 2> stream,
                            std::array<std::uint32_t, 2> key) {
  __m128i c[kPairs][4];
  for (std::size_t p = 0; p < kPairs; ++p) {
    const std::uint64_t a = first + 2 * p, b = a + 1;
    c[p][0] = two(a, b);
    c[p][1] = two(a >> 32, b >> 32);
    c[p][2] = both(stream[0]);
    c[p][3] = both(stream[1]);
  }
  const __m128i m0 = both(kM0), m1 = both(kM1);
  for (int round = 0; round < 10; ++round) {
    const __m128i k0 = both(key[0]), k1 = both(key[1]);
#pragma GCC unroll 3
    for (std::size_t p = 0; p < kPairs; ++p) {  // NOLINT(modernize-loop-convert): unrolled
      const __m128i p0 = _mm_mul_epu32(m0, c[p][0]), p1 = _mm_mul_epu32(m1, c[p][2]);
      c[p][0] = _mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(p1, 32), c[p][1]), k0);
      c[p][1] = p1;
      c[p][2] = _mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(p0, 32), c[p][3]), k1);
      c[p][3] = p0;
    }
    key[0] += kW0;
    key[1] += kW1;
  }
  __m128i sum = _mm_setzero_si128();
  for (std::size_t p = 0; p < kPairs; ++p) {
    const __m128i low = two(2 * p < blocks ? UINT32_MAX : 0, 2 * p + 1 < blocks ? UINT32_MAX : 0);
    for (const __m128i word : c[p]) sum = _mm_add_epi64(sum, _mm_and_si128(word, low));
  }
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(sum)) +
         static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(sum, sum)));
}
}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
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

std::uint64_t RandomStream::sum32(std::size_t count) {
  std::uint64_t sum = 0;
  for (; count > 0 && used_ < 4; --count) sum += words_[used_++];
  while (count >= 4) {
    const std::size_t blocks = std::min(count / 4, 2 * kPairs);
    sum += sum_of_blocks(block_, blocks, stream_, key_);
    block_ += blocks;
    count -= 4 * blocks;
  }
  for (; count > 0; --count) sum += next32();
  return sum;
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
