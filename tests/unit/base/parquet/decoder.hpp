#pragma once
/// A reader of Parquet files for the tests, written from the specification and not from the writer: Thrift's compact protocol into a
/// tree of fields, then pages of version 1 with plain values. Everything unexpected throws, as does a read past the end.

#include <bit>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/parquet/write.hpp"

namespace simbatch::parquet::decoder {

/// A value of Thrift's compact protocol.
struct Node {
  std::int64_t integer = 0;
  std::string text;
  std::vector<Node> items;
  std::map<int, Node> fields;
  const Node& operator[](int field) const {
    const auto found = fields.find(field);
    if (found == fields.end()) throw std::out_of_range("no field " + std::to_string(field));
    return found->second;
  }
};

class Bytes {
 public:
  explicit Bytes(std::string_view rest) : rest_(rest) {}
  std::string_view rest() const { return rest_; }
  std::string_view take(std::size_t n) {
    if (n > rest_.size()) throw std::out_of_range("read past the end");
    const std::string_view taken = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return taken;
  }
  std::uint8_t byte() { return static_cast<std::uint8_t>(take(1)[0]); }
  std::uint64_t little(int n) {
    std::uint64_t value = 0;
    for (int i = 0; i < n; ++i) value |= static_cast<std::uint64_t>(byte()) << (8 * i);
    return value;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= static_cast<std::uint64_t>(next & 0x7F) << shift;
      if (next < 0x80) return value;
    }
    throw std::out_of_range("a number of more than 64 bits");
  }
  std::int64_t zigzag() {
    const std::uint64_t value = varint();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  Node thrift(int type) {
    Node node;
    if (type == 5 || type == 6) {
      node.integer = zigzag();
    } else if (type == 8) {
      node.text = take(varint());
    } else if (type == 9) {
      const std::uint8_t head = byte();
      const std::uint64_t size = head >> 4 == 15 ? varint() : head >> 4;
      for (std::uint64_t i = 0; i < size; ++i) node.items.push_back(thrift(head & 15));
    } else if (type == 12) {
      int field = 0;
      for (std::uint8_t head = byte(); head != 0; head = byte()) {
        field += head >> 4;
        if (head >> 4 == 0) field = static_cast<int>(zigzag());
        if (!node.fields.emplace(field, thrift(head & 15)).second) throw std::out_of_range("a field twice");
      }
    } else {
      throw std::out_of_range("an unexpected type " + std::to_string(type));
    }
    return node;
  }

 private:
  std::string_view rest_;
};

/// Definition levels of a page: runs of the RLE hybrid, one bit wide.
inline std::vector<bool> levels(std::string_view runs, std::size_t count) {
  std::vector<bool> out;
  for (Bytes in(runs); !in.rest().empty();) {
    const std::uint64_t head = in.varint();
    if ((head & 1) != 0) {
      for (std::uint64_t group = head >> 1; group > 0; --group)
        for (unsigned bits = in.byte(), i = 0; i < 8 && out.size() < count; ++i, bits >>= 1) out.push_back((bits & 1) != 0);
    } else {
      const bool bit = in.byte() != 0;
      out.insert(out.end(), head >> 1, bit);
    }
  }
  if (out.size() != count) throw std::out_of_range("not a level for each value");
  return out;
}

inline void append_page(std::string_view page, const Node& schema, std::size_t count, Column& column) {
  Bytes in(page);
  std::vector<bool> present(count, true);
  if (schema[3].integer == 1) {
    const std::size_t size = in.little(4);
    present = levels(in.take(size), count);
  }
  for (const bool is_there : present) {
    if (auto* integers = std::get_if<Integers>(&column.values))
      integers->push_back(is_there ? std::optional(static_cast<std::int64_t>(in.little(8))) : std::nullopt);
    else if (auto* numbers = std::get_if<Numbers>(&column.values))
      numbers->push_back(is_there ? std::optional(std::bit_cast<double>(in.little(8))) : std::nullopt);
    else if (is_there)
      std::get<Texts>(column.values).emplace_back(in.take(in.little(4)));
    else
      std::get<Texts>(column.values).emplace_back(std::nullopt);
  }
  if (!in.rest().empty()) throw std::out_of_range("bytes after the values of a page");
}

/// @throws std::exception if the file is not as the specification has it
inline Table read(const std::string& file) {
  const std::string_view all(file);
  if (!all.starts_with("PAR1") || !all.ends_with("PAR1") || all.size() < 12) throw std::out_of_range("no magic");
  const std::size_t size = Bytes(all.substr(all.size() - 8)).little(4);
  Bytes footer(all.substr(all.size() - 8 - size, size));
  const Node meta = footer.thrift(12);
  if (!footer.rest().empty()) throw std::out_of_range("bytes after the footer");
  Table table;
  table.created_by = meta[6].text;
  if (meta.fields.contains(5))
    for (const Node& pair : meta[5].items) table.metadata.emplace_back(pair[1].text, pair[2].text);
  const std::vector<Node>& schema = meta[2].items;
  if (schema.at(0)[5].integer + 1 != static_cast<std::int64_t>(schema.size())) throw std::out_of_range("number of columns");
  for (std::size_t i = 1; i < schema.size(); ++i) {
    Column column{schema[i][4].text, Integers{}};
    if (schema[i][1].integer == 5) column.values = Numbers{};
    if (schema[i][1].integer == 6) column.values = Texts{};
    table.columns.push_back(column);
  }
  std::int64_t rows = 0;
  std::size_t expected_offset = 4;
  for (const Node& group : meta[4].items) {
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const Node& chunk = group[1].items.at(i)[3];
      if (chunk[3].items.at(0).text != table.columns[i].name) throw std::out_of_range("a column's name");
      if (chunk[9].integer != static_cast<std::int64_t>(expected_offset)) throw std::out_of_range("a column's offset");
      Bytes in(all.substr(expected_offset, static_cast<std::size_t>(chunk[7].integer)));
      const Node head = in.thrift(12);
      if (head[2].integer != static_cast<std::int64_t>(in.rest().size())) throw std::out_of_range("a page's size");
      if (head[5][1].integer != group[3].integer) throw std::out_of_range("a page's number of values");
      append_page(in.rest(), schema[i + 1], static_cast<std::size_t>(group[3].integer), table.columns[i]);
      expected_offset += static_cast<std::size_t>(chunk[7].integer);
      bytes += chunk[6].integer;
    }
    if (bytes != group[2].integer) throw std::out_of_range("a group's size");
    rows += group[3].integer;
  }
  if (rows != meta[3].integer) throw std::out_of_range("number of rows");
  if (expected_offset + size + 8 != all.size()) throw std::out_of_range("bytes between the columns and the footer");
  return table;
}

}  // namespace simbatch::parquet::decoder
