#pragma once
/// Doubles to text, fast: the heart of the trace writers.

#include <cstddef>

namespace simbatch::trace::detail {

inline constexpr std::size_t kNumberChars = 32;  ///< write_number never writes more

/// Writes the shortest text that reads back as the same double, byte for byte what std::to_chars writes.
/// @param out  at least kNumberChars bytes
/// @return one past the last byte written
/// @pre value is finite
/// Digits by Dragonbox (Jeon, 2020) as fmt 9 carries it; about twice as fast as std::to_chars here (bench/trace).
char* write_number(char* out, double value);

}  // namespace simbatch::trace::detail
