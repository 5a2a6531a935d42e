#pragma once
/// Rows kept until the end of a run, for the formats that are written column by column.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/trace/trace.hpp"

namespace simbatch::trace::detail {

/// 8 bytes per number, plus the texts' bytes, in blocks of about four megabytes, each turned into columns when it is full.
/// Beyond 16 MB they go to a nameless file, if there is a folder for it: memory is then bounded, whatever the length of the
/// run. Not changed, several threads may read.
class Rows {
 public:
  /// @param folder  for the file; empty, or if it cannot be made there: all stays in memory
  explicit Rows(RowShape shape, std::string folder = {});
  ~Rows();
  Rows(Rows&&) noexcept;
  Rows& operator=(Rows&&) noexcept;

  /// @throws IoError when the disk is full
  void add(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts);
  std::size_t size() const { return steps_.size(); }
  std::span<const std::int64_t> steps() const { return steps_; }

  /// Columns [first, first + count) of the numbers, one after the other, each of size() values. Visits every block once, so
  /// request many columns together. @throws IoError
  void numbers(std::size_t first, std::size_t count, std::vector<double>& out) const;
  /// The texts of a column in the order of the rows; each is valid until `use` returns. @throws IoError
  void each_text(std::size_t column, const std::function<void(std::string_view)>& use) const;

 private:
  struct Block;
  class SpillFile;
  void seal(Block& block) const;
  void spill();

  RowShape shape_;
  std::size_t rows_a_block_;
  std::string folder_;
  std::vector<std::int64_t> steps_;
  std::vector<std::unique_ptr<Block>> blocks_;  // all but the last are sealed
  std::size_t spilled_ = 0;                     // so many blocks are in the file
  std::unique_ptr<SpillFile> file_;
};

/// The folder of a file that is written, for Rows: empty for standard output.
std::string spill_folder(const std::string& path);

}  // namespace simbatch::trace::detail
