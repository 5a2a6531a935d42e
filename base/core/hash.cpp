#include "base/core/hash.hpp"

#include <xxhash.h>

#include <bit>
#include <new>

namespace simbatch {

static_assert(std::endian::native == std::endian::little, "doubles are hashed by their little-endian bytes");

std::uint64_t hash64(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::string hex64(std::uint64_t hash) {
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) out[i] = "0123456789abcdef"[hash & 15];
  return out;
}

struct StateHash::State {
  XXH3_state_t* xxh = XXH3_createState();
  State() {
    if (xxh == nullptr) throw std::bad_alloc();
    XXH3_64bits_reset(xxh);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { XXH3_freeState(xxh); }
};

StateHash::StateHash() : state_(std::make_unique<State>()) {}
StateHash::StateHash(StateHash&&) noexcept = default;
StateHash& StateHash::operator=(StateHash&&) noexcept = default;
StateHash::~StateHash() = default;

void StateHash::add(std::string_view bytes) { XXH3_64bits_update(state_->xxh, bytes.data(), bytes.size()); }
void StateHash::add(std::span<const double> values) { XXH3_64bits_update(state_->xxh, values.data(), values.size_bytes()); }
void StateHash::add(std::uint64_t value) { XXH3_64bits_update(state_->xxh, &value, sizeof value); }
std::uint64_t StateHash::value() const { return XXH3_64bits_digest(state_->xxh); }

}  // namespace simbatch
