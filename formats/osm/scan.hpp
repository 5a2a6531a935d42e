#pragma once
/// The lowest layer: XML tokens of a window of text. Implements XML 1.0, independent of OSM. A window is a piece of the text in
/// memory: tokens are read while they start and end before `limit`, and kSlack bytes after `limit` are readable. In the last
/// window `limit` is the end of the text, and zeros follow. A token that does not end within a window that is not the last is
/// given back (Step::incomplete), to be read again in the next. Source: Extensible Markup Language (XML) 1.0, 5th edition; the
/// numbers in comments are its productions. Rejects everything that Expat rejects.

#include <emmintrin.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"

namespace simbatch::osm::detail {

/// A block of delimiters that begins before the limit, and an attribute's name after it (DelimiterMask, TagTemplate).
inline constexpr std::size_t kSlack = 64 + 16;

struct Window {
  const char* begin = nullptr;
  const char* limit = nullptr;
  bool last = false;
  bool stays = false;  ///< the memory remains unchanged after the window was read
};

/// Reason why a text is not XML.
struct Fault {
  const Code* code = nullptr;
  const char* at = nullptr;
  std::string message;
};

enum class Step { done, incomplete, failed };

inline bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool is_name_start(char c);  // ASCII only
bool is_name(char c);

/// A run of attribute text between quotes.
struct Value {
  const char* begin = nullptr;
  const char* end = nullptr;
  bool plain = true;  ///< no references, tabs or line ends: the bytes are the value
  std::string_view raw() const { return {begin, static_cast<std::size_t>(end - begin)}; }
};

struct Attribute {
  std::string_view name;
  Value value;
};

/// The value with references resolved and white space normalized (3.3.3), in `scratch`.
std::string_view decoded_text(const Value& value, std::string& scratch);
/// The same; the bytes themselves if plain.
inline std::string_view decoded(const Value& value, std::string& scratch) {
  return value.plain ? value.raw() : decoded_text(value, scratch);
}

/// The quotes around values, and what it takes to find them.
struct Quotes {
  explicit constexpr Quotes(char q) : quote(q) {
    bit.fill(static_cast<char>(q ^ '&'));
    both.fill(static_cast<char>(q | '&'));
  }
  // Either kind of quotes differs from '&' in a single bit: with that bit set, one comparison finds two characters.
  alignas(16) std::array<char, 16> bit{}, both{};
  char quote;
};
inline constexpr Quotes kDoubleQuotes('"'), kSingleQuotes('\'');

/// Where quotes and odd bytes (those that a plain value does not contain) are in 64 bytes of text: found for all of them at
/// once, so that moving from attribute to attribute does not examine the bytes again.
class DelimiterMask {
 public:
  void reset() { base_ = nullptr; }
  /// Prepares for values in these quotes.
  void expect(const Quotes& quotes) {
    if (&quotes == quotes_) [[likely]]
      return;
    quotes_ = &quotes;
    reset();
  }
  /// The first expected quote or odd byte from `at` on, or null when `limit` comes first; may be after `limit`.
  const char* next(const char* at, const char* limit) {
    const auto offset = static_cast<std::size_t>(at - base_);  // of no base: more than 64
    if (offset < 64) [[likely]] {
      const std::uint64_t rest = bits_ >> offset;
      if (rest != 0) [[likely]]
        return at + static_cast<unsigned>(std::countr_zero(rest));
      at = base_ + 64;
    }
    for (; at < limit; at += 64) {
      fill(at);
      if (bits_ != 0) return at + static_cast<unsigned>(std::countr_zero(bits_));
    }
    return nullptr;
  }

 private:
  void fill(const char* at) {
    base_ = at;
    const __m128i bit = _mm_load_si128(reinterpret_cast<const __m128i*>(quotes_->bit.data()));
    const __m128i both = _mm_load_si128(reinterpret_cast<const __m128i*>(quotes_->both.data()));
    bits_ = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * i));
      const __m128i quote_or_reference = _mm_cmpeq_epi8(_mm_or_si128(v, bit), both);
      const __m128i tag = _mm_cmpeq_epi8(v, _mm_set1_epi8('<'));
      // Negative: of bytes below a blank, and of all of 0x80 and above, which are negative themselves.
      const __m128i below = _mm_subs_epi8(v, _mm_set1_epi8(' '));
      const __m128i found = _mm_or_si128(_mm_or_si128(quote_or_reference, tag), below);
      bits_ |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(found))) << (16 * i);
    }
  }
  const char* base_ = nullptr;
  std::uint64_t bits_ = 0;
  const Quotes* quotes_ = nullptr;
};

/// Any token by the rules, slowly, with the reason if it is wrong. Pointers stay valid as long as the window.
class Scanner {
 public:
  Window window;
  Fault fault;
  DelimiterMask delimiters;

  /// A start tag at `at` ('<' and a name start). On success `at` is after it.
  Step start_tag(const char*& at, std::string_view& name, std::vector<Attribute>& attributes, bool& empty);
  Step end_tag(const char*& at, std::string_view& name);     ///< at "</"
  Step comment(const char*& at);                             ///< at "<!--"
  Step instruction(const char*& at);                         ///< at "<?", not the XML declaration
  Step declaration(const char*& at, std::string& encoding);  ///< at "<?xml" and a blank, at the start of the text
  Step cdata(const char*& at, std::string_view& text);       ///< at "<![CDATA["
  /// Character data up to the next '<'. In a window that is not the last, may stop early.
  Step text(const char*& at, std::string_view& text);

  Step fail(const Code& code, const char* at, std::string message);
  /// The end of the window was met: incomplete, or a fault if there is no more text.
  Step cut(const char* token);

  /// A value up to `quote`, from its first byte; on success `at` is at the quote.
  Step value(const char*& at, char quote, bool& plain, const char* token);

 private:
  /// Checks a character that is not plain ASCII text: control byte, or a UTF-8 sequence. Moves past it.
  Step character(const char*& at, const char* token);
  Step reference(const char*& at, const char* token);
  Step check_distinct(const std::vector<Attribute>& attributes);
  Step until(const char*& at, std::string_view end, const char* token);
  std::vector<std::string_view> names_;
};

/// The values of a tag's attributes by role: a number below 16 that the layer above gives to each name.
struct RoleValues {
  static constexpr std::size_t kRoles = 16;
  std::array<const char*, 2 * kRoles> bounds{};  ///< begin and end of each
  std::uint32_t seen = 0;                        ///< bit r: there is a value of role r
  std::uint32_t odd = 0;                         ///< bit r: it is not plain
  bool has(std::size_t role) const { return (seen >> role & 1) != 0; }
  Value operator[](std::size_t role) const { return {bounds[2 * role], bounds[2 * role + 1], (odd >> role & 1) == 0}; }
  void set(std::size_t role, const Value& value) {
    bounds[2 * role] = value.begin;
    bounds[2 * role + 1] = value.end;
    seen |= 1U << role;
    odd = (odd & ~(1U << role)) | (value.plain ? 0U : 1U << role);
  }
};

/// The attributes of a kind of element as in the last tag read slowly: name, blank and quote in one comparison. Tags of one
/// writer look alike, so nearly all of them are read by this; others are left to Scanner.
class TagTemplate {
 public:
  /// Adopts the attributes of a tag if it has more of them than the template. `role_of(name)` gives the roles; names that do
  /// not matter share the last one.
  template <class RoleOf>
  void learn(const std::vector<Attribute>& attributes, RoleOf role_of) {
    if (attributes.size() > kMax || attributes.size() < size_) return;
    size_ = 0;
    if (attributes.empty()) return;
    quotes_ = *attributes.front().value.end == '"' ? &kDoubleQuotes : &kSingleQuotes;
    for (const Attribute& a : attributes) {
      const char quote = *a.value.end;
      if (a.name.size() > 13 || quote != quotes_->quote) {
        size_ = 0;
        return;
      }
      Entry& e = entries_[size_++];
      e = {};
      e.bytes[0] = ' ';
      a.name.copy(&e.bytes[1], a.name.size());
      e.bytes[1 + a.name.size()] = '=';
      e.bytes[2 + a.name.size()] = quote;
      e.size = static_cast<std::uint32_t>(3 + a.name.size());
      e.beyond = 0xFFFF & ~((1U << e.size) - 1);
      const std::uint8_t role = role_of(a.name);
      e.bound = 2 * role;
      e.bit = 1U << role;
    }
  }

  /// Reads attributes and the end of a start tag from the end of its name. @return the end of the tag, or null: read it slowly
  /// @param tag  gets the values of the roles met
  const char* read(const char* at, const char* limit, RoleValues& tag, bool& empty, Scanner& scanner) const {
    scanner.delimiters.expect(*quotes_);
    // Copies of their own stay in registers: texts may be anywhere in memory.
    DelimiterMask delimiters = scanner.delimiters;
    const char quote = quotes_->quote;
    std::uint32_t seen = 0;
    tag.odd = 0;
    for (const Entry *e = entries_.data(), *const last = e + size_; e != last; ++e) {
      if (!e->is_at(at)) continue;
      at += e->size;
      const char** const bounds = &tag.bounds[e->bound];
      bounds[0] = at;
      if ((at = delimiters.next(at, limit)) == nullptr) return nullptr;
      if (*at != quote && (at = rest_of_value(at, quote, *e, tag, scanner)) == nullptr) return nullptr;
      bounds[1] = at++;
      seen |= e->bit;
    }
    tag.seen = seen;
    at += *at == ' ' ? 1 : 0;
    empty = *at == '/';
    at += empty ? 1 : 0;
    scanner.delimiters = delimiters;
    return *at == '>' && at < limit ? at + 1 : nullptr;
  }

 private:
  static constexpr std::size_t kMax = 16;
  struct alignas(16) Entry {
    char bytes[16];
    std::uint32_t size, beyond;  // of `bytes`; those after `size`, a bit each
    std::uint32_t bound, bit;    // of the role: where its value begins in RoleValues::bounds, and its bit
    bool is_at(const char* at) const {
      const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      const __m128i want = _mm_load_si128(reinterpret_cast<const __m128i*>(bytes));
      return (static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(here, want))) | beyond) == 0xFFFF;
    }
  };
  [[gnu::cold]] static const char* rest_of_value(const char* at, char quote, const Entry& e, RoleValues& tag, Scanner& scanner);
  std::array<Entry, kMax> entries_{};
  std::size_t size_ = 0;
  const Quotes* quotes_ = &kDoubleQuotes;
};

/// The first byte from `at` on that is not a blank; may stop at any point after `limit`.
inline const char* skip_blanks(const char* at, const char* limit) {
  while (at < limit) {
    // Blanks and line ends at once; tabs and carriage returns, which are rarer, one by one.
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i blank = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\n')));
    const auto stop = static_cast<std::uint32_t>(_mm_movemask_epi8(blank)) ^ 0xFFFFU;
    if (stop == 0) {
      at += 16;
      continue;
    }
    at += std::countr_zero(stop);
    if (*at == '<' || !is_blank(*at)) return at;
    ++at;
  }
  return at;
}

}  // namespace simbatch::osm::detail
