#pragma once
/// Hashes instead of random numbers: what is drawn at one place does not depend on any other. Private to the room.

#include <cstdint>

namespace simbatch::town::detail {

/// Hashes one, two or three numbers into one with uniformly distributed bits (the finalizer of splitmix64; Steele, Lea, Flood:
/// Fast splittable pseudorandom number generators, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t x);
std::uint64_t hash(std::int64_t id, std::int64_t a);
std::uint64_t hash(std::int64_t id, std::int64_t a, std::int64_t b);  // mixed(hash(id, a) ^ b)
/// The hash as a number, 0 <= x < 1.
inline double share_of(std::uint64_t h) { return static_cast<double>(h >> 11) * 0x1p-53; }

}  // namespace simbatch::town::detail
