#pragma once
/// DEFLATE read as RFC 1951 describes it, bit by bit: an oracle for what the project and zlib write. Slow and strict.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::test {

/// Adler-32 (RFC 1950, section 8.2).
inline std::uint32_t adler32_of(std::string_view bytes) {
  std::uint32_t a = 1, b = 0;
  for (const char c : bytes) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

namespace detail {

/// Thrown where the bytes are not DEFLATE.
struct NotDeflate {};

/// Bits of a text, the least significant of each byte first.
class Bits {
 public:
  explicit Bits(std::string_view bytes) : bytes_(bytes) {}
  unsigned next() {
    if (at_ / 8 >= bytes_.size()) throw NotDeflate();
    const unsigned bit = static_cast<unsigned char>(bytes_[at_ / 8]) >> (at_ % 8) & 1U;
    ++at_;
    return bit;
  }
  unsigned number(unsigned bits) {
    unsigned value = 0;
    for (unsigned i = 0; i < bits; ++i) value |= next() << i;
    return value;
  }
  void to_byte() { at_ = (at_ + 7) / 8 * 8; }
  std::size_t bytes_used() const { return (at_ + 7) / 8; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// A prefix code given by the lengths of its words (section 3.2.2); a word is found by counting, without tables.
class PrefixCode {
 public:
  explicit PrefixCode(const std::vector<unsigned>& lengths) {
    for (unsigned symbol = 0; symbol < lengths.size(); ++symbol)
      if (lengths[symbol] > 0) symbols_.at(lengths[symbol]).push_back(symbol);
    unsigned left = 1;  // words of the present length that no shorter word begins
    for (std::size_t length = 1; length <= kLongest; ++length) {
      left *= 2;
      if (symbols_[length].size() > left) throw NotDeflate();
      left -= static_cast<unsigned>(symbols_[length].size());
    }
  }
  unsigned next(Bits& bits) const {
    unsigned word = 0, first = 0;
    for (std::size_t length = 1; length <= kLongest; ++length) {
      word = word << 1 | bits.next();
      if (word - first < symbols_[length].size()) return symbols_[length][word - first];
      first = (first + static_cast<unsigned>(symbols_[length].size())) << 1;
    }
    throw NotDeflate();
  }

 private:
  static constexpr std::size_t kLongest = 15;
  std::array<std::vector<unsigned>, kLongest + 1> symbols_;
};

struct Codes {
  PrefixCode literals, distances;
};

/// The fixed codes of section 3.2.6.
inline Codes fixed_codes() {
  std::vector<unsigned> literals(288, 8);
  for (std::size_t i = 144; i < 256; ++i) literals[i] = 9;
  for (std::size_t i = 256; i < 280; ++i) literals[i] = 7;
  return {PrefixCode(literals), PrefixCode(std::vector<unsigned>(30, 5))};
}

/// The codes at the start of a block that has its own (section 3.2.7).
inline Codes read_codes(Bits& bits) {
  constexpr std::array<unsigned, 19> kOrder = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  const unsigned literals = 257 + bits.number(5), distances = 1 + bits.number(5), count = 4 + bits.number(4);
  std::vector<unsigned> of_lengths(19), lengths;
  for (unsigned i = 0; i < count; ++i) of_lengths[kOrder[i]] = bits.number(3);
  const PrefixCode code(of_lengths);
  while (lengths.size() < literals + distances) {
    const unsigned symbol = code.next(bits);
    if (symbol < 16) {
      lengths.push_back(symbol);
    } else if (symbol == 16) {
      if (lengths.empty()) throw NotDeflate();
      const unsigned times = 3 + bits.number(2), last = lengths.back();
      lengths.insert(lengths.end(), times, last);
    } else {
      lengths.insert(lengths.end(), symbol == 17 ? 3 + bits.number(3) : 11 + bits.number(7), 0);
    }
  }
  if (lengths.size() != literals + distances || lengths[256] == 0) throw NotDeflate();
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(literals);
  return {PrefixCode({lengths.begin(), middle}), PrefixCode({middle, lengths.end()})};
}

/// A block of literals and repetitions (section 3.2.5).
inline void inflate_block(Bits& bits, const Codes& codes, std::string& out) {
  while (true) {
    const unsigned symbol = codes.literals.next(bits);
    if (symbol == 256) return;
    if (symbol < 256) {
      out += static_cast<char>(symbol);
      continue;
    }
    if (symbol > 285) throw NotDeflate();
    // Lengths: 8 words of one value each, then 4 words for each number of additional bits; the last word is 258.
    unsigned length = 258;
    if (symbol < 265) {
      length = symbol - 254;
    } else if (symbol < 285) {
      const unsigned more = (symbol - 261) / 4;
      length = 3 + ((4 + (symbol - 261) % 4) << more) + bits.number(more);
    }
    const unsigned word = codes.distances.next(bits);
    if (word > 29) throw NotDeflate();
    unsigned distance = word + 1;
    if (word >= 4) {
      const unsigned more = word / 2 - 1;
      distance = 1 + ((2 + word % 2) << more) + bits.number(more);
    }
    if (distance > out.size()) throw NotDeflate();
    for (unsigned i = 0; i < length; ++i) out += out[out.size() - distance];
  }
}

inline std::string inflate_all(Bits& bits) {
  std::string out;
  for (bool last = false; !last;) {
    last = bits.next() != 0;
    const unsigned kind = bits.number(2);
    if (kind == 3) throw NotDeflate();
    if (kind == 0) {
      bits.to_byte();
      const unsigned size = bits.number(16);
      if (bits.number(16) != (size ^ 0xFFFFU)) throw NotDeflate();
      for (unsigned i = 0; i < size; ++i) out += static_cast<char>(bits.number(8));
    } else {
      inflate_block(bits, kind == 1 ? fixed_codes() : read_codes(bits), out);
    }
  }
  return out;
}

}  // namespace detail

/// The text that was deflated; empty if `bytes` are not exactly one DEFLATE stream.
inline std::optional<std::string> inflated_plain(std::string_view bytes) {
  try {
    detail::Bits bits(bytes);
    std::string out = detail::inflate_all(bits);
    if (bits.bytes_used() != bytes.size()) return std::nullopt;
    return out;
  } catch (const detail::NotDeflate&) {
    return std::nullopt;
  }
}

/// The same with the head and the check sum of RFC 1950, both of which must be right.
inline std::optional<std::string> inflated_zlib(std::string_view bytes) {
  if (bytes.size() < 6) return std::nullopt;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(bytes[i])); };
  if ((byte(0) & 15U) != 8 || (byte(0) >> 4) > 7 || (byte(0) * 256 + byte(1)) % 31 != 0 || (byte(1) & 32U) != 0)
    return std::nullopt;
  auto out = inflated_plain(bytes.substr(2, bytes.size() - 6));
  std::uint32_t sum = 0;
  for (std::size_t i = bytes.size() - 4; i < bytes.size(); ++i) sum = sum << 8 | byte(i);
  if (!out || adler32_of(*out) != sum) return std::nullopt;
  return out;
}

}  // namespace simbatch::test
