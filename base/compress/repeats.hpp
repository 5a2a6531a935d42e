#pragma once
/// Zstandard frames of records that repeat an earlier record except for some bytes, such as rows of numbers.

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace simbatch {

/// From `at` on, up to the next one, the bytes are expected to be like those from `before` on.
struct Repeat {
  std::size_t at = 0;
  std::size_t before = 0;  ///< less than `at`; equal: nothing is known
};

/// Chooses the matches of Zstandard itself. The library searches with hashes of five bytes or more. Rows of numbers, each a key
/// and a double, repeat the row before in shorter pieces: 12.61 after 12.58 has only its two high bytes and the key of the next
/// number in common with it (29 40, 11). Here those places are tried first. Smaller than level 1 by a tenth or more for such
/// records, and as fast; for other texts like level 1.
class RepeatPacker {
 public:
  RepeatPacker();
  ~RepeatPacker();
  /// @param repeats  in ascending order of `at`; what they say is only a hint
  /// @return an ordinary frame (RFC 8878), until the next call
  std::string_view pack(std::string_view bytes, std::span<const Repeat> repeats);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace simbatch
