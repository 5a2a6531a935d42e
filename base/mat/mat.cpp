// MAT-File Format, The MathWorks, chapter 1 (level 5; compressed elements are those of version 7).
#include "base/mat/mat.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>

#include "base/compress/compress.hpp"
#include "base/mat/layout.hpp"

namespace simbatch::mat {
namespace {

using namespace detail;

constexpr std::size_t kMaxName = 63, kMaxBytes = 0x7FFFFFFF;
constexpr int kLevel = 6;

void append_little(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFF);
}

/// An element: type, size, data, padded to 8 bytes.
void append_element(std::string& out, DataType type, std::string_view data) {
  if (out.size() > kMaxBytes || data.size() > kMaxBytes - out.size())
    throw std::length_error("a variable is too large for a MAT-file");
  append_little(out, type, 4);
  append_little(out, data.size(), 4);
  out += data;
  out.append((8 - data.size() % 8) % 8, '\0');
}

/// UTF-16, which MATLAB has; characters beyond its first plane become U+FFFD, so that rows have one unit a character.
std::u16string units(std::string_view text) {
  std::u16string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto head = static_cast<unsigned char>(text[i]);
    const std::size_t length = head < 0x80 ? 1 : head < 0xE0 ? 2 : head < 0xF0 ? 3 : 4;
    unsigned c = length == 1 ? head : head & (0x7FU >> length);
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
      c = c << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    out += static_cast<char16_t>(c > 0xFFFF ? 0xFFFD : c);
    i += length;
  }
  return out;
}

std::string dimensions(std::size_t rows, std::size_t columns) {
  std::string out;
  append_little(out, rows, 4);
  append_little(out, columns, 4);
  return out;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// As MATLAB has it: ASCII as UTF-8, in which it takes one byte a character, and anything else as UTF-16.
void append_characters(std::string& out, std::string_view name, const std::vector<std::string>& texts) {
  std::vector<std::u16string> rows;
  std::size_t width = 0;
  bool ascii = true;
  for (const std::string& text : texts) {
    rows.push_back(units(text));
    width = std::max(width, rows.back().size());
    ascii = ascii && is_ascii(text);
  }
  if (width > kMaxBytes / 2 / std::max<std::size_t>(texts.size(), 1))
    throw std::length_error("a variable is too large for a MAT-file");
  append_element(out, kInt32, dimensions(texts.size(), width));
  append_element(out, kInt8, name);
  std::string data((ascii ? 1 : 2) * width * texts.size(), '\0');  // column by column
  std::size_t at = 0;
  for (std::size_t column = 0; column < width; ++column) {
    for (const std::u16string& row : rows) {
      const char16_t unit = column < row.size() ? row[column] : u' ';
      data[at++] = static_cast<char>(unit & 0xFF);
      if (!ascii) data[at++] = static_cast<char>(unit >> 8);
    }
  }
  append_element(out, ascii ? kUtf8 : kUint16, data);
}

/// Appends a matrix with all that is in it, in its place: a copy for each level would take as much memory again.
void append_array(std::string& out, std::string_view name, const Value& value) {
  if (value.fill) {
    Value filled;
    filled.kind = value.kind;
    value.fill(filled);
    return append_array(out, name, filled);
  }
  const ArrayClass kind = value.kind == Value::Kind::numbers ? kNumbers
                          : value.kind == Value::Kind::texts ? kCharacters
                                                             : kStructure;
  append_little(out, kMatrix, 4);
  append_little(out, 0, 4);  // the size, which is not known yet
  const std::size_t start = out.size();
  std::string flags;
  append_little(flags, kind, 4);
  append_little(flags, 0, 4);
  append_element(out, kUint32, flags);
  if (kind == kNumbers) {
    append_element(out, kInt32, dimensions(value.numbers.size(), 1));
    append_element(out, kInt8, name);
    std::string data;
    data.reserve(8 * value.numbers.size());
    for (const double number : value.numbers) append_little(data, std::bit_cast<std::uint64_t>(number), 8);
    append_element(out, kDouble, data);
  } else if (kind == kCharacters) {
    append_characters(out, name, value.texts);
  } else {
    append_element(out, kInt32, dimensions(1, 1));
    append_element(out, kInt8, name);
    // The length of names is a small element: type and size in four bytes.
    append_little(out, kInt32 | (4U << 16), 4);
    append_little(out, kMaxName + 1, 4);
    std::string names;
    for (const Value& field : value.fields) names += field.name + std::string(kMaxName + 1 - field.name.size(), '\0');
    append_element(out, kInt8, names);
    for (const Value& field : value.fields) append_array(out, {}, field);  // their names are above
  }
  std::string size;
  append_little(size, out.size() - start, 4);
  out.replace(start - 4, 4, size);
}

}  // namespace

std::string identifier(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  std::string out;
  if (name.empty() || !letter(name[0])) out = "x";
  for (const char c : name) out += letter(c) || (c >= '0' && c <= '9') ? c : '_';
  if (out.size() > kMaxName) out.resize(kMaxName);
  return out;
}

Writer::Writer(std::function<void(std::string_view)> sink) : sink_(std::move(sink)) {
  std::string head = "MATLAB 5.0 MAT-file, written by Simbatch";
  head.resize(124, ' ');
  append_little(head, 0x0100, 2);
  head += "IM";  // read as "MI" by little-endian machines
  sink_(head);
}

void Writer::add(const Value& variable, std::size_t expected) {
  std::string plain;
  plain.reserve(std::min(expected, kMaxBytes));  // pages are touched when used
  append_array(plain, variable.name, variable);
  deflate(plain, Wrapper::zlib, kLevel, [this](std::string_view packed) {
    std::string head;
    append_little(head, kCompressed, 4);
    append_little(head, packed.size(), 4);
    sink_(head);
    sink_(packed);  // not padded
  });
}

}  // namespace simbatch::mat
