#pragma once
/// Hashes of states and files: XXH3, 64 bits (Y. Collet, xxHash specification): fast, well mixed, specified; not for security.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace simbatch {

/// XXH3-64 of the bytes.
std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);
/// 16 lower-case hexadecimal digits.
std::string hex64(std::uint64_t hash);
/// The hash that hex64() gave this text for; nothing for any other text.
std::optional<std::uint64_t> parse_hex64(std::string_view text);

/// A hash over a sequence of values. Doubles are hashed by their bits, in little-endian order on every machine.
class StateHash {
 public:
  StateHash();
  StateHash(StateHash&&) noexcept;
  StateHash& operator=(StateHash&&) noexcept;
  ~StateHash();
  void add(std::string_view bytes);
  void add(std::span<const double> values);
  void add(std::uint64_t value);
  /// The hash of everything added so far; more may be added afterwards.
  std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace simbatch
