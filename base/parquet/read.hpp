#pragma once
/// Apache Parquet files as StreamWriter writes them, read: required columns of INT64, DOUBLE and UTF8 without nesting; pages of
/// version 1, PLAIN or BYTE_STREAM_SPLIT; uncompressed or Zstandard. Anything else is a fault, not a guess.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parquet/layout.hpp"
#include "base/parquet/stream.hpp"

namespace simbatch::parquet {

/// What is wrong with a file, and at which byte.
struct ReadFault {
  std::size_t offset = 0;
  std::string message;
};

/// A file, which must outlive the reader: the footer is read first, columns on request. All members throw ReadFault. No number
/// in the file causes an allocation that the file's size does not justify: pages are unpacked piece by piece.
class Reader {
 public:
  explicit Reader(std::string_view file);

  std::size_t rows() const { return rows_; }
  std::size_t groups() const { return groups_.size(); }  ///< of rows
  /// Where the bytes of a group end, which begin where the group before it ends.
  std::size_t group_end(std::size_t group) const;
  const std::vector<ColumnType>& columns() const { return columns_; }
  const std::vector<std::pair<std::string, std::string>>& metadata() const { return metadata_; }

  /// A whole column, by its index. @pre its type
  std::vector<std::int64_t> integers(std::size_t column) const;
  std::vector<double> numbers(std::size_t column) const;
  std::vector<std::string> texts(std::size_t column) const;
  /// Appends the values of a column, by its index, in a group of rows. @pre its type
  void integers(std::size_t column, std::size_t group, std::vector<std::int64_t>& out) const;
  void numbers(std::size_t column, std::size_t group, std::vector<double>& out) const;
  void texts(std::size_t column, std::size_t group, std::vector<std::string>& out) const;

 private:
  struct Footer;
  /// Bytes of a page, unpacked, and its number of values.
  struct Page {
    std::string bytes;
    std::size_t values = 0;
    detail::EncodingKind encoding = detail::kPlain;
    std::size_t offset = 0;
  };
  std::vector<Page> pages(std::size_t column, std::size_t group) const;
  [[noreturn]] static void fail(std::size_t offset, std::string message);

  std::string_view file_;
  std::size_t rows_ = 0;
  std::vector<ColumnType> columns_;
  std::vector<detail::Group> groups_;
  std::vector<std::vector<detail::CodecKind>> codecs_;  ///< [group][column]
  std::vector<std::pair<std::string, std::string>> metadata_;
};

}  // namespace simbatch::parquet
