#pragma once
/// A trace as one table: a row per step, a column per field.

#include <string>
#include <string_view>
#include <vector>

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

inline constexpr std::string_view kParquetKey = "simbatch.trace";  ///< of head_document(), in a Parquet file's metadata

/// "m", "rad/s, frame B"; empty for a pure number without a frame.
std::string unit_and_frame(const Field& field);

}  // namespace simbatch::trace::detail
