#pragma once
/// DEFLATE and Zstandard compression of whole texts. The bytes depend on the input, the level and the library's version only.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace simbatch {

/// The container of the deflated bytes.
enum class Wrapper {
  none,  ///< RFC 1951
  zlib,  ///< RFC 1950: two bytes of head, Adler-32
};
/// @param level  1 (fast) to 12 (small): libdeflate's, which at 6 packs as well as zlib does at 9
std::string deflated(std::string_view bytes, Wrapper wrapper, int level);
/// The same without a copy of the result. @param use  receives it; it is valid until `use` returns
void deflate(std::string_view bytes, Wrapper wrapper, int level, const std::function<void(std::string_view)>& use);

/// CRC-32 as in ZIP, PNG and MCAP (ISO 3309). @param so_far  of the bytes before these
std::uint32_t crc32_of(std::string_view bytes, std::uint32_t so_far = 0);

/// A Zstandard frame (RFC 8878). @param level  1 (fast) to 19
std::string zstd_packed(std::string_view bytes, int level);

/// Makes one Zstandard frame after another in the same memory: the same bytes as zstd_packed(), without its tables being
/// allocated each time, which for texts of a few kilobytes takes as long as compressing.
class ZstdPacker {
 public:
  explicit ZstdPacker(int level);
  ~ZstdPacker();
  /// @return the frame, until the next call
  std::string_view pack(std::string_view bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Unpacks one Zstandard frame of a stated size. Memory grows with the output, so that a false size costs nothing.
/// @return nullopt if it is not such a frame, is followed by more bytes, or has another size
std::optional<std::string> zstd_unpacked(std::string_view packed, std::size_t size);

}  // namespace simbatch
