#pragma once
/// Apache Parquet files, written: plain pages without compression, which every reader knows (docs/formats/parquet.md).

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

/// A column; empty values are null. One without empty values is written as "required".
struct Column {
  std::string name;
  std::variant<Integers, Numbers, Texts> values;
};

/// Most bytes of one page: sizes in the format are 31 bits wide.
inline constexpr std::size_t kMostPage = std::size_t{1} << 30;

struct Table {
  std::vector<Column> columns;  ///< all with the same number of values, whose sizes in a group of rows are at most kMostPage
  std::vector<std::pair<std::string, std::string>> metadata;  ///< key and value, of the whole file
  std::string created_by = "simbatch";
  std::size_t rows_per_group = 100'000;  ///< > 0
};

/// The file's bytes: a function of the table alone. @throws std::invalid_argument if columns have different lengths, or a page is too large
std::string write(const Table& table);

}  // namespace simbatch::parquet
