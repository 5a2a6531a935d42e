// ZIP: PKWARE's APPNOTE.TXT 6.3, sections 4.3.7, 4.3.12 and 4.3.16. Arrays: NumPy's format 1.0 (numpy.lib.format).
#include "base/npz/npz.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/compress/compress.hpp"

namespace simbatch::npz {
namespace {

constexpr std::size_t kMaxBytes = 0xFFFFFFFF;  // sizes and offsets have 32 bits
constexpr std::size_t kMaxMembers = 0xFFFF;
constexpr int kLevel = 6;
constexpr unsigned kUtf8Names = 1U << 11, kDeflate = 8, kVersion = 20;
constexpr unsigned kFirstDay = (1U << 5) | 1;  // 1 January 1980, the format's first

void append_little(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFF);
}

/// The characters of valid UTF-8.
std::u32string characters(std::string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto head = static_cast<unsigned char>(text[i]);
    const std::size_t length = head < 0x80 ? 1 : head < 0xE0 ? 2 : head < 0xF0 ? 3 : 4;
    char32_t c = length == 1 ? head : head & (0x7FU >> length);
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
      c = c << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    out += c;
    i += length;
  }
  return out;
}

}  // namespace

struct Writer::State {
  std::function<void(std::string_view)> sink;
  std::string directory;
  std::size_t offset = 0, members = 0;
  void put(std::string_view bytes) {
    sink(bytes);
    offset += bytes.size();
  }
};

Writer::Writer(std::function<void(std::string_view)> sink) : state_(std::make_unique<State>()) {
  state_->sink = std::move(sink);
}
Writer::~Writer() = default;

void Writer::member(std::string_view name, std::string_view descr, std::string_view shape, std::string_view data) {
  State& s = *state_;
  std::string head = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': " + std::string(shape) + ", }";
  constexpr std::size_t kPreamble = 10, kAlignment = 64;
  head.resize((head.size() + kPreamble + kAlignment) / kAlignment * kAlignment - kPreamble, ' ');
  head.back() = '\n';
  std::string array("\x93NUMPY\x01\x00", 8);
  append_little(array, head.size(), 2);
  array += head;
  array += data;
  if (array.size() > kMaxBytes || s.members == kMaxMembers)
    throw std::length_error("an array, or the number of arrays, is too large for an .npz file");
  const std::string packed = deflated(array, Wrapper::none, kLevel);
  const std::string file_name = std::string(name) + ".npy";
  if (s.offset + packed.size() + s.directory.size() + 4096 + 2 * file_name.size() > kMaxBytes)
    throw std::length_error("an .npz file would be larger than 4 GiB");

  std::string common;
  append_little(common, kVersion, 2);
  append_little(common, kUtf8Names, 2);
  append_little(common, kDeflate, 2);
  append_little(common, 0, 2);  // time of day
  append_little(common, kFirstDay, 2);
  append_little(common, crc32_of(array), 4);
  append_little(common, packed.size(), 4);
  append_little(common, array.size(), 4);
  append_little(common, file_name.size(), 2);
  append_little(common, 0, 2);  // extra field

  s.directory += "PK\x01\x02";
  append_little(s.directory, kVersion, 2);
  s.directory += common;
  s.directory.append(2 + 2 + 2 + 4, '\0');  // comment, disk, attributes
  append_little(s.directory, s.offset, 4);
  s.directory += file_name;
  ++s.members;

  s.put("PK\x03\x04" + common + file_name);
  s.put(packed);
}

void Writer::add(std::string_view name, std::span<const double> values) {
  std::string data;
  data.reserve(8 * values.size());
  for (const double value : values) append_little(data, std::bit_cast<std::uint64_t>(value), 8);
  member(name, "<f8", "(" + std::to_string(values.size()) + ",)", data);
}

void Writer::add(std::string_view name, std::span<const std::int64_t> values) {
  std::string data;
  data.reserve(8 * values.size());
  for (const std::int64_t value : values) append_little(data, static_cast<std::uint64_t>(value), 8);
  member(name, "<i8", "(" + std::to_string(values.size()) + ",)", data);
}

void Writer::add(std::string_view name, std::span<const std::string_view> values) {
  std::size_t width = 1;
  for (const std::string_view value : values) width = std::max(width, characters(value).size());
  if (width > kMaxBytes / 4 / std::max<std::size_t>(values.size(), 1))
    throw std::length_error("an array of texts is too large for an .npz file");
  std::string data;
  data.reserve(4 * width * values.size());
  for (const std::string_view value : values) {
    const std::u32string text = characters(value);
    for (const char32_t c : text) append_little(data, c, 4);
    data.append(4 * (width - text.size()), '\0');
  }
  member(name, "<U" + std::to_string(width), "(" + std::to_string(values.size()) + ",)", data);
}

void Writer::add_text(std::string_view name, std::string_view value) {
  std::string data;
  const std::u32string text = characters(value);
  for (const char32_t c : text) append_little(data, c, 4);
  if (text.empty()) data.append(4, '\0');
  member(name, "<U" + std::to_string(std::max<std::size_t>(text.size(), 1)), "()", data);
}

void Writer::finish() {
  State& s = *state_;
  const std::size_t start = s.offset;
  s.put(s.directory);
  std::string end = "PK\x05\x06";
  append_little(end, 0, 4);  // disks
  append_little(end, s.members, 2);
  append_little(end, s.members, 2);
  append_little(end, s.directory.size(), 4);
  append_little(end, start, 4);
  append_little(end, 0, 2);  // comment
  s.put(end);
}

}  // namespace simbatch::npz
