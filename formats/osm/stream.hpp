#pragma once
/// Streaming compression and decompression by gzip and bzip2.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "formats/osm/file_type.hpp"

namespace simbatch::osm::detail {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Fills at most `size` bytes. @return how many; 0 at the end, or when the stream is broken
  virtual std::size_t read(char* to, std::size_t size) = 0;
  /// Reason why the stream is broken; empty if it is not (so far).
  std::string_view fault() const { return fault_; }

 protected:
  std::string fault_;
};

/// Decompresses; several concatenated streams (as parallel compressors make them) are one text.
std::unique_ptr<ByteStream> decompress(std::string_view bytes, Compression compression);

/// Passes text on, compressed or unchanged.
class TextSink {
 public:
  using Write = std::function<void(std::string_view)>;
  virtual ~TextSink() = default;
  virtual void write(std::string_view text) = 0;
  virtual void finish() = 0;
};
std::unique_ptr<TextSink> compress(Compression compression, TextSink::Write write);

}  // namespace simbatch::osm::detail
