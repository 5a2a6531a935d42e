#pragma once
/// Rows kept in memory until the end of a run, for the formats that are written column by column.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/trace/trace.hpp"

namespace simbatch::trace::detail {

/// 8 bytes per number, plus the texts' bytes; memory is allocated in blocks of about a megabyte and never moved.
class Rows {
 public:
  explicit Rows(RowShape shape);
  void add(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts);
  std::size_t size() const { return steps_.size(); }
  std::span<const std::int64_t> steps() const { return steps_; }

  /// Columns [first, first + count) of the numbers, one after the other, each of size() values. Visits every row once, so
  /// request many columns together.
  void numbers(std::size_t first, std::size_t count, std::vector<double>& out) const;
  std::string_view text(std::size_t column, std::size_t row) const;

 private:
  RowShape shape_;
  std::size_t rows_a_block_;
  std::vector<std::int64_t> steps_;
  std::vector<std::unique_ptr<double[]>> blocks_;
  std::vector<std::string> text_blocks_;               // one for each block of rows
  std::vector<std::vector<std::uint32_t>> text_ends_;  // in its text block
};

}  // namespace simbatch::trace::detail
