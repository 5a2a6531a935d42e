// Apache Parquet format 2.10 (https://github.com/apache/parquet-format: README, Encodings, parquet.thrift), with the compact protocol of Apache Thrift
// (thrift-compact-protocol.md) for its heads. Data pages of version 1, encoding PLAIN; definition levels of columns with nulls as one bit in
// runs of the RLE/bit-packing hybrid.

#include "formats/parquet/write.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string_view>

namespace simbatch::parquet {
namespace {

constexpr std::string_view kMagic = "PAR1";

enum PhysicalType { kInt64 = 2, kDouble = 5, kByteArray = 6 };
enum Repetition { kRequired = 0, kOptional = 1 };
enum EncodingKind { kPlain = 0, kRle = 3 };

void append_little(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFF);
}

/// Thrift's compact protocol: fields in ascending order, each with the distance from the one before.
class Thrift {
 public:
  void i32(int field, std::int64_t value) { integer(field, 5, value); }
  void i64(int field, std::int64_t value) { integer(field, 6, value); }
  void text(int field, std::string_view value) {
    head(field, 8);
    bytes(value);
  }
  void start(int field) {
    head(field, 12);
    start();
  }
  void start() {
    lasts_.push_back(last_);
    last_ = 0;
  }
  void stop() {
    out_ += '\0';
    last_ = lasts_.back();
    lasts_.pop_back();
  }
  /// @param type  5 i32, 8 text, 12 struct
  void list(int field, int type, std::size_t size) {
    head(field, 9);
    if (size < 15) {
      out_ += static_cast<char>((size << 4) | static_cast<unsigned>(type));
    } else {
      out_ += static_cast<char>(0xF0 | type);
      varint(size);
    }
  }
  void item(std::int64_t value) { varint(zigzag(value)); }
  void item(std::string_view value) { bytes(value); }
  std::string take() && { return std::move(out_); }

 private:
  static std::uint64_t zigzag(std::int64_t v) {
    return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63);
  }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>((value & 0x7F) | 0x80);
    out_ += static_cast<char>(value);
  }
  void bytes(std::string_view value) {
    varint(value.size());
    out_ += value;
  }
  void integer(int field, int type, std::int64_t value) {
    head(field, type);
    varint(zigzag(value));
  }
  void head(int field, int type) {
    out_ += static_cast<char>(((field - last_) << 4) | type);  // distances in parquet.thrift are less than 16
    last_ = field;
  }
  std::string out_;
  int last_ = 0;
  std::vector<int> lasts_;
};

void append_value(std::string& page, std::int64_t value) { append_little(page, static_cast<std::uint64_t>(value), 8); }
void append_value(std::string& page, double value) { append_little(page, std::bit_cast<std::uint64_t>(value), 8); }
void append_value(std::string& page, const std::string& value) {
  append_little(page, value.size(), 4);
  page += value;
}

/// Which values there are, as runs: a head (length << 1), then the bit in a byte.
template <class Values>
std::string levels(const Values& values, std::size_t from, std::size_t to) {
  std::string runs;
  for (std::size_t at = from; at < to;) {
    std::size_t end = at + 1;
    while (end < to && values[end].has_value() == values[at].has_value()) ++end;
    std::uint64_t head = static_cast<std::uint64_t>(end - at) << 1;
    for (; head >= 0x80; head >>= 7) runs += static_cast<char>((head & 0x7F) | 0x80);
    runs += static_cast<char>(head);
    runs += static_cast<char>(values[at].has_value() ? 1 : 0);
    at = end;
  }
  std::string out;
  append_little(out, runs.size(), 4);
  return out + runs;
}

bool has_nulls(const Column& column) {
  return std::visit(
      [](const auto& values) {
        return std::any_of(values.begin(), values.end(), [](const auto& v) { return !v.has_value(); });
      },
      column.values);
}
std::size_t length(const Column& column) {
  return std::visit([](const auto& values) { return values.size(); }, column.values);
}
PhysicalType type_of(const Column& column) {
  constexpr PhysicalType kTypes[] = {kInt64, kDouble, kByteArray};
  return kTypes[column.values.index()];
}

std::string page_of(const Column& column, bool is_optional, std::size_t from, std::size_t to) {
  return std::visit(
      [&](const auto& values) {
        std::string page = is_optional ? levels(values, from, to) : std::string();
        for (std::size_t i = from; i < to; ++i) {
          if (values[i]) append_value(page, *values[i]);
          if (page.size() > kMostPage) throw std::invalid_argument("a page of a Parquet file would be larger than 1 GiB");
        }
        return page;
      },
      column.values);
}

std::string page_head(std::size_t bytes, std::size_t values) {
  Thrift head;
  head.start();
  head.i32(1, 0);  // a data page
  head.i32(2, static_cast<std::int64_t>(bytes));
  head.i32(3, static_cast<std::int64_t>(bytes));
  head.start(5);
  head.i32(1, static_cast<std::int64_t>(values));
  head.i32(2, kPlain);
  head.i32(3, kRle);
  head.i32(4, kRle);
  head.stop();
  head.stop();
  return std::move(head).take();
}

/// A column in a group of rows: where it is.
struct Chunk {
  std::size_t offset = 0, bytes = 0, values = 0;
};
using Group = std::vector<Chunk>;

void write_schema(const Table& table, Thrift& meta) {
  meta.list(2, 12, table.columns.size() + 1);
  meta.start();
  meta.text(4, "schema");
  meta.i32(5, static_cast<std::int64_t>(table.columns.size()));
  meta.stop();
  for (const Column& column : table.columns) {
    meta.start();
    meta.i32(1, type_of(column));
    meta.i32(3, has_nulls(column) ? kOptional : kRequired);
    meta.text(4, column.name);
    if (type_of(column) == kByteArray) meta.i32(6, 0);  // UTF8
    meta.stop();
  }
}

void write_group(const Table& table, const Group& group, Thrift& meta) {
  std::size_t bytes = 0;
  for (const Chunk& chunk : group) bytes += chunk.bytes;
  meta.start();
  meta.list(1, 12, group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Chunk& chunk = group[i];
    meta.start();
    meta.i64(2, static_cast<std::int64_t>(chunk.offset));
    meta.start(3);
    meta.i32(1, type_of(table.columns[i]));
    meta.list(2, 5, 2);
    meta.item(kPlain);
    meta.item(kRle);
    meta.list(3, 8, 1);
    meta.item(table.columns[i].name);
    meta.i32(4, 0);  // not compressed
    meta.i64(5, static_cast<std::int64_t>(chunk.values));
    meta.i64(6, static_cast<std::int64_t>(chunk.bytes));
    meta.i64(7, static_cast<std::int64_t>(chunk.bytes));
    meta.i64(9, static_cast<std::int64_t>(chunk.offset));
    meta.stop();
    meta.stop();
  }
  meta.i64(2, static_cast<std::int64_t>(bytes));
  meta.i64(3, static_cast<std::int64_t>(group.empty() ? 0 : group.front().values));
  meta.stop();
}

std::string footer(const Table& table, std::size_t rows, const std::vector<Group>& groups) {
  Thrift meta;
  meta.start();
  meta.i32(1, 1);
  write_schema(table, meta);
  meta.i64(3, static_cast<std::int64_t>(rows));
  meta.list(4, 12, groups.size());
  for (const Group& group : groups) write_group(table, group, meta);
  if (!table.metadata.empty()) {
    meta.list(5, 12, table.metadata.size());
    for (const auto& [key, value] : table.metadata) {
      meta.start();
      meta.text(1, key);
      meta.text(2, value);
      meta.stop();
    }
  }
  meta.text(6, table.created_by);
  meta.stop();
  return std::move(meta).take();
}

}  // namespace

std::string write(const Table& table) {
  const std::size_t rows = table.columns.empty() ? 0 : length(table.columns.front());
  std::vector<bool> are_optional;
  for (const Column& column : table.columns) {
    if (length(column) != rows) throw std::invalid_argument("columns of a Parquet file have different lengths");
    are_optional.push_back(has_nulls(column));
  }
  std::string out(kMagic);
  std::vector<Group> groups;
  for (std::size_t from = 0; from < rows; from += table.rows_per_group) {
    const std::size_t to = std::min(rows, from + table.rows_per_group);
    Group& group = groups.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string page = page_of(table.columns[i], are_optional[i], from, to);
      const std::string head = page_head(page.size(), to - from);
      group.push_back({out.size(), head.size() + page.size(), to - from});
      out += head;
      out += page;
    }
  }
  const std::string meta = footer(table, rows, groups);
  out += meta;
  append_little(out, meta.size(), 4);
  out += kMagic;
  return out;
}

}  // namespace simbatch::parquet
