// Apache Parquet format 2.10 (https://github.com/apache/parquet-format: README, Encodings, parquet.thrift).
#include "base/parquet/read.hpp"

#include <bit>
#include <optional>

#include "base/compress/compress.hpp"
#include "base/core/diagnostics.hpp"
#include "base/core/little_endian.hpp"
#include "base/core/number.hpp"
#include "base/parquet/thrift.hpp"
#include "base/parquet/write.hpp"

namespace simbatch::parquet {

using namespace detail;

namespace {

constexpr std::int64_t kMaxInt32 = 2147483647;
constexpr std::size_t kMaxRatio = 4096;  // constant columns compress that well, but not all columns of a trace together

/// Bytes that all columns of a file may unpack to.
std::size_t most_unpacked(std::size_t file_size) { return kMaxRatio * file_size + (std::size_t{64} << 20); }

/// An element of the schema: the root has children, a column has a type.
struct SchemaElement {
  std::optional<std::int64_t> type, repetition, children, converted;
  std::string name;
};

SchemaElement read_element(ThriftReader& in) {
  SchemaElement element;
  in.structure([&](int field, int type) {
    switch (field) {
      case 1: element.type = in.integer(0, kMaxInt32); break;
      case 3: element.repetition = in.integer(0, kMaxInt32); break;
      case 4: element.name = in.bytes(); break;
      case 5: element.children = in.integer(0, kMaxInt32); break;
      case 6: element.converted = in.integer(0, kMaxInt32); break;
      default: in.skip(type);
    }
  });
  return element;
}

/// Metadata of a column in a group of rows.
struct ChunkInfo {
  Chunk chunk;
  std::int64_t codec = 0, type = -1;
};

ChunkInfo read_chunk(ThriftReader& in) {
  ChunkInfo info;
  const auto size = [&in] { return static_cast<std::size_t>(in.integer(0)); };
  in.structure([&](int field, int type) {
    if (field != 3 || type != kStruct) return in.skip(type);
    in.structure([&](int part, int part_type) {
      switch (part) {
        case 1: info.type = in.integer(0, kMaxInt32); break;
        case 4: info.codec = in.integer(0, kMaxInt32); break;
        case 5: info.chunk.values = size(); break;
        case 6: info.chunk.plain_bytes = size(); break;
        case 7: info.chunk.bytes = size(); break;
        case 9: info.chunk.offset = size(); break;
        default: in.skip(part_type);
      }
    });
  });
  return info;
}

std::pair<std::string, std::string> read_pair(ThriftReader& in) {
  std::pair<std::string, std::string> pair;
  in.structure([&](int field, int type) {
    if (field == 1)
      pair.first = in.bytes();
    else if (field == 2)
      pair.second = in.bytes();
    else
      in.skip(type);
  });
  return pair;
}

struct PageInfo {
  std::int64_t type = -1, plain_bytes = -1, bytes = -1, values = -1, encoding = -1;
};

PageInfo read_page_head(ThriftReader& in) {
  PageInfo page;
  in.structure([&](int field, int type) {
    switch (field) {
      case 1: page.type = in.integer(0, kMaxInt32); break;
      case 2: page.plain_bytes = in.integer(0, kMaxInt32); break;
      case 3: page.bytes = in.integer(0, kMaxInt32); break;
      case 5:
        in.structure([&](int part, int part_type) {
          if (part == 1)
            page.values = in.integer(0, kMaxInt32);
          else if (part == 2)
            page.encoding = in.integer(0, kMaxInt32);
          else
            in.skip(part_type);
        });
        break;
      default: in.skip(type);
    }
  });
  return page;
}

}  // namespace

void Reader::fail(std::size_t offset, std::string message) { throw ReadFault{offset, std::move(message)}; }

/// The footer as it is written, before it is checked.
struct Reader::Footer {
  std::vector<SchemaElement> schema;
  std::vector<std::vector<ChunkInfo>> groups;
  std::vector<std::pair<std::string, std::string>> metadata;
  std::size_t rows = 0;

  explicit Footer(ThriftReader& in) {
    in.structure([&](int field, int type) {
      switch (field) {
        case 2: in.list([&](int) { schema.push_back(read_element(in)); }); break;
        case 3: rows = static_cast<std::size_t>(in.integer(0)); break;
        case 4:
          in.list([&](int) {
            groups.emplace_back();
            in.structure([&](int part, int part_type) {
              if (part == 1)
                in.list([&](int) { groups.back().push_back(read_chunk(in)); });
              else
                in.skip(part_type);
            });
          });
          break;
        case 5: in.list([&](int) { metadata.push_back(read_pair(in)); }); break;
        default: in.skip(type);
      }
    });
  }
};

Reader::Reader(std::string_view file) : file_(file) {
  constexpr std::size_t kTail = 8;  // length and magic
  if (file.size() < kMagic.size() + kTail || !file.starts_with(kMagic)) fail(0, "not a Parquet file");
  if (!file.ends_with(kMagic)) fail(file.size(), "the file does not end with PAR1: it was cut");
  const std::uint64_t length = little_endian(file.substr(file.size() - kTail, 4));
  if (length > file.size() - kMagic.size() - kTail) fail(file.size() - kTail, "the footer is longer than the file");
  const std::size_t start = file.size() - kTail - length;
  ThriftReader in(file.substr(start, length));
  try {
    Footer footer(in);
    if (footer.schema.empty() || footer.schema[0].children != static_cast<std::int64_t>(footer.schema.size()) - 1)
      fail(start, "nested columns are not supported");
    for (std::size_t i = 1; i < footer.schema.size(); ++i) {
      SchemaElement& element = footer.schema[i];
      if (element.repetition.value_or(kRequired) != kRequired)
        fail(start, "column " + quoted(element.name) + " has empty values");
      const bool text = element.type == kByteArray && element.converted == 0;
      if (!text && element.type != kInt64 && element.type != kDouble)
        fail(start, "column " + quoted(element.name) + " has an unsupported type");
      columns_.push_back({std::move(element.name), text                      ? Type::texts
                                                   : element.type == kDouble ? Type::numbers
                                                                             : Type::integers});
    }
    rows_ = footer.rows;
    std::size_t rows = 0, end = kMagic.size(), unpacked = 0;
    for (const std::vector<ChunkInfo>& group : footer.groups) {
      if (group.size() != columns_.size()) fail(start, "a group of rows lacks columns");
      groups_.emplace_back();
      codecs_.emplace_back();
      for (std::size_t i = 0; i < group.size(); ++i) {
        if (group[i].type != footer.schema[i + 1].type) fail(start, "a column has another type than the schema says");
        if (group[i].codec != kUncompressed && group[i].codec != kZstd)
          fail(start, "column " + quoted(columns_[i].name) + " is compressed in an unsupported way");
        if (group[i].chunk.values != group[0].chunk.values) fail(start, "columns of a group have different lengths");
        // Pages that several columns share would multiply what a small file unpacks to.
        const Chunk& chunk = group[i].chunk;
        if (chunk.offset < end || chunk.offset > start || chunk.bytes > start - chunk.offset)
          fail(start, "column " + quoted(columns_[i].name) + " is not between the columns beside it");
        end = chunk.offset + chunk.bytes;
        if (chunk.plain_bytes > most_unpacked(file.size()) - unpacked)
          fail(start, "the columns unpack to more than " + number_text(kMaxRatio) + " times the file's size");
        unpacked += chunk.plain_bytes;
        groups_.back().push_back(chunk);
        codecs_.back().push_back(group[i].codec == kZstd ? kZstd : kUncompressed);
      }
      if (!group.empty()) rows += group[0].chunk.values;
    }
    if (rows != rows_) fail(start, "the groups have " + number_text(rows) + " rows, the file " + number_text(rows_));
    metadata_ = std::move(footer.metadata);
  } catch (const ThriftFault& fault) {
    fail(start + fault.offset, fault.message);
  }
}

std::vector<Reader::Page> Reader::pages(std::size_t column, std::size_t group) const {
  std::vector<Page> pages;
  const Chunk& chunk = groups_[group][column];
  std::string_view rest = file_.substr(chunk.offset, chunk.bytes);
  std::size_t values = 0, unpacked = 0;
  while (!rest.empty()) {
    const std::size_t at = chunk.offset + chunk.bytes - rest.size();
    ThriftReader in(rest);
    PageInfo info;
    try {
      info = read_page_head(in);
    } catch (const ThriftFault& fault) {
      fail(at + fault.offset, fault.message);
    }
    rest.remove_prefix(in.offset());
    if (info.type != 0 || info.values < 0 || info.plain_bytes < 0) fail(at, "not a data page of version 1");
    if (info.bytes < 0 || static_cast<std::uint64_t>(info.bytes) > rest.size()) fail(at, "a page is longer than its column");
    if (info.encoding != kPlain && info.encoding != kByteStreamSplit) fail(at, "a page has an unsupported encoding");
    const std::string_view bytes = rest.substr(0, static_cast<std::size_t>(info.bytes));
    Page page;
    page.values = static_cast<std::size_t>(info.values);
    page.encoding = info.encoding == kPlain ? kPlain : kByteStreamSplit;
    page.offset = at;
    const auto size = static_cast<std::size_t>(info.plain_bytes);
    std::optional<std::string> plain =
        codecs_[group][column] == kZstd ? zstd_unpacked(bytes, size) : std::optional(std::string(bytes));
    if (!plain || plain->size() != size) fail(at, "a page does not unpack to the size that it states");
    page.bytes = std::move(*plain);
    values += page.values;
    unpacked += size;
    if (unpacked > chunk.plain_bytes) fail(at, "the pages of a column unpack to more than it states");
    rest.remove_prefix(bytes.size());
    pages.push_back(std::move(page));
  }
  if (values != chunk.values) fail(chunk.offset, "the pages of a column do not have the values that it states");
  return pages;
}

void Reader::integers(std::size_t column, std::size_t group, std::vector<std::int64_t>& out) const {
  for (const Page& page : pages(column, group)) {
    if (page.bytes.size() != 8 * page.values || page.encoding != kPlain) fail(page.offset, "not as many integers as stated");
    for (std::size_t i = 0; i < page.values; ++i)
      out.push_back(static_cast<std::int64_t>(little_endian(std::string_view(page.bytes).substr(8 * i, 8))));
  }
}

void Reader::numbers(std::size_t column, std::size_t group, std::vector<double>& out) const {
  for (const Page& page : pages(column, group)) {
    if (page.bytes.size() != 8 * page.values) fail(page.offset, "not as many numbers as stated");
    const bool split = page.encoding == kByteStreamSplit;
    const std::size_t next_byte = split ? page.values : 1, next_value = split ? 1 : 8;
    const std::size_t first = out.size();
    out.resize(first + page.values);
    for (std::size_t i = 0; i < page.values; ++i) {
      const char* from = page.bytes.data() + i * next_value;
      std::uint64_t bits = 0;
      for (std::size_t byte = 0; byte < 8; ++byte)
        bits |= std::uint64_t{static_cast<unsigned char>(from[byte * next_byte])} << (8 * byte);
      out[first + i] = std::bit_cast<double>(bits);
    }
  }
}

void Reader::texts(std::size_t column, std::size_t group, std::vector<std::string>& out) const {
  for (const Page& page : pages(column, group)) {
    std::string_view rest = page.bytes;
    for (std::size_t i = 0; i < page.values; ++i) {
      const std::uint64_t length = rest.size() < 4 ? rest.size() + 1 : little_endian(rest.substr(0, 4));
      if (rest.size() < 4 || length > rest.size() - 4 || page.encoding != kPlain)
        fail(page.offset, "not as many texts as stated");
      out.emplace_back(rest.substr(4, length));
      rest.remove_prefix(4 + length);
    }
    if (!rest.empty()) fail(page.offset, "not as many texts as stated");
  }
}

std::vector<std::int64_t> Reader::integers(std::size_t column) const {
  std::vector<std::int64_t> out;
  for (std::size_t group = 0; group < groups(); ++group) integers(column, group, out);
  return out;
}

std::vector<double> Reader::numbers(std::size_t column) const {
  std::vector<double> out;
  for (std::size_t group = 0; group < groups(); ++group) numbers(column, group, out);
  return out;
}

std::vector<std::string> Reader::texts(std::size_t column) const {
  std::vector<std::string> out;
  for (std::size_t group = 0; group < groups(); ++group) texts(column, group, out);
  return out;
}

std::size_t Reader::group_end(std::size_t group) const {
  if (groups_[group].empty()) return 0;
  return groups_[group].back().offset + groups_[group].back().bytes;
}

}  // namespace simbatch::parquet
