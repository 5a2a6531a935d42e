// Whole tables: data pages of version 1, encoding PLAIN; definition levels of columns with nulls as one bit in runs of the
// RLE/bit-packing hybrid (Encodings.md).

#include "base/parquet/write.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string_view>

#include "base/parquet/layout.hpp"

namespace simbatch::parquet {
namespace {

using namespace detail;

void append_value(std::string& page, std::int64_t value) { append_little(page, static_cast<std::uint64_t>(value), 8); }
void append_value(std::string& page, double value) { append_little(page, std::bit_cast<std::uint64_t>(value), 8); }
void append_value(std::string& page, const std::string& value) {
  append_little(page, value.size(), 4);
  page += value;
}

/// Which values are present, as runs: a head (length << 1), then the bit in a byte.
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
          if (page.size() > kMaxPage) throw std::invalid_argument("a page of a Parquet file would be larger than 1 GiB");
        }
        return page;
      },
      column.values);
}

}  // namespace

std::string write(const Table& table) {
  const std::size_t rows = table.columns.empty() ? 0 : length(table.columns.front());
  Footer footer;
  for (const Column& column : table.columns) {
    if (length(column) != rows) throw std::invalid_argument("columns of a Parquet file have different lengths");
    footer.columns.push_back({column.name, type_of(column), has_nulls(column) ? kOptional : kRequired, kPlain});
  }
  std::string out(kMagic);
  for (std::size_t from = 0; from < rows; from += table.rows_per_group) {
    const std::size_t to = std::min(rows, from + table.rows_per_group);
    Group& group = footer.groups.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string page = page_of(table.columns[i], footer.columns[i].repetition == kOptional, from, to);
      const std::string head = page_head(page.size(), page.size(), to - from, kPlain);
      const std::size_t bytes = head.size() + page.size();
      group.push_back({out.size(), bytes, bytes, to - from});
      out += head;
      out += page;
    }
  }
  footer.rows = rows;
  footer.metadata = table.metadata;
  footer.created_by = table.created_by;
  return out + to_bytes(footer);
}

}  // namespace simbatch::parquet
