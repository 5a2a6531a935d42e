#include "formats/osm/stream.hpp"

#include <bzlib.h>
#include <zlib.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "base/compress/stream.hpp"

namespace simbatch::osm::detail {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 30;  // both libraries count in 32 bits

class GzipStream final : public ByteStream {
 public:
  explicit GzipStream(std::string_view bytes) : bytes_(bytes) {
    if (inflateInit2(&z_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  ~GzipStream() override { inflateEnd(&z_); }

  std::size_t read(char* to, std::size_t size) override {
    size = std::min(size, kPiece);
    z_.next_out = reinterpret_cast<Bytef*>(to);
    z_.avail_out = static_cast<uInt>(size);
    while (z_.avail_out == size && !ended_) {
      const auto piece = std::min(bytes_.size(), kPiece);
      z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data()));  // zlib does not write there
      z_.avail_in = static_cast<uInt>(piece);
      const int status = inflate(&z_, Z_NO_FLUSH);
      bytes_.remove_prefix(piece - z_.avail_in);
      if (status == Z_STREAM_END) {
        // Another member may follow; anything else after it is padding, as gzip itself takes it.
        if (bytes_.starts_with("\x1F\x8B"))
          inflateReset(&z_);
        else
          ended_ = true;
      } else if (status == Z_BUF_ERROR || (status == Z_OK && bytes_.empty() && z_.avail_out == size)) {
        stop("the gzip stream ends too early");
      } else if (status != Z_OK) {
        stop(std::string("the gzip stream is broken: ") + (z_.msg != nullptr ? z_.msg : "unknown cause"));
      }
    }
    return size - z_.avail_out;
  }

 private:
  void stop(std::string fault) {
    ended_ = true;
    fault_ = std::move(fault);
  }
  std::string_view bytes_;
  z_stream z_{};
  bool ended_ = false;
};

class BzipStream final : public ByteStream {
 public:
  explicit BzipStream(std::string_view bytes) : bytes_(bytes) { start(); }
  BzipStream(const BzipStream&) = delete;
  BzipStream& operator=(const BzipStream&) = delete;
  ~BzipStream() override { BZ2_bzDecompressEnd(&z_); }

  std::size_t read(char* to, std::size_t size) override {
    size = std::min(size, kPiece);
    z_.next_out = to;
    z_.avail_out = static_cast<unsigned>(size);
    while (z_.avail_out == size && !ended_) {
      const auto piece = std::min(bytes_.size(), kPiece);
      z_.next_in = const_cast<char*>(bytes_.data());
      z_.avail_in = static_cast<unsigned>(piece);
      const int status = BZ2_bzDecompress(&z_);
      bytes_.remove_prefix(piece - z_.avail_in);
      if (status == BZ_STREAM_END) {
        if (bytes_.starts_with("BZh")) {
          BZ2_bzDecompressEnd(&z_);
          const auto left = z_.avail_out;
          char* const next = z_.next_out;
          start();
          z_.avail_out = left;
          z_.next_out = next;
        } else {
          ended_ = true;
        }
      } else if (status != BZ_OK) {
        ended_ = true;
        fault_ = "the bzip2 stream is broken";
      } else if (bytes_.empty() && z_.avail_out == size) {
        ended_ = true;
        fault_ = "the bzip2 stream ends too early";
      }
    }
    return size - z_.avail_out;
  }

 private:
  void start() {
    z_ = {};
    if (BZ2_bzDecompressInit(&z_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  std::string_view bytes_;
  bz_stream z_{};
  bool ended_ = false;
};

class PlainSink final : public TextSink {
 public:
  explicit PlainSink(Write write) : write_(std::move(write)) {}
  void write(std::string_view text) override { write_(text); }
  void finish() override {}

 private:
  Write write_;
};

class GzipSink final : public TextSink {
 public:
  explicit GzipSink(Write write) : packer_(Container::gzip, std::move(write)) {}
  void write(std::string_view text) override { packer_.write(text); }
  void finish() override { packer_.finish(); }

 private:
  Packer packer_;
};

class BzipSink final : public TextSink {
 public:
  explicit BzipSink(Write write) : write_(std::move(write)), buffer_(1 << 18) {
    if (BZ2_bzCompressInit(&z_, 9, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  BzipSink(const BzipSink&) = delete;
  BzipSink& operator=(const BzipSink&) = delete;
  ~BzipSink() override { BZ2_bzCompressEnd(&z_); }
  void write(std::string_view text) override {
    for (; !text.empty(); text.remove_prefix(std::min(text.size(), kPiece))) run(text.substr(0, kPiece), BZ_RUN);
  }
  void finish() override { run({}, BZ_FINISH); }

 private:
  void run(std::string_view text, int action) {
    z_.next_in = const_cast<char*>(text.data());
    z_.avail_in = static_cast<unsigned>(text.size());
    int status = BZ_OK;
    do {
      z_.next_out = buffer_.data();
      z_.avail_out = static_cast<unsigned>(buffer_.size());
      status = BZ2_bzCompress(&z_, action);
      write_({buffer_.data(), buffer_.size() - z_.avail_out});
    } while (action == BZ_FINISH ? status == BZ_FINISH_OK : z_.avail_in != 0);
  }
  Write write_;
  std::vector<char> buffer_;
  bz_stream z_{};
};

}  // namespace

std::unique_ptr<ByteStream> decompress(std::string_view bytes, Compression compression) {
  if (compression == Compression::bzip2) return std::make_unique<BzipStream>(bytes);
  return std::make_unique<GzipStream>(bytes);
}

std::unique_ptr<TextSink> compress(Compression compression, TextSink::Write write) {
  if (compression == Compression::gzip) return std::make_unique<GzipSink>(std::move(write));
  if (compression == Compression::bzip2) return std::make_unique<BzipSink>(std::move(write));
  return std::make_unique<PlainSink>(std::move(write));
}

}  // namespace simbatch::osm::detail
