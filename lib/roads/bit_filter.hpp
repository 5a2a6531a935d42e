#pragma once
/// Says of most keys outside a set that they are outside, by one bit per hash (Bloom, Space/time trade-offs in hash coding with
/// allowable errors, 1970, with one hash). Private to the room.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace simbatch::roads::detail {

class BitFilter {
 public:
  /// Empties it, for so many keys.
  void reset(std::size_t keys) {
    constexpr std::size_t kBits = 16;  // for each key, so that few other keys have the same
    bits_.assign(std::bit_ceil(2 + kBits * keys), false);
    shift_ = 64 - std::countr_zero(bits_.size());
  }
  void add(std::uint64_t key) { bits_[bit_of(key)] = true; }
  /// False: the key was not added.
  bool may_have(std::uint64_t key) const { return bits_[bit_of(key)]; }

 private:
  std::size_t bit_of(std::uint64_t key) const { return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15U >> shift_); }

  std::vector<bool> bits_ = {false, false};
  int shift_ = 63;
};

}  // namespace simbatch::roads::detail
