// Apache Parquet format 2.10 (https://github.com/apache/parquet-format: README, Encodings, parquet.thrift).
#include "base/parquet/layout.hpp"

#include "base/parquet/thrift.hpp"

namespace simbatch::parquet::detail {
namespace {

void write_schema(const Footer& footer, ThriftWriter& meta) {
  meta.list(2, kStruct, footer.columns.size() + 1);
  meta.start();
  meta.text(4, "schema");
  meta.i32(5, static_cast<std::int64_t>(footer.columns.size()));
  meta.stop();
  for (const ColumnLayout& column : footer.columns) {
    meta.start();
    meta.i32(1, column.type);
    meta.i32(3, column.repetition);
    meta.text(4, column.name);
    if (column.type == kByteArray) meta.i32(6, 0);  // UTF8
    meta.stop();
  }
}

void write_group(const Footer& footer, const Group& group, ThriftWriter& meta) {
  std::size_t plain_bytes = 0;
  for (const Chunk& chunk : group) plain_bytes += chunk.plain_bytes;
  meta.start();
  meta.list(1, kStruct, group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Chunk& chunk = group[i];
    meta.start();
    meta.i64(2, static_cast<std::int64_t>(chunk.offset));
    meta.start(3);
    meta.i32(1, footer.columns[i].type);
    meta.list(2, kI32, 2);
    meta.item(footer.columns[i].encoding);
    meta.item(kRle);
    meta.list(3, kBinary, 1);
    meta.item(footer.columns[i].name);
    meta.i32(4, footer.codec);
    meta.i64(5, static_cast<std::int64_t>(chunk.values));
    meta.i64(6, static_cast<std::int64_t>(chunk.plain_bytes));
    meta.i64(7, static_cast<std::int64_t>(chunk.bytes));
    meta.i64(9, static_cast<std::int64_t>(chunk.offset));
    meta.stop();
    meta.stop();
  }
  meta.i64(2, static_cast<std::int64_t>(plain_bytes));
  meta.i64(3, static_cast<std::int64_t>(group.empty() ? 0 : group.front().values));
  meta.stop();
}

}  // namespace

void append_little(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFF);
}

std::string page_head(std::size_t bytes, std::size_t plain_bytes, std::size_t values, EncodingKind encoding) {
  ThriftWriter head;
  head.start();
  head.i32(1, 0);  // a data page
  head.i32(2, static_cast<std::int64_t>(plain_bytes));
  head.i32(3, static_cast<std::int64_t>(bytes));
  head.start(5);
  head.i32(1, static_cast<std::int64_t>(values));
  head.i32(2, encoding);
  head.i32(3, kRle);
  head.i32(4, kRle);
  head.stop();
  head.stop();
  return std::move(head).take();
}

std::string to_bytes(const Footer& footer) {
  ThriftWriter meta;
  meta.start();
  meta.i32(1, 1);
  write_schema(footer, meta);
  meta.i64(3, static_cast<std::int64_t>(footer.rows));
  meta.list(4, kStruct, footer.groups.size());
  for (const Group& group : footer.groups) write_group(footer, group, meta);
  if (!footer.metadata.empty()) {
    meta.list(5, kStruct, footer.metadata.size());
    for (const auto& [key, value] : footer.metadata) {
      meta.start();
      meta.text(1, key);
      meta.text(2, value);
      meta.stop();
    }
  }
  meta.text(6, footer.created_by);
  meta.stop();
  std::string out = std::move(meta).take();
  const std::size_t size = out.size();
  append_little(out, size, 4);
  return out += kMagic;
}

}  // namespace simbatch::parquet::detail
