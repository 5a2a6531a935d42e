#pragma once
/// gzip (RFC 1952) and Zstandard (RFC 8878) files, written piece by piece and read whole.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace simbatch {

enum class Container { gzip, zstd };

/// Compresses a stream in bounded memory. Stores no names and times: the same calls and library give the same bytes.
class Packer {
 public:
  /// @param sink  receives the compressed bytes in order
  Packer(Container container, std::function<void(std::string_view)> sink);
  ~Packer();
  void write(std::string_view bytes);
  /// Makes everything written so far readable, at the cost of a few bytes.
  void flush();
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// By the suffix of a name: .gz, .zst.
std::optional<Container> container_named(std::string_view name);
/// The name without that suffix.
std::string_view without_container(std::string_view name);
/// By the first bytes of a file.
std::optional<Container> container_of(std::string_view bytes);

struct Unpacked {
  std::string bytes;
  bool whole = true;  ///< false: the file was truncated, and these are the bytes up to there
};
/// How many times their size packed bytes may take: DEFLATE reaches 1032.
inline constexpr std::size_t kMaxInflation = 1100;
/// One or more members or frames. Memory grows with the output.
/// @return nullopt if the bytes are damaged, or unpack to more than `most`
std::optional<Unpacked> unpacked(std::string_view packed, std::size_t most);
/// Likewise, up to kMaxInflation times the size and 64 MiB.
std::optional<Unpacked> unpacked(std::string_view packed);

/// Unpacks DEFLATE (RFC 1951), with zlib's head (RFC 1950) or without, up to `most` bytes: the beginning of a longer text.
/// @return nullopt if the bytes are damaged or end too early
std::optional<std::string> inflated(std::string_view packed, bool has_zlib_head, std::size_t most);

}  // namespace simbatch
