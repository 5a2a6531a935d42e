#pragma once
/// Rows of CSV tables (RFC 4180).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::study {

/// Escapes a text as a cell on one line.
std::string csv_cell(std::string text);
/// A number as a cell: the shortest text that reads back the same; inf, -inf; an empty cell if it is absent or NaN.
std::string csv_number(const std::optional<double>& value);
/// The reverse; empty also if the cell is not a number.
std::optional<double> read_csv_number(std::string_view cell);

namespace detail {

/// Reads row by row; lines end with CR LF or LF. Quoted cells may contain commas, line ends and doubled quotes.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : rest_(text) {}
  /// Reads the next row; false at the end. The last row needs no line end. An unclosed quote ends at the end of the text.
  bool next(std::vector<std::string>& cells);
  std::uint32_t line() const { return line_; }  ///< of the row, from 1
  /// Column of the first byte of each cell, from 1.
  const std::vector<std::uint32_t>& columns() const { return columns_; }

 private:
  std::string_view rest_;
  std::uint32_t line_ = 0, next_line_ = 1;
  std::vector<std::uint32_t> columns_;
};

}  // namespace detail
}  // namespace simbatch::study
