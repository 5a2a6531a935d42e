#include "base/protobuf/wire.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "base/core/little_endian.hpp"

namespace simbatch::protobuf {
namespace {

char byte_of(std::uint64_t value, std::size_t byte) { return static_cast<char>(value >> (8 * byte) & 0xFF); }

}  // namespace

void Writer::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) *out_ += static_cast<char>(value | 0x80);
  *out_ += static_cast<char>(value);
}

void Writer::whole(std::uint32_t field, std::uint64_t value) {
  if (value == 0) return;
  key(field, kVarint);
  varint(value);
}

void Writer::fixed32(std::uint32_t field, std::uint32_t value) {
  if (value == 0) return;
  key(field, kFour);
  for (std::size_t i = 0; i < 4; ++i) *out_ += byte_of(value, i);
}

void Writer::number(std::uint32_t field, double value) {
  if (std::bit_cast<std::uint64_t>(value) == 0) return;
  key(field, kEight);
  eight_bytes(value);
}

void Writer::numbers(std::uint32_t field, std::span<const double> values) {
  if (values.empty()) return;
  key(field, kBytes);
  varint(8 * values.size());
  for (const double value : values) eight_bytes(value);
}

void Writer::message_of_numbers(std::uint32_t field, std::span<const double> values) {
  constexpr std::size_t kMost = 13;  // of 9 bytes each
  assert(values.size() <= kMost);
  char bytes[9 * kMost];
  char* to = bytes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(values[i]) == 0) continue;
    *to++ = static_cast<char>((i + 1) << 3 | kEight);
    to = std::copy_n(Eight(values[i]).bytes, 8, to);
  }
  key(field, kBytes);
  varint(static_cast<std::size_t>(to - bytes));
  out_->append(bytes, static_cast<std::size_t>(to - bytes));
}

void Writer::text(std::uint32_t field, std::string_view value) {
  if (value.empty()) return;
  key(field, kBytes);
  varint(value.size());
  *out_ += value;
}

std::size_t Writer::open(std::uint32_t field) {
  key(field, kBytes);
  *out_ += '\0';  // the length of a short message
  return out_->size();
}

void Writer::close(std::size_t opened) {
  assert(opened > 0 && opened <= out_->size());
  std::uint64_t length = out_->size() - opened;
  if (length < 0x80) {
    (*out_)[opened - 1] = static_cast<char>(length);
    return;
  }
  char text[10];
  std::size_t size = 0;
  for (; length >= 0x80; length >>= 7) text[size++] = static_cast<char>(length | 0x80);
  text[size++] = static_cast<char>(length);
  out_->replace(opened - 1, 1, text, size);
}

double Field::real() const { return std::bit_cast<double>(whole); }

std::uint64_t Reader::varint() {
  constexpr int kLast = 63;  // the tenth byte has one bit left
  std::uint64_t value = 0;
  for (int shift = 0; shift <= kLast; shift += 7) {
    if (at_ == bytes_.size()) throw ReadFault{at_, "a message of protobuf ends within a number"};
    const auto byte = static_cast<unsigned char>(bytes_[at_++]);
    if (shift == kLast && byte > 1) break;
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  throw ReadFault{at_, "a number of protobuf has more than 64 bits"};
}

std::uint64_t Reader::little(std::size_t bytes) {
  if (bytes > bytes_.size() - at_) throw ReadFault{at_, "a message of protobuf ends within a number"};
  at_ += bytes;
  return little_endian(bytes_.substr(at_ - bytes, bytes));
}

bool Reader::next(Field& field) {
  if (at_ == bytes_.size()) return false;
  const std::size_t start = at_;
  const std::uint64_t key = varint();
  if (key >> 3 == 0 || key >> 3 > kMaxField) throw ReadFault{start, "a field of protobuf has a number out of range"};
  field.number = static_cast<std::uint32_t>(key >> 3);
  switch (key & 7) {
    case kVarint:
      field.type = kVarint;
      field.whole = varint();
      return true;
    case kEight:
      field.type = kEight;
      field.whole = little(8);
      return true;
    case kFour:
      field.type = kFour;
      field.whole = little(4);
      return true;
    case kBytes: {
      field.type = kBytes;
      const std::uint64_t length = varint();
      if (length > bytes_.size() - at_) throw ReadFault{at_, "a field of protobuf is longer than its message"};
      field.bytes = bytes_.substr(at_, length);
      at_ += length;
      return true;
    }
    default: throw ReadFault{start, "a field of protobuf has an unknown wire type"};
  }
}

}  // namespace simbatch::protobuf
