#pragma once
/// What both writers of Parquet files share: page headers, the footer.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace simbatch::parquet::detail {

inline constexpr std::string_view kMagic = "PAR1";

// The numbers of parquet.thrift.
enum PhysicalType { kInt64 = 2, kDouble = 5, kByteArray = 6 };
enum Repetition { kRequired = 0, kOptional = 1 };
enum EncodingKind { kPlain = 0, kRle = 3, kByteStreamSplit = 9 };
enum CodecKind { kUncompressed = 0, kZstd = 6 };

void append_little(std::string& out, std::uint64_t value, int bytes);

struct ColumnLayout {
  std::string_view name;
  PhysicalType type = kDouble;
  Repetition repetition = kRequired;
  EncodingKind encoding = kPlain;
};

/// A column in a row group: where its only page is.
struct Chunk {
  std::size_t offset = 0;       ///< of the page's header, in the file
  std::size_t bytes = 0;        ///< with the header
  std::size_t plain_bytes = 0;  ///< with the header, before compression
  std::size_t values = 0;
};
using Group = std::vector<Chunk>;

/// The header of a data page. @param plain_bytes  before compression
std::string page_head(std::size_t bytes, std::size_t plain_bytes, std::size_t values, EncodingKind encoding);

struct Footer {
  std::vector<ColumnLayout> columns;
  CodecKind codec = kUncompressed;
  std::vector<Group> groups;
  std::size_t rows = 0;
  std::vector<std::pair<std::string, std::string>> metadata;
  std::string created_by;
};
/// Everything after the last page: the metadata, its length, the magic.
std::string to_bytes(const Footer& footer);

}  // namespace simbatch::parquet::detail
