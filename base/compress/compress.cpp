#include "base/compress/compress.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>

namespace simbatch {

std::string deflated(std::string_view bytes, Wrapper wrapper, int level) {
  constexpr std::size_t kPiece = std::size_t{1} << 16, kMaxInput = std::size_t{1} << 30;  // zlib counts in 32 bits
  constexpr int kMemory = 9;
  z_stream stream{};
  const int window = wrapper == Wrapper::none ? -MAX_WBITS : MAX_WBITS;
  if (deflateInit2(&stream, level, Z_DEFLATED, window, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string out, piece(kPiece, '\0');
  std::size_t done = 0;
  int result = Z_OK;
  do {
    const std::string_view part = bytes.substr(done, kMaxInput);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));  // zlib does not write there
    stream.avail_in = static_cast<uInt>(part.size());
    done += part.size();
    do {
      stream.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream.avail_out = static_cast<uInt>(kPiece);
      result = deflate(&stream, done == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
      out.append(piece, 0, kPiece - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (result != Z_STREAM_END);
  deflateEnd(&stream);
  return out;
}

std::uint32_t crc32_of(std::string_view bytes, std::uint32_t so_far) {
  return static_cast<std::uint32_t>(crc32_z(so_far, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

struct ZstdPacker::State {
  int level = 1;
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> zstd{ZSTD_createCCtx(), ZSTD_freeCCtx};
  std::string out;
};

ZstdPacker::ZstdPacker(int level) : state_(std::make_unique<State>()) {
  if (!state_->zstd) throw std::bad_alloc();
  state_->level = level;
}
ZstdPacker::~ZstdPacker() = default;

std::string_view ZstdPacker::pack(std::string_view bytes) {
  std::string& out = state_->out;
  if (const std::size_t most = ZSTD_compressBound(bytes.size()); out.size() < most) out.resize(most);
  const std::size_t size =
      ZSTD_compressCCtx(state_->zstd.get(), out.data(), out.size(), bytes.data(), bytes.size(), state_->level);
  if (ZSTD_isError(size) != 0) throw std::runtime_error(ZSTD_getErrorName(size));
  return std::string_view(out).substr(0, size);
}

std::string zstd_packed(std::string_view bytes, int level) { return std::string(ZstdPacker(level).pack(bytes)); }

std::optional<std::string> zstd_unpacked(std::string_view packed, std::size_t size) {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> zstd(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!zstd) throw std::bad_alloc();
  std::string out, block(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  for (std::size_t left = 1; left != 0;) {
    ZSTD_outBuffer to{block.data(), block.size(), 0};
    const std::size_t read_before = in.pos;
    left = ZSTD_decompressStream(zstd.get(), &to, &in);
    if (ZSTD_isError(left) != 0 || to.pos > size - out.size()) return std::nullopt;
    out.append(block, 0, to.pos);
    if (left != 0 && to.pos == 0 && in.pos == read_before) return std::nullopt;  // cut
  }
  if (out.size() != size || in.pos != in.size) return std::nullopt;
  return out;
}

}  // namespace simbatch
