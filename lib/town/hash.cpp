#include "lib/town/hash.hpp"

namespace simbatch::town::detail {

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

std::uint64_t hash(std::int64_t id, std::int64_t a) {
  return mixed(mixed(static_cast<std::uint64_t>(id)) ^ static_cast<std::uint64_t>(a));
}

std::uint64_t hash(std::int64_t id, std::int64_t a, std::int64_t b) {
  return mixed(hash(id, a) ^ static_cast<std::uint64_t>(b));
}

}  // namespace simbatch::town::detail
