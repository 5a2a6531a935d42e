// Decompresses any bytes as gzip and as bzip2, in pieces of two sizes, which must agree. Of a broken stream, one may get
// further than the other: libbzip2 drops what it had of the piece in which it finds the damage.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "formats/osm/file_type.hpp"
#include "formats/osm/stream.hpp"

namespace {
constexpr std::size_t kMax = std::size_t{1} << 22;  // bytes; a small stream can contain gigabytes

std::pair<std::string, std::string> decompressed(std::string_view bytes, simbatch::osm::Compression compression,
                                                 std::size_t piece) {
  const auto stream = simbatch::osm::detail::decompress(bytes, compression);
  std::string text, buffer(piece, '\0');
  while (text.size() < kMax) {
    const std::size_t got = stream->read(buffer.data(), std::min(piece, kMax - text.size()));
    if (got == 0) break;
    text.append(buffer, 0, got);
  }
  return {text, std::string(text.size() < kMax ? stream->fault() : std::string_view())};
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::osm;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const Compression compression : {Compression::gzip, Compression::bzip2}) {
    const auto [large, fault] = decompressed(bytes, compression, 1 << 16);
    const auto [small, same_fault] = decompressed(bytes, compression, 61);
    if (fault != same_fault || (fault.empty() && large != small)) std::abort();
    if (!large.starts_with(small) && !small.starts_with(large)) std::abort();
  }
  return 0;
}
