// The matches are handed to libzstd as sequences of literals and matches (ZSTD_compressSequences), which it encodes in blocks of
// 128 kB (RFC 8878, 3.1.1.3.2). Equal bytes are found eight at a time: Warren, Hacker's Delight, 6-1.
#define ZSTD_STATIC_LINKING_ONLY
#include "base/compress/repeats.hpp"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace simbatch {
namespace {

constexpr std::size_t kBlock = std::size_t{128} << 10, kShortest = 3, kWord = 8;
constexpr std::size_t kSmall = 256, kLarge = std::size_t{64} << 20;  // beyond them the library searches
constexpr std::size_t kLong = 16;                                    // so long a match may have any offset
constexpr int kHashBits = 14, kLevel = 1, kSmallestWindow = 10;

/// The first byte is the least significant one.
std::uint64_t word_at(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, kWord);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

class Matcher {
 public:
  Matcher(std::string_view bytes, std::span<const Repeat> repeats, std::vector<std::uint32_t>& table,
          std::vector<ZSTD_Sequence>& sequences)
      : bytes_(bytes.data()), size_(bytes.size()), repeats_(repeats), table_(table), sequences_(sequences) {}

  void run() {
    sequences_.clear();
    table_.assign(std::size_t{1} << kHashBits, 0);
    for (std::size_t at = 0; at + kWord <= size_;) at = step(at);
    while (size_ > block_ + kBlock) end_block();
    sequences_.push_back({0, static_cast<unsigned>(size_ - literals_), 0, 0});
  }

 private:
  struct Match {
    std::size_t offset = 0, length = 0;
  };

  /// Takes a match, or passes literals. @return where to go on
  std::size_t step(std::size_t at) {
    for (; next_ < repeats_.size() && repeats_[next_].at <= at; ++next_) row_ = repeats_[next_].at - repeats_[next_].before;
    const std::size_t region = next_ < repeats_.size() ? std::min(repeats_[next_].at, size_) : size_;
    const Match other = elsewhere(at);
    if (row_ == 0) {
      if (other.length < kWord) return at + 1;
      return take(at, other);
    }
    const std::size_t found = next_repeat(at, region);
    // What the other match saves until the row's goes on, in bytes, against what a new offset takes.
    if (other.length >= kShortest && other.offset != row_) {
      const std::size_t row = found == at ? common(at, row_) : 0;
      const std::size_t saved = found == at ? other.length - std::min(row, other.length) : std::min(other.length, found - at);
      if (saved > (other.offset == other_ || other.length >= kLong ? 1U : 2U)) return take(at, other);
    }
    if (found == region) return region;
    const std::size_t length = common(found, row_);
    put(found, row_, length);
    return found + length;
  }

  std::size_t take(std::size_t at, Match match) {
    put(at, match.offset, match.length);
    other_ = match.offset;
    return at + match.length;
  }

  /// Where the same eight bytes were last, or what the last match not of the row gives.
  Match elsewhere(std::size_t at) {
    std::uint32_t& slot = table_[word_at(bytes_ + at) * 0x9E3779B97F4A7C15U >> (64 - kHashBits)];
    Match match;
    if (slot != 0) match = {at - (slot - 1), common(at, at - (slot - 1))};
    if (other_ != 0 && other_ <= at && other_ != match.offset) {
      constexpr std::size_t kOffsetBytes = 6;  // a new offset is worth it only beyond that
      const std::size_t length = common(at, other_);
      if (length >= kShortest && length + kOffsetBytes >= match.length) match = {other_, length};
    }
    slot = static_cast<std::uint32_t>(at + 1);
    return match;
  }

  /// The first place in [at, region) from which on three bytes are those of the row before; `region` if there is none.
  std::size_t next_repeat(std::size_t at, std::size_t region) const {
    constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7F, kHigh = 0x8080808080808080;
    for (; at < region && at + kWord <= size_; at += kWord - kShortest + 1) {
      const std::uint64_t changed = word_at(bytes_ + at) ^ word_at(bytes_ + at - row_);
      const std::uint64_t equal = ~(((changed & kLow) + kLow) | changed) & kHigh;
      const std::uint64_t three = equal & equal >> 8 & equal >> 16;
      if (three != 0) return std::min(region, at + static_cast<std::size_t>(std::countr_zero(three)) / 8);
    }
    return region;
  }

  /// How many bytes from `at` on are those that were `offset` bytes before.
  std::size_t common(std::size_t at, std::size_t offset) const {
    std::size_t end = at;
    for (; end + kWord <= size_; end += kWord)
      if (const std::uint64_t changed = word_at(bytes_ + end) ^ word_at(bytes_ + end - offset); changed != 0)
        return end - at + static_cast<std::size_t>(std::countr_zero(changed)) / 8;
    while (end < size_ && bytes_[end] == bytes_[end - offset]) ++end;
    return end - at;
  }

  /// A match, in as many pieces as there are blocks.
  void put(std::size_t at, std::size_t offset, std::size_t length) {
    while (length >= kShortest) {
      while (at >= block_ + kBlock) end_block();
      const std::size_t fits = std::min(length, block_ + kBlock - at);
      if (fits >= kShortest) {
        sequences_.push_back(
            {static_cast<unsigned>(offset), static_cast<unsigned>(at - literals_), static_cast<unsigned>(fits), 0});
        literals_ = at + fits;
      }
      at += fits;
      length -= fits;
    }
  }
  void end_block() {
    sequences_.push_back({0, static_cast<unsigned>(block_ + kBlock - literals_), 0, 0});
    block_ += kBlock;
    literals_ = block_;
  }

  const char* bytes_;
  std::size_t size_;
  std::span<const Repeat> repeats_;
  std::size_t next_ = 0, row_ = 0, other_ = 0;  // of `repeats_`; offsets of the row before, and of the last other match
  std::size_t block_ = 0, literals_ = 0;        // where they begin
  std::vector<std::uint32_t>& table_;           // of the places of eight bytes, counted from 1
  std::vector<ZSTD_Sequence>& sequences_;
};

std::size_t checked(std::size_t result) {
  if (ZSTD_isError(result) != 0) throw std::runtime_error(ZSTD_getErrorName(result));
  return result;
}

}  // namespace

struct RepeatPacker::State {
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> zstd{ZSTD_createCCtx(), ZSTD_freeCCtx};
  std::vector<std::uint32_t> table;
  std::vector<ZSTD_Sequence> sequences;
  std::string out;
};

RepeatPacker::RepeatPacker() : state_(std::make_unique<State>()) {
  if (!state_->zstd) throw std::bad_alloc();
}
RepeatPacker::~RepeatPacker() = default;

std::string_view RepeatPacker::pack(std::string_view bytes, std::span<const Repeat> repeats) {
  State& s = *state_;
  ZSTD_CCtx* const zstd = s.zstd.get();
  if (const std::size_t most = ZSTD_compressBound(bytes.size()); s.out.size() < most) s.out.resize(most);
  checked(ZSTD_CCtx_reset(zstd, ZSTD_reset_session_and_parameters));
  checked(ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, kLevel));
  if (bytes.size() < kSmall || bytes.size() > kLarge)
    return std::string_view(s.out).substr(
        0, checked(ZSTD_compress2(zstd, s.out.data(), s.out.size(), bytes.data(), bytes.size())));
  Matcher(bytes, repeats, s.table, s.sequences).run();
  const int window = std::max(kSmallestWindow, static_cast<int>(std::bit_width(bytes.size() - 1)));
  checked(ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, window));
  checked(ZSTD_CCtx_setParameter(zstd, ZSTD_c_minMatch, kShortest));
#ifdef ZSTD_c_searchForExternalRepcodes  // since 1.5.4; earlier versions always write a repeated offset as such
  checked(ZSTD_CCtx_setParameter(zstd, ZSTD_c_searchForExternalRepcodes, ZSTD_ps_enable));
#endif
  checked(ZSTD_CCtx_setParameter(zstd, ZSTD_c_blockDelimiters, ZSTD_sf_explicitBlockDelimiters));
  return std::string_view(s.out).substr(0, checked(ZSTD_compressSequences(zstd, s.out.data(), s.out.size(), s.sequences.data(),
                                                                          s.sequences.size(), bytes.data(), bytes.size())));
}

}  // namespace simbatch
