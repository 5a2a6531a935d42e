#pragma once
/// A trace as one table: a row per step, a column per field.

#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/trace/trace.hpp"

namespace simbatch::trace::detail {

/// A field with its place in the rows.
struct TableColumn {
  std::string name;  ///< "impreza.chassis.gyro0.rate"
  const Field* field = nullptr;
  std::size_t device = 0, index = 0;  ///< of the device in the header, of the field in the device
  std::size_t place = 0;              ///< among the numbers of a row, or among its texts
};
/// All fields in the header's order. Names are unique: fields of one device are, and one device's name with a field may only
/// equal another's if a device is called like a field of the part that it belongs to; the later one then gets "_2", "_3", ...
std::vector<TableColumn> table_columns(const Header& header);

/// The document of a trace without its rows: header, hashes and end, for formats that keep it beside a table.
inline constexpr std::string_view kParquetKey = "simbatch.trace";  ///< of the document, in a Parquet file's metadata
std::string head_document(const Header& header, const std::vector<HashPoint>& hashes, const End& end);

/// Reads it; the columns are empty.
Parsed<Trace> read_head(std::string_view text, const std::string& file_name);

}  // namespace simbatch::trace::detail
