// Parquet: one table, a row per step and a column per field, with the document of the trace (header, hashes, end) in the file's
// metadata, so that the same JSON can be written from it (docs/formats/trace.md).

#include <algorithm>

#include "base/core/atomic_file.hpp"
#include "base/core/text.hpp"
#include "base/parquet/stream.hpp"
#include "formats/trace/columns.hpp"
#include "formats/trace/head.hpp"
#include "formats/trace/writers.hpp"

namespace simbatch::trace::detail {
namespace {

// Rows are kept until a group of this many bytes is full: memory is bounded, and groups are large enough to compress well.
constexpr std::size_t kGroupBytes = std::size_t{32} << 20;

/// The rows of a group as columns. Numbers go there some rows at a time: each column then gets whole cache lines.
class GroupColumns {
 public:
  explicit GroupColumns(RowShape shape)
      : shape_(shape),
        capacity_(kGroupBytes / (kStepBytes + 8 * shape.numbers + kLengthBytes * shape.texts) + 1),
        tile_(kTile * shape.numbers),
        texts_(shape.texts),
        lengths_(shape.texts) {}

  void add(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) {
    if (!columns_) columns_.reset(new double[capacity_ * shape_.numbers]);  // not zeroed: pages are touched when used
    std::copy(numbers.begin(), numbers.end(),
              tile_.begin() + static_cast<std::ptrdiff_t>(steps_.size() % kTile * shape_.numbers));
    for (std::size_t t = 0; t < texts.size(); ++t) {
      texts_[t] += texts[t];
      lengths_[t].push_back(texts[t].size());
      bytes_ += kLengthBytes + texts[t].size();
    }
    steps_.push_back(step);
    bytes_ += kStepBytes + numbers.size_bytes();
    if (steps_.size() % kTile == 0) move_tile(kTile);
  }
  bool full() const { return bytes_ >= kGroupBytes; }
  /// After the last row of the group.
  void complete() { move_tile(steps_.size() % kTile); }
  void clear() {
    steps_.clear();
    for (std::string& text : texts_) text.clear();
    for (std::vector<std::size_t>& lengths : lengths_) lengths.clear();
    bytes_ = 0;
  }

  std::span<const std::int64_t> steps() const { return steps_; }
  std::span<const double> numbers(std::size_t column) const { return {columns_.get() + column * capacity_, steps_.size()}; }
  void texts(std::size_t column, std::vector<std::string>& out) const {
    std::string_view all = texts_[column];
    for (const std::size_t length : lengths_[column]) {
      out.push_back(valid_utf8(all.substr(0, length)));
      all.remove_prefix(length);
    }
  }

 private:
  static constexpr std::size_t kTile = 16, kStepBytes = 16, kLengthBytes = 4;

  /// The last `rows` rows.
  void move_tile(std::size_t rows) {
    const std::size_t first = steps_.size() - rows;
    for (std::size_t c = 0; c < shape_.numbers; ++c)
      for (std::size_t row = 0; row < rows; ++row) columns_[c * capacity_ + first + row] = tile_[row * shape_.numbers + c];
  }

  RowShape shape_;
  std::size_t capacity_;  // rows
  std::unique_ptr<double[]> columns_;
  std::vector<double> tile_;
  std::vector<std::string> texts_;                 // of each column, one after the other
  std::vector<std::vector<std::size_t>> lengths_;  // of them
  std::vector<std::int64_t> steps_;
  std::size_t bytes_ = 0;
};

class ParquetWriter final : public Writer {
 public:
  ParquetWriter(const std::string& path, Header header, Compression compression)
      : file_(path),
        header_(std::move(header)),
        columns_(table_columns(header_)),
        group_(row_shape(header_)),
        table_([this](std::string_view bytes) { file_.write(bytes); }, types(columns_),
               compression == Compression::zstd ? parquet::Compression::zstd : parquet::Compression::none) {}

  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    group_.add(step, numbers, texts);
    if (group_.full()) write_group();
  }
  void hash(HashPoint point) override { hashes_.push_back(point); }
  void finish(const End& end) override {
    if (!group_.steps().empty()) write_group();
    table_.finish({{std::string(kParquetKey), head_document(header_, hashes_, end)}}, header_.generator);
    file_.commit();
  }

 private:
  // Integers are kept as doubles: they fit (within 2^53) and may be -0.
  static std::vector<parquet::ColumnType> types(const std::vector<TableColumn>& columns) {
    std::vector<parquet::ColumnType> types = {{"step", parquet::Type::integers}, {"time", parquet::Type::numbers}};
    for (const TableColumn& column : columns)
      types.push_back({column.name, column.field->type == FieldType::text ? parquet::Type::texts : parquet::Type::numbers});
    return types;
  }

  void write_group() {
    group_.complete();
    table_.integers(group_.steps());
    std::vector<double> times;
    for (const std::int64_t step : group_.steps()) times.push_back(static_cast<double>(step) * header_.dt);
    table_.numbers(times);
    std::vector<std::string> clean;
    for (const TableColumn& column : columns_) {
      if (column.field->type != FieldType::text) {
        table_.numbers(group_.numbers(column.place));
        continue;
      }
      clean.clear();
      group_.texts(column.place, clean);
      table_.texts(std::vector<std::string_view>(clean.begin(), clean.end()));
    }
    group_.clear();
  }

  AtomicFile file_;
  Header header_;
  std::vector<TableColumn> columns_;
  GroupColumns group_;
  parquet::StreamWriter table_;
  std::vector<HashPoint> hashes_;
};

}  // namespace

std::unique_ptr<Writer> make_parquet_writer(const std::string& path, Header header, Compression compression) {
  return std::make_unique<ParquetWriter>(path, std::move(header), compression);
}

}  // namespace simbatch::trace::detail
