#include "base/parquet/stream.hpp"

#include <array>
#include <bit>
#include <stdexcept>

#include "base/compress/compress.hpp"
#include "base/parquet/layout.hpp"
#include "base/parquet/write.hpp"

namespace simbatch::parquet {

using namespace detail;

namespace {

constexpr int kLevel = 1;

ColumnLayout layout_of(const ColumnType& column, Compression compression) {
  switch (column.type) {
    case Type::integers: return {column.name, kInt64, kRequired, kPlain};
    case Type::numbers: return {column.name, kDouble, kRequired, compression == Compression::zstd ? kByteStreamSplit : kPlain};
    case Type::texts: break;
  }
  return {column.name, kByteArray, kRequired, kPlain};
}

/// Afterwards block[i] has the bytes i of all eight, the least significant one of the first: a matrix of 8 x 8 bytes mirrored
/// by exchanging squares of 4, 2 and 1 bytes (Warren, Hacker's Delight, 7-3).
void transpose_bytes(std::array<std::uint64_t, 8>& block) {
  const auto exchange = [&block](std::size_t distance, unsigned shift, std::uint64_t mask) {
    for (std::size_t i = 0; i < 8; ++i) {
      if ((i & distance) != 0) continue;
      const std::uint64_t changed = (block[i] >> shift ^ block[i + distance]) & mask;
      block[i] ^= changed << shift;
      block[i + distance] ^= changed;
    }
  };
  exchange(4, 32, 0x00000000FFFFFFFF);
  exchange(2, 16, 0x0000FFFF0000FFFF);
  exchange(1, 8, 0x00FF00FF00FF00FF);
}

}  // namespace

struct StreamWriter::State {
  std::function<void(std::string_view)> sink;
  std::vector<ColumnType> columns;
  Footer footer;
  std::size_t offset = 0;
  std::string plain;
  ZstdPacker packer{kLevel};

  void put(std::string_view bytes) {
    sink(bytes);
    offset += bytes.size();
  }
};

StreamWriter::StreamWriter(std::function<void(std::string_view)> sink, std::vector<ColumnType> columns, Compression compression)
    : state_(std::make_unique<State>()) {
  state_->sink = std::move(sink);
  state_->columns = std::move(columns);
  for (const ColumnType& column : state_->columns) state_->footer.columns.push_back(layout_of(column, compression));
  state_->footer.codec = compression == Compression::zstd ? kZstd : kUncompressed;
  state_->put(kMagic);
}
StreamWriter::~StreamWriter() = default;

void StreamWriter::page(Type type, std::size_t values, std::string_view plain) {
  State& s = *state_;
  std::vector<Group>& groups = s.footer.groups;
  if (groups.empty() || groups.back().size() == s.columns.size()) groups.emplace_back();
  Group& group = groups.back();
  if (s.columns.at(group.size()).type != type) throw std::invalid_argument("a column of a Parquet file has another type");
  if (!group.empty() && group.front().values != values)
    throw std::invalid_argument("columns of a Parquet file have different lengths");
  if (plain.size() > kMaxPage) throw std::invalid_argument("a page of a Parquet file would be larger than 1 GiB");
  const std::string_view packed = s.footer.codec == kZstd ? s.packer.pack(plain) : plain;
  const std::string head = page_head(packed.size(), plain.size(), values, s.footer.columns[group.size()].encoding);
  group.push_back({s.offset, head.size() + packed.size(), head.size() + plain.size(), values});
  s.put(head);
  s.put(packed);
}

void StreamWriter::integers(std::span<const std::int64_t> values) {
  std::string& plain = state_->plain;
  plain.clear();
  for (const std::int64_t value : values) append_little(plain, static_cast<std::uint64_t>(value), 8);
  page(Type::integers, values.size(), plain);
}

void StreamWriter::numbers(std::span<const double> values) {
  std::string& plain = state_->plain;
  if (state_->footer.codec == kUncompressed) {
    plain.clear();
    for (const double value : values) append_little(plain, std::bit_cast<std::uint64_t>(value), 8);
    page(Type::numbers, values.size(), plain);
    return;
  }
  plain.resize(8 * values.size());
  std::size_t i = 0;
  for (; i + 8 <= values.size(); i += 8) {
    std::array<std::uint64_t, 8> block{};
    for (std::size_t k = 0; k < 8; ++k) block[k] = std::bit_cast<std::uint64_t>(values[i + k]);
    transpose_bytes(block);
    for (std::size_t byte = 0; byte < 8; ++byte)
      for (std::size_t k = 0; k < 8; ++k)
        plain[byte * values.size() + i + k] = static_cast<char>(block[byte] >> (8 * k) & 0xFF);
  }
  for (; i < values.size(); ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(values[i]);
    for (std::size_t byte = 0; byte < 8; ++byte) plain[byte * values.size() + i] = static_cast<char>(bits >> (8 * byte));
  }
  page(Type::numbers, values.size(), plain);
}

void StreamWriter::texts(std::span<const std::string_view> values) {
  std::string& plain = state_->plain;
  plain.clear();
  for (const std::string_view value : values) {
    append_little(plain, value.size(), 4);
    plain += value;
    if (plain.size() > kMaxPage) break;  // page() says so
  }
  page(Type::texts, values.size(), plain);
}

void StreamWriter::finish(std::vector<std::pair<std::string, std::string>> metadata, std::string created_by) {
  State& s = *state_;
  for (const Group& group : s.footer.groups) s.footer.rows += group.empty() ? 0 : group.front().values;
  s.footer.metadata = std::move(metadata);
  s.footer.created_by = std::move(created_by);
  s.put(to_bytes(s.footer));
}

}  // namespace simbatch::parquet
