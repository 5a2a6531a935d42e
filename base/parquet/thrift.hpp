#pragma once
/// The part of Thrift's compact protocol (thrift-compact-protocol.md) that the headers of Parquet files use.

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::parquet::detail {

enum ThriftType {
  kTrue = 1,
  kFalse = 2,
  kByte = 3,
  kI16 = 4,
  kI32 = 5,
  kI64 = 6,
  kReal = 7,
  kBinary = 8,
  kList = 9,
  kSet = 10,
  kMap = 11,
  kStruct = 12
};

/// Writes fields in ascending order, each with the difference of its id from the previous one.
class ThriftWriter {
 public:
  void i32(int field, std::int64_t value) { integer(field, 5, value); }
  void i64(int field, std::int64_t value) { integer(field, 6, value); }
  void text(int field, std::string_view value) {
    head(field, 8);
    bytes(value);
  }
  void start(int field) {
    head(field, 12);
    start();
  }
  void start() {
    lasts_.push_back(last_);
    last_ = 0;
  }
  void stop() {
    out_ += '\0';
    last_ = lasts_.back();
    lasts_.pop_back();
  }
  /// @param type  5 i32, 8 text, 12 struct
  void list(int field, int type, std::size_t size) {
    head(field, 9);
    if (size < 15) {
      out_ += static_cast<char>((size << 4) | static_cast<unsigned>(type));
    } else {
      out_ += static_cast<char>(0xF0 | type);
      varint(size);
    }
  }
  void item(std::int64_t value) { varint(zigzag(value)); }
  void item(std::string_view value) { bytes(value); }
  std::string take() && { return std::move(out_); }

 private:
  static std::uint64_t zigzag(std::int64_t v) {
    return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63);
  }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>((value & 0x7F) | 0x80);
    out_ += static_cast<char>(value);
  }
  void bytes(std::string_view value) {
    varint(value.size());
    out_ += value;
  }
  void integer(int field, int type, std::int64_t value) {
    head(field, type);
    varint(zigzag(value));
  }
  void head(int field, int type) {
    out_ += static_cast<char>(((field - last_) << 4) | type);  // differences of field ids in parquet.thrift are less than 16
    last_ = field;
  }
  std::string out_;
  int last_ = 0;
  std::vector<int> lasts_;
};

/// Thrown where bytes are not what the protocol or parquet.thrift expects.
struct ThriftFault {
  std::size_t offset;  ///< in the text that is read
  std::string message;
};

/// Reads from arbitrary bytes. All members throw ThriftFault; nesting is at most kMaxDepth.
class ThriftReader {
 public:
  static constexpr int kMaxDepth = 32;

  explicit ThriftReader(std::string_view text) : text_(text) {}
  std::size_t offset() const { return at_; }

  /// A struct: calls field(id, type) for each; the callee reads the value or calls skip(type).
  template <class Visit>
  void structure(Visit&& field) {
    enter();
    for (int last = 0;;) {
      const unsigned char head = byte();
      if (head == 0) break;
      const int type = head & 15, step = head >> 4;
      last = step != 0 ? last + step : static_cast<int>(integer(-32768, 32767));
      field(last, type);
    }
    --depth_;
  }
  /// A list: calls item(type) for each element. Elements take at least a byte each, so a size beyond the text is a fault.
  template <class Visit>
  void list(Visit&& item) {
    const unsigned char head = byte();
    std::uint64_t size = head >> 4;
    if (size == 15) size = varint();
    if (size > text_.size() - at_) fail("a list is longer than the text");
    for (; size > 0; --size) item(static_cast<int>(head & 15));
  }
  /// An integer of any width. @throws ThriftFault if it is not in the range
  std::int64_t integer(std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
    const std::uint64_t v = varint();
    const auto value = static_cast<std::int64_t>((v >> 1) ^ (~(v & 1) + 1));
    if (value < least || value > most) fail("a number is out of its range");
    return value;
  }
  std::string_view bytes() {
    const std::uint64_t size = varint();
    if (size > text_.size() - at_) fail("a text is longer than what contains it");
    const std::string_view value = text_.substr(at_, size);
    at_ += size;
    return value;
  }
  void skip(int type) {
    switch (type) {
      case kTrue:
      case kFalse: break;
      case kByte: byte(); break;
      case kI16:
      case kI32:
      case kI64: varint(); break;
      case kReal:
        if (text_.size() - at_ < 8) fail("the text ends within a number");
        at_ += 8;
        break;
      case kBinary: bytes(); break;
      case kList:
      case kSet:
        enter();
        list([this](int item) { item == kTrue || item == kFalse ? void(byte()) : skip(item); });
        --depth_;
        break;
      case kStruct: structure([this](int, int field) { skip(field); }); break;
      default: fail("an unknown type");
    }
  }
  [[noreturn]] void fail(const char* message) const { throw ThriftFault{at_, message}; }

 private:
  void enter() {
    if (++depth_ > kMaxDepth) fail("nested too deeply");
  }
  unsigned char byte() {
    if (at_ >= text_.size()) fail("the text ends too early");
    return static_cast<unsigned char>(text_[at_++]);
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const unsigned char next = byte();
      value |= static_cast<std::uint64_t>(next & 0x7F) << shift;
      if (next < 0x80) return value;
    }
    fail("a number has more than 64 bits");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace simbatch::parquet::detail
