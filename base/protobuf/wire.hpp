#pragma once
/// Protocol Buffers' wire format (https://protobuf.dev/programming-guides/encoding): what MCAP messages are made of.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace simbatch::protobuf {

inline constexpr std::uint32_t kMaxField = (std::uint32_t{1} << 29) - 1;  ///< the largest number of a field

/// How the bytes after a field's key are read.
enum WireType { kVarint = 0, kEight = 1, kBytes = 2, kFour = 5 };

/// Appends the fields of a message (proto3: what is zero or empty is left out, a double only if all its bits are 0, so that -0
/// stays). Fields are written in the order of the calls.
class Writer {
 public:
  /// @param out  to which the bytes are appended; must outlive the writer
  explicit Writer(std::string& out) : out_(&out) {}

  void whole(std::uint32_t field, std::uint64_t value);  ///< uint32, uint64, bool, enum; int32 and int64 of two's complement
  void fixed32(std::uint32_t field, std::uint32_t value);
  void number(std::uint32_t field, double value);
  void numbers(std::uint32_t field, std::span<const double> values);  ///< packed; left out if there are none
  void text(std::uint32_t field, std::string_view value);             ///< string or bytes

  /// A message within, whose fields 1, 2, ... are these: at most 13, so that its length is one byte
  void message_of_numbers(std::uint32_t field, std::span<const double> values);
  /// A message within: what is written between open() and close() is in it. @return what close() is to be called with
  std::size_t open(std::uint32_t field);
  void close(std::size_t opened);

  /// The parts of the above, for callers that write the same fields repeatedly.
  void varint(std::uint64_t value);
  void key(std::uint32_t field, WireType type) { varint(std::uint64_t{field} << 3 | type); }
  void eight_bytes(double value) { out_->append(Eight(value).bytes, 8); }
  void raw(std::string_view fields) { *out_ += fields; }  ///< that were written before

  /// A double on the wire.
  struct Eight {
    explicit Eight(double value) {
      const auto bits = std::bit_cast<std::uint64_t>(value);
      for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(bits >> (8 * i) & 0xFF);
    }
    char bytes[8] = {};
  };

 private:
  std::string* out_;
};

/// What is wrong with a message, and at which of its bytes.
struct ReadFault {
  std::size_t offset = 0;
  const char* message = "";
};

/// A field of a message as it is on the wire.
struct Field {
  std::uint32_t number = 0;
  WireType type = kVarint;
  std::uint64_t whole = 0;      ///< of a varint; the bits of kEight and kFour
  std::string_view bytes = {};  ///< of kBytes
  double real() const;          ///< of kEight
};

/// Reads the fields of a message in their order. Throws ReadFault if the bytes are not a message.
class Reader {
 public:
  /// @param bytes  must outlive the reader and the fields
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  /// @return false at the end
  bool next(Field& field);

 private:
  std::uint64_t varint();
  std::uint64_t little(std::size_t bytes);
  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace simbatch::protobuf
