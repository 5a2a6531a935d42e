// Parquet: one table, a row per step and a column per field, with the document of the trace (header, hashes, end) in the file's
// metadata, so that the same JSON can be written from it (docs/formats/trace.md).

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/core/atomic_file.hpp"
#include "base/core/text.hpp"
#include "base/parquet/stream.hpp"
#include "formats/trace/columns.hpp"
#include "formats/trace/head.hpp"
#include "formats/trace/rows.hpp"
#include "formats/trace/writers.hpp"

namespace simbatch::trace::detail {
namespace {

// Rows are kept until a group of this many bytes is full: memory is bounded, and groups are large enough to compress well.
constexpr std::size_t kGroupBytes = std::size_t{32} << 20;

class ParquetWriter final : public Writer {
 public:
  ParquetWriter(const std::string& path, Header header)
      : file_(path),
        header_(std::move(header)),
        columns_(table_columns(header_)),
        rows_(row_shape(header_)),
        table_([this](std::string_view bytes) { file_.write(bytes); }, types(columns_)) {}

  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    rows_.add(step, numbers, texts);
    bytes_ += 16 + numbers.size_bytes();
    for (const std::string_view text : texts) bytes_ += 4 + text.size();
    if (bytes_ >= kGroupBytes) write_group();
  }
  void hash(HashPoint point) override { hashes_.push_back(point); }
  void finish(const End& end) override {
    if (rows_.size() > 0) write_group();
    table_.finish({{std::string(kParquetKey), head_document(header_, hashes_, end)}}, header_.generator);
    file_.commit();
  }

 private:
  // Integers are kept as numbers, for they fit (within 2^53) and may be -0.
  static std::vector<parquet::ColumnType> types(const std::vector<TableColumn>& columns) {
    std::vector<parquet::ColumnType> types = {{"step", parquet::Type::integers}, {"time", parquet::Type::numbers}};
    for (const TableColumn& column : columns)
      types.push_back({column.name, column.field->type == FieldType::text ? parquet::Type::texts : parquet::Type::numbers});
    return types;
  }

  void write_group() {
    table_.integers(rows_.steps());
    std::vector<double> values;
    for (const std::int64_t step : rows_.steps()) values.push_back(static_cast<double>(step) * header_.dt);
    table_.numbers(values);
    // A visit to a row costs a cache miss: columns of numbers are fetched together, up to 4 MB.
    const std::size_t together = std::clamp<std::size_t>((std::size_t{1} << 19) / rows_.size(), 8, 128);
    const std::size_t all = row_shape(header_).numbers;
    std::size_t first = 0, count = 0;
    std::vector<std::string> clean;
    std::vector<std::string_view> texts;
    for (const TableColumn& column : columns_) {
      if (column.field->type == FieldType::text) {
        clean.clear();
        rows_.each_text(column.place, [&](std::string_view text) { clean.push_back(valid_utf8(text)); });
        texts.assign(clean.begin(), clean.end());
        table_.texts(texts);
        continue;
      }
      if (column.place >= first + count) {
        first = column.place;
        count = std::min(together, all - first);
        rows_.numbers(first, count, values);
      }
      table_.numbers(std::span(values).subspan((column.place - first) * rows_.size(), rows_.size()));
    }
    rows_ = Rows(row_shape(header_));
    bytes_ = 0;
  }

  AtomicFile file_;
  Header header_;
  std::vector<TableColumn> columns_;
  Rows rows_;
  parquet::StreamWriter table_;
  std::size_t bytes_ = 0;
  std::vector<HashPoint> hashes_;
};

}  // namespace

std::unique_ptr<Writer> make_parquet_writer(const std::string& path, Header header) {
  return std::make_unique<ParquetWriter>(path, std::move(header));
}

}  // namespace simbatch::trace::detail
