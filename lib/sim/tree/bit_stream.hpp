#pragma once
/// The tree's serialized form (thesis 4.3): values one after another, little-endian, without any metadata. The reader must have
/// the same tree, which the same builder reproduces.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace simbatch::sim {

/// Appends values to a string.
class BitWriter {
 public:
  /// @param out  must outlive the writer
  explicit BitWriter(std::string& out) : out_(out) {}
  /// Eight bytes each, IEEE 754, little-endian.
  void numbers(std::span<const double> values);
  void number(double value) { numbers({&value, 1}); }
  /// Eight bytes, little-endian.
  void integer(std::uint64_t value);
  /// The bytes and a terminating zero, as the thesis writes names. @pre no zero byte in `text`
  void text(std::string_view text);

 private:
  std::string& out_;
};

/// Reads values from the front of a text. After a read past the end all reads fail and leave values unchanged.
class BitReader {
 public:
  /// @param bytes  must outlive the reader
  explicit BitReader(std::string_view bytes) : rest_(bytes) {}
  bool numbers(std::span<double> values);
  bool number(double& value) { return numbers({&value, 1}); }
  bool integer(std::uint64_t& value);
  bool text(std::string& value);
  bool failed() const { return failed_; }
  /// Bytes not read yet.
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace simbatch::sim
