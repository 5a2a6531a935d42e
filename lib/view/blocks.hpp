#pragma once
/// Compact encodings of numbers for the replay page: docs/viewer.md describes the format, web/src/data.ts reads it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::view {

/// Appends signed integers: zigzag (0, -1, 1, -2, ...), then seven bits per byte, the lowest first.
void append_integer(std::string& to, std::int64_t value);
inline void append_count(std::string& to, std::size_t count) { append_integer(to, static_cast<std::int64_t>(count)); }
/// First differences, starting from 0: used for meshes.
void append_differences(std::string& to, std::span<const std::int64_t> values);
/// Second differences, starting from 0: uniform motion becomes zeros.
void append_second_differences(std::string& to, std::span<const std::int64_t> values);

/// The bits of floats (or doubles) as integers: one byte with the order of differences that makes them smallest (0, 1 or 2),
/// then the differences in zigzag, split into byte planes, the highest first.
void append_float_planes(std::string& to, std::span<const double> values);
/// Texts as columns of bytes, since the constant parts of a sentence of numbers keep their places: for each text the number of
/// its bytes plus one, or 0 if it equals that of the row before; then, for all others, the first bytes, the second ones, and so
/// on.
void append_texts(std::string& to, std::span<const std::string> texts);
void append_double_planes(std::string& to, std::span<const double> values);

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

/// Quantizes a number to units of `step`; values that are not finite or too large become 0.
std::int64_t quantized(double value, double step);

}  // namespace simbatch::view
