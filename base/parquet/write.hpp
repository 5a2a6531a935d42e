#pragma once
/// Writer of Apache Parquet files: uncompressed plain pages, which all readers support (docs/formats/parquet.md).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace simbatch::parquet {

using Integers = std::vector<std::optional<std::int64_t>>;
using Numbers = std::vector<std::optional<double>>;
using Texts = std::vector<std::optional<std::string>>;  ///< UTF-8

/// A column; empty values are null. A column without empty values is written as "required".
struct Column {
  std::string name;
  std::variant<Integers, Numbers, Texts> values;
};

/// Maximum number of bytes per page: sizes in the format have 31 bits.
inline constexpr std::size_t kMaxPage = std::size_t{1} << 30;

struct Table {
  std::vector<Column> columns;  ///< all with the same number of values; at most kMaxPage bytes each per row group
  std::vector<std::pair<std::string, std::string>> metadata;  ///< key-value metadata of the file
  std::string created_by = "simbatch";
  std::size_t rows_per_group = 100'000;  ///< > 0
};

/// The bytes of the file, which depend only on the table. @throws std::invalid_argument if columns have different lengths, or a
/// page is too large
std::string write(const Table& table);

}  // namespace simbatch::parquet
