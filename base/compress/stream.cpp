#include "base/compress/stream.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

namespace simbatch {
namespace {

constexpr std::string_view kGzipMark("\x1f\x8b", 2), kZstdMark("\x28\xb5\x2f\xfd", 4);
constexpr std::size_t kPiece = std::size_t{1} << 16, kMaxInput = std::size_t{1} << 30;  // zlib counts in 32 bits
constexpr int kGzipWindow = MAX_WBITS + 16;                                             // selects gzip in zlib
constexpr int kGzipLevel = 6, kZstdLevel = 3;

Bytef* to_zlib(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib does not write there
}

std::optional<Unpacked> gunzipped(std::string_view packed, std::size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, inflateEnd);
  Unpacked out;
  std::string piece(kPiece, '\0');
  for (;;) {
    const std::string_view part = packed.substr(0, kMaxInput);
    stream.next_in = to_zlib(part);
    stream.avail_in = static_cast<uInt>(part.size());
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    const int result = inflate(&stream, Z_NO_FLUSH);
    packed.remove_prefix(part.size() - stream.avail_in);
    const std::size_t got = piece.size() - stream.avail_out;
    if (got > most - out.bytes.size()) return std::nullopt;
    out.bytes.append(piece, 0, got);
    if (result == Z_STREAM_END) {
      if (packed.empty()) return out;
      if (inflateReset(&stream) != Z_OK) return std::nullopt;  // the next member
    } else if (result == Z_BUF_ERROR || (result == Z_OK && packed.empty() && got < piece.size())) {
      out.whole = false;
      return out;
    } else if (result != Z_OK) {
      return std::nullopt;
    }
  }
}

std::optional<Unpacked> zstd_frames(std::string_view packed, std::size_t most) {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> zstd(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!zstd) throw std::bad_alloc();
  Unpacked out;
  std::string piece(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  for (;;) {
    ZSTD_outBuffer to{piece.data(), piece.size(), 0};
    const std::size_t left = ZSTD_decompressStream(zstd.get(), &to, &in);
    if (ZSTD_isError(left) != 0 || to.pos > most - out.bytes.size()) return std::nullopt;
    out.bytes.append(piece, 0, to.pos);
    if (in.pos < in.size || to.pos == to.size) continue;
    out.whole = left == 0;
    return out;
  }
}

}  // namespace

struct Packer::State {
  std::function<void(std::string_view)> sink;
  std::string piece = std::string(kPiece, '\0');
  z_stream gzip{};
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> zstd{nullptr, ZSTD_freeCCtx};
  bool is_gzip = false;

  ~State() {
    if (is_gzip) deflateEnd(&gzip);
  }

  void deflate_all(std::string_view bytes, int how) {
    do {
      const std::string_view part = bytes.substr(0, kMaxInput);
      bytes.remove_prefix(part.size());
      gzip.next_in = to_zlib(part);
      gzip.avail_in = static_cast<uInt>(part.size());
      do {
        gzip.next_out = reinterpret_cast<Bytef*>(piece.data());
        gzip.avail_out = static_cast<uInt>(piece.size());
        (void)deflate(&gzip, how);
        sink(std::string_view(piece).substr(0, piece.size() - gzip.avail_out));
      } while (gzip.avail_out == 0);
    } while (!bytes.empty());
  }

  void zstd_all(std::string_view bytes, ZSTD_EndDirective how) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (;;) {
      ZSTD_outBuffer to{piece.data(), piece.size(), 0};
      const std::size_t left = ZSTD_compressStream2(zstd.get(), &to, &in, how);
      if (ZSTD_isError(left) != 0) throw std::runtime_error(ZSTD_getErrorName(left));
      if (to.pos > 0) sink(std::string_view(piece).substr(0, to.pos));
      if (in.pos == in.size && (how == ZSTD_e_continue ? to.pos < to.size : left == 0)) return;
    }
  }
};

Packer::Packer(Container container, std::function<void(std::string_view)> sink) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.sink = std::move(sink);
  constexpr int kMemory = 9;
  if (container == Container::gzip) {
    if (deflateInit2(&s.gzip, kGzipLevel, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
    s.is_gzip = true;
    return;
  }
  s.zstd.reset(ZSTD_createCCtx());
  if (!s.zstd) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(s.zstd.get(), ZSTD_c_compressionLevel, kZstdLevel);
  ZSTD_CCtx_setParameter(s.zstd.get(), ZSTD_c_checksumFlag, 1);
}
Packer::~Packer() = default;

void Packer::write(std::string_view bytes) {
  if (bytes.empty()) return;
  state_->is_gzip ? state_->deflate_all(bytes, Z_NO_FLUSH) : state_->zstd_all(bytes, ZSTD_e_continue);
}
void Packer::flush() { state_->is_gzip ? state_->deflate_all({}, Z_SYNC_FLUSH) : state_->zstd_all({}, ZSTD_e_flush); }
void Packer::finish() { state_->is_gzip ? state_->deflate_all({}, Z_FINISH) : state_->zstd_all({}, ZSTD_e_end); }

std::optional<Container> container_named(std::string_view name) {
  if (name.ends_with(".gz")) return Container::gzip;
  if (name.ends_with(".zst")) return Container::zstd;
  return std::nullopt;
}

std::string_view without_container(std::string_view name) {
  return container_named(name) ? name.substr(0, name.rfind('.')) : name;
}

std::optional<Container> container_of(std::string_view bytes) {
  if (bytes.starts_with(kGzipMark)) return Container::gzip;
  if (bytes.starts_with(kZstdMark)) return Container::zstd;
  return std::nullopt;
}

std::optional<std::string> inflated(std::string_view packed, bool has_zlib_head, std::size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, has_zlib_head ? MAX_WBITS : -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const auto ended = [](z_stream* s) { inflateEnd(s); };
  const std::unique_ptr<z_stream, decltype(ended)> end(&stream, ended);
  std::string out, piece(std::min(most, std::size_t{1} << 15), '\0');
  for (int result = Z_OK; result != Z_STREAM_END && out.size() < most;) {
    if (stream.avail_in == 0) {
      const std::string_view part = packed.substr(0, kMaxInput);
      packed.remove_prefix(part.size());
      stream.next_in = to_zlib(part);
      stream.avail_in = static_cast<uInt>(part.size());
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(std::min(piece.size(), most - out.size()));
    const uInt before = stream.avail_out;
    result = inflate(&stream, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END) return std::nullopt;
    out.append(piece, 0, before - stream.avail_out);
  }
  return out;
}

std::optional<Unpacked> unpacked(std::string_view packed, std::size_t most) {
  return container_of(packed) == Container::zstd ? zstd_frames(packed, most) : gunzipped(packed, most);
}

std::optional<Unpacked> unpacked(std::string_view packed) {
  return unpacked(packed, kMaxInflation * packed.size() + (std::size_t{64} << 20));
}

}  // namespace simbatch
