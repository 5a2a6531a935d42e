#include "base/core/hash.hpp"

#include <xxhash.h>

#include <array>
#include <bit>
#include <cstring>
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

std::optional<std::uint64_t> parse_hex64(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint64_t hash = 0;
  if (text.size() != 16) return std::nullopt;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    hash = hash << 4 | digit;
  }
  return hash;
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
  // Many values are added a few at a time: they wait here, since a call of the library costs as much as hashing them.
  void add(const void* data, std::size_t size) {
    if (size > waiting.size() - used) {
      flush();
      if (size > waiting.size()) {
        XXH3_64bits_update(xxh, data, size);
        return;
      }
    }
    char* to = waiting.data() + used;
    const char* from = static_cast<const char*>(data);
    used += size;
    constexpr std::size_t kWords = 8 * sizeof(double);  // of a fixed size, copied without a call
    for (; size >= kWords; size -= kWords, to += kWords, from += kWords) std::memcpy(to, from, kWords);
    for (; size >= sizeof(double); size -= sizeof(double), to += sizeof(double), from += sizeof(double))
      std::memcpy(to, from, sizeof(double));
    if (size != 0) std::memcpy(to, from, size);
  }
  void flush() {
    XXH3_64bits_update(xxh, waiting.data(), used);
    used = 0;
  }
  std::array<char, 4096> waiting{};
  std::size_t used = 0;
};

StateHash::StateHash() : state_(std::make_unique<State>()) {}
StateHash::StateHash(StateHash&&) noexcept = default;
StateHash& StateHash::operator=(StateHash&&) noexcept = default;
StateHash::~StateHash() = default;

void StateHash::add(std::string_view bytes) { state_->add(bytes.data(), bytes.size()); }
void StateHash::add(std::span<const double> values) { state_->add(values.data(), values.size_bytes()); }
void StateHash::add(std::uint64_t value) { state_->add(&value, sizeof value); }
std::uint64_t StateHash::value() const {
  state_->flush();
  return XXH3_64bits_digest(state_->xxh);
}

}  // namespace simbatch
