// Zigzag variable-length integers as in Protocol Buffers; byte planes of differences as in lossless compression of
// floating-point columns.

#include "lib/view/blocks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace simbatch::view {

void append_integer(std::string& to, std::int64_t value) {
  auto bits = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  while (bits >= 0x80) {
    to += static_cast<char>(bits | 0x80);
    bits >>= 7;
  }
  to += static_cast<char>(bits);
}

void append_differences(std::string& to, std::span<const std::int64_t> values) {
  std::int64_t last = 0;
  for (const std::int64_t value : values) {
    append_integer(to, value - last);
    last = value;
  }
}

void append_second_differences(std::string& to, std::span<const std::int64_t> values) {
  std::int64_t last = 0, slope = 0;
  for (const std::int64_t value : values) {
    append_integer(to, value - last - slope);
    slope = value - last;
    last = value;
  }
}

namespace {

template <class Bits>
Bits zigzag(Bits difference) {
  constexpr unsigned kTop = 8 * sizeof(Bits) - 1;
  return static_cast<Bits>((difference << 1) ^ (Bits{0} - (difference >> kTop)));
}

/// The differences of the given order, the values before the first being 0.
template <class Bits>
std::vector<Bits> differences(std::vector<Bits> bits, int order) {
  for (; order > 0; --order)
    for (std::size_t i = bits.size(); i-- > 1;) bits[i] = static_cast<Bits>(bits[i] - bits[i - 1]);
  for (Bits& each : bits) each = zigzag(each);
  return bits;
}

template <class Bits, class Float>
void append_planes(std::string& to, std::span<const double> values) {
  std::vector<Bits> bits;
  bits.reserve(values.size());
  for (const double value : values) bits.push_back(std::bit_cast<Bits>(static_cast<Float>(value)));
  int order = 0;
  std::uint64_t least = ~std::uint64_t{0};
  for (int tried = 0; tried <= 2; ++tried) {
    std::uint64_t width = 0;
    for (const Bits each : differences(bits, tried)) width += static_cast<std::uint64_t>(std::bit_width(each));
    if (width >= least) continue;
    least = width;
    order = tried;
  }
  to += static_cast<char>(order);
  bits = differences(std::move(bits), order);
  for (unsigned shift = 8 * sizeof(Bits); shift > 0;) {
    shift -= 8;
    for (const Bits each : bits) to += static_cast<char>(each >> shift & 0xFF);
  }
}

}  // namespace

void append_texts(std::string& to, std::span<const std::string> texts) {
  std::vector<const std::string*> fresh;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0 && texts[i] == texts[i - 1]) {
      append_integer(to, 0);
      continue;
    }
    append_integer(to, static_cast<std::int64_t>(texts[i].size()) + 1);
    if (!texts[i].empty()) fresh.push_back(&texts[i]);
  }
  for (std::size_t place = 0; !fresh.empty(); ++place) {
    for (const std::string* text : fresh) to += (*text)[place];
    std::erase_if(fresh, [&](const std::string* text) { return text->size() == place + 1; });
  }
}

void append_float_planes(std::string& to, std::span<const double> values) { append_planes<std::uint32_t, float>(to, values); }
void append_double_planes(std::string& to, std::span<const double> values) { append_planes<std::uint64_t, double>(to, values); }

std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::int64_t quantized(double value, double step) {
  const double n = std::round(value / step);
  return std::abs(n) < 4e15 ? static_cast<std::int64_t>(n) : 0;
}

}  // namespace simbatch::view
