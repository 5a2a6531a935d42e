// MAT-File Format, The MathWorks, chapter 1 (level 5; compressed elements are those of version 7).
#include "base/mat/read.hpp"

#include <bit>
#include <cstdint>

#include "base/compress/stream.hpp"
#include "base/core/little_endian.hpp"
#include "base/core/text.hpp"
#include "base/mat/layout.hpp"

namespace simbatch::mat {
namespace {

using namespace detail;

constexpr std::size_t kFileHead = 128, kVariableHead = 256;  // names have at most 63 characters

std::uint64_t little(std::string_view bytes, std::size_t at, std::size_t count) {
  if (at > bytes.size() || count > bytes.size() - at) throw ReadFault("the file is cut");
  return little_endian(bytes.substr(at, count));
}

/// An element at a place, which moves past it.
struct Element {
  std::uint64_t type = 0;
  std::string_view data;
};
Element element(std::string_view bytes, std::size_t& at) {
  Element out;
  const std::uint64_t word = little(bytes, at, 4);
  if (const std::uint64_t small = word >> 16; small > 0) {  // type and size in four bytes
    if (small > 4) throw ReadFault("an element is damaged");
    out = {word & 0xFFFF, bytes.substr(at + 4, small)};
    at += 8;
    return out;
  }
  const std::uint64_t size = little(bytes, at + 4, 4);
  if (size > bytes.size() - at - 8) throw ReadFault("an element is longer than what it is in");
  out = {word, bytes.substr(at + 8, size)};
  at += 8 + (size + 7) / 8 * 8;
  return out;
}

/// Class, dimensions, name; the place moves to the values.
struct Head {
  std::uint64_t kind = 0, rows = 0, columns = 0;
  std::string_view name;
};
Head head_of(std::string_view variable, std::size_t& at) {
  if (little(variable, 0, 4) != kMatrix) throw ReadFault("a variable is not a matrix");
  at = 8;
  Head head;
  head.kind = little(element(variable, at).data, 0, 1);
  const std::string_view sizes = element(variable, at).data;
  head.rows = little(sizes, 0, 4);
  head.columns = little(sizes, 4, 4);
  head.name = element(variable, at).data;
  return head;
}

}  // namespace

bool is_mat(std::string_view file) {
  return file.starts_with("MATLAB 5.0 MAT-file") && file.size() >= kFileHead && file.substr(kFileHead - 2, 2) == "IM";
}

std::optional<std::string> variable(std::string_view file, std::string_view name) {
  if (!is_mat(file)) throw ReadFault("not a little-endian MAT-file of level 5");
  for (std::size_t at = kFileHead; at < file.size();) {
    const std::uint64_t type = little(file, at, 4), size = little(file, at + 4, 4);
    at += 8;
    if (type != kCompressed) throw ReadFault("a variable is not compressed");
    if (size > file.size() - at) throw ReadFault("the file is cut within a variable");
    const std::string_view packed = file.substr(at, size);
    at += size;
    const std::optional<std::string> start = inflated(packed, true, kVariableHead);
    std::size_t values = 0;
    if (!start) throw ReadFault("a variable is damaged");
    if (head_of(*start, values).name != name) continue;
    const std::uint64_t whole = 8 + little(*start, 4, 4);
    if (whole / kMaxInflation > packed.size()) throw ReadFault("a variable is larger than its packed bytes can hold");
    std::optional<std::string> plain = inflated(packed, true, whole);
    if (!plain || plain->size() != whole) throw ReadFault("a variable is damaged");
    return plain;
  }
  return std::nullopt;
}

std::vector<double> numbers(std::string_view variable) {
  std::size_t at = 0;
  const Head head = head_of(variable, at);
  const Element values = element(variable, at);
  if (head.kind != kNumbers || values.type != kDouble || values.data.size() != 8 * head.rows * head.columns)
    throw ReadFault("a variable is not a column of numbers");
  std::vector<double> out;
  for (std::size_t i = 0; i < values.data.size(); i += 8) out.push_back(std::bit_cast<double>(little(values.data, i, 8)));
  return out;
}

std::string text(std::string_view variable) {
  std::size_t at = 0;
  const Head head = head_of(variable, at);
  const Element values = element(variable, at);
  if (head.kind != kCharacters || head.rows != 1) throw ReadFault("a variable is not a text");
  if (values.type == kUtf8) return std::string(values.data);
  if (values.type != kUint16) throw ReadFault("a text is in an unsupported encoding");
  std::string out;
  for (std::size_t i = 0; i + 2 <= values.data.size(); i += 2)
    append_utf8(out, static_cast<std::uint32_t>(little(values.data, i, 2)));
  return out;
}

}  // namespace simbatch::mat
