#pragma once
/// Apache Parquet files written group by group, in bounded memory (docs/formats/parquet.md).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace simbatch::parquet {

enum class Type { integers, numbers, texts };

/// A column without empty values ("required").
struct ColumnType {
  std::string name;
  Type type = Type::numbers;
};

enum class Compression { none, zstd };

/// Pages are compressed with Zstandard, level 1, or not at all. Numbers that are compressed are encoded as BYTE_STREAM_SPLIT,
/// whose streams of exponents and mantissas compress to about half of what plain numbers do; all else as PLAIN.
class StreamWriter {
 public:
  /// @param sink  receives the file's bytes in order
  StreamWriter(std::function<void(std::string_view)> sink, std::vector<ColumnType> columns,
               Compression compression = Compression::zstd);
  ~StreamWriter();

  /// The next column of the present group of rows, of the type that was declared; after the last one the next group begins.
  /// @throws std::invalid_argument if the type or the number of rows differs, or a page would be larger than 1 GiB
  void integers(std::span<const std::int64_t> values);
  void numbers(std::span<const double> values);
  void texts(std::span<const std::string_view> values);  ///< UTF-8
  /// Writes the footer. @pre the last group is complete
  void finish(std::vector<std::pair<std::string, std::string>> metadata, std::string created_by);

 private:
  struct State;
  void page(Type type, std::size_t values, std::string_view plain);
  std::unique_ptr<State> state_;
};

}  // namespace simbatch::parquet
