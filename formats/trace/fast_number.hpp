#pragma once
/// Doubles to text, fast: the heart of the trace writers.

#include <cstddef>

namespace simbatch::trace::detail {

inline constexpr std::size_t kNumberChars = 48;  ///< write_number never touches more; the text itself has at most 24

/// Writes the shortest text that reads back as the same double, byte for byte what std::to_chars writes.
/// @param out  at least kNumberChars bytes
/// @return one past the last byte written
/// @pre value is finite
/// Digits by Dragonbox (Jeon, 2020) as fmt 9 carries it (bench/trace).
char* write_number(char* out, double value);

}  // namespace simbatch::trace::detail
