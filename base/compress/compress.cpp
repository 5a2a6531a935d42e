#include "base/compress/compress.hpp"

#include <libdeflate.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>

namespace simbatch {

void deflate(std::string_view bytes, Wrapper wrapper, int level, const std::function<void(std::string_view)>& use) {
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> packer(libdeflate_alloc_compressor(level),
                                                                                        libdeflate_free_compressor);
  if (!packer) throw std::bad_alloc();
  const bool plain = wrapper == Wrapper::none;
  const std::size_t most = plain ? libdeflate_deflate_compress_bound(packer.get(), bytes.size())
                                 : libdeflate_zlib_compress_bound(packer.get(), bytes.size());
  const std::unique_ptr<char[]> out(new char[most]);  // not zeroed: pages are touched when used
  const auto pack = plain ? libdeflate_deflate_compress : libdeflate_zlib_compress;
  use({out.get(), pack(packer.get(), bytes.data(), bytes.size(), out.get(), most)});
}

std::string deflated(std::string_view bytes, Wrapper wrapper, int level) {
  std::string out;
  deflate(bytes, wrapper, level, [&out](std::string_view packed) { out = packed; });
  return out;
}

std::uint32_t crc32_of(std::string_view bytes, std::uint32_t so_far) {
  return libdeflate_crc32(so_far, bytes.data(), bytes.size());
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

namespace {

/// In one call, into memory of the stated size: for frames that say this size themselves and are large enough to hold it.
std::optional<std::string> zstd_unpacked_at_once(std::string_view packed, std::size_t size) {
  // Kept by each thread: to allocate one takes as long as to unpack some kilobytes.
  thread_local const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> zstd(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!zstd) throw std::bad_alloc();
  if (ZSTD_findFrameCompressedSize(packed.data(), packed.size()) != packed.size()) return std::nullopt;
  std::string out(size, '\0');
  if (ZSTD_decompressDCtx(zstd.get(), out.data(), size, packed.data(), packed.size()) != size) return std::nullopt;
  return out;
}

}  // namespace

std::optional<std::string> zstd_unpacked(std::string_view packed, std::size_t size) {
  constexpr std::size_t kMostAtOnce = std::size_t{4} << 20, kUsualRatio = 64;
  if (size > 0 && size <= std::min(kMostAtOnce, kUsualRatio * packed.size()) &&
      ZSTD_getFrameContentSize(packed.data(), packed.size()) == size)
    return zstd_unpacked_at_once(packed, size);
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
