#pragma once
/// Random streams that depend on a seed and a name, never on the order of creation (docs/adr/0005).

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace simbatch {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC'11): four 32-bit words from
/// a counter and a key. A pure function; known answers are in the test.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// One stream of random numbers, keyed by (seed, name, index): the same arguments give the same numbers everywhere, and streams
/// with other arguments are independent. Cheap to copy; a copy continues from the same position.
class RandomStream {
 public:
  /// @param seed   of the whole run @param name   fully qualified name of the user ("impreza.chassis.psd0") @param index
  /// number of the source of that user (noise 0, 1, ...)
  RandomStream(std::uint64_t seed, std::string_view name, std::uint32_t index = 0);

  std::uint32_t next32();
  /// Sum of the next `count` words of next32(), several blocks of four words at once.
  std::uint64_t sum32(std::size_t count);
  std::uint64_t next64();
  /// Uniform in [0, 1): 53 bits, k * 2^-53.
  double uniform();
  /// Uniform in [0, n), without bias; n > 0.
  std::uint64_t below(std::uint64_t n);

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 2> stream_{};
  std::uint64_t block_ = 0;  // counter of the next block
  std::array<std::uint32_t, 4> words_{};
  unsigned used_ = 4;
};

}  // namespace simbatch
