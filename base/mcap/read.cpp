// MCAP format specification, version 0 (https://mcap.dev/spec).
#include "base/mcap/read.hpp"

#include <optional>

#include "base/compress/compress.hpp"
#include "base/core/little_endian.hpp"

namespace simbatch::mcap {
namespace {

using namespace detail;

constexpr std::size_t kMaxChunk = std::size_t{1} << 30;
constexpr std::size_t kMaxRatio = 4096, kFree = std::size_t{64} << 20;  // what all chunks may unpack to

/// The content of a record, piece by piece.
class Content {
 public:
  Content(std::string_view bytes, std::size_t offset) : bytes_(bytes), offset_(offset) {}
  template <class Number>
  Number number() {
    return static_cast<Number>(little_endian(take(sizeof(Number))));
  }
  std::string_view text() { return take(number<std::uint32_t>()); }
  Pairs pairs() {
    Content in(text(), offset_);
    Pairs pairs;
    while (!in.bytes_.empty()) {
      std::string key(in.text());
      pairs.emplace_back(std::move(key), in.text());
    }
    return pairs;
  }
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) throw ReadFault{offset_, "a record is shorter than its contents"};
    const std::string_view piece = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return piece;
  }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
  std::size_t offset_;
};

class FileReader {
 public:
  FileReader(std::string_view file, const Handlers& handlers) : file_(file), handlers_(handlers) {}

  Ending read() {
    if (!is_mcap(file_)) throw ReadFault{0, "not an MCAP file"};
    std::size_t at = kMagic.size();
    for (bool first = true;; first = false) {
      Op op{};
      std::string_view content;
      if (!record(file_, at, op, content)) return ending_;
      const std::size_t offset = at;
      at += kRecordHead + content.size();
      if (op != kDataEnd) sum_ = crc32_of(file_.substr(summed_, at - summed_), sum_);
      summed_ = at;
      if (first != (op == kHeader)) throw ReadFault{offset, "the first record is not the header, or there are two"};
      switch (op) {
        case kChunk: chunk(Content(content, offset), offset); break;
        case kAttachment: attachment(content, offset); break;
        case kMetadata: {
          Content in(content, offset);
          std::string name(in.text());
          handlers_.metadata(std::move(name), in.pairs());
          break;
        }
        case kDataEnd: {
          const auto sum = Content(content, offset).number<std::uint32_t>();
          if (sum != 0 && sum != sum_) throw ReadFault{offset, "the checksum of the data is wrong"};
          ending_.whole = true;
          ending_.summary = summary(at);
          return ending_;
        }
        case kFooter: throw ReadFault{offset, "the file ends without a record of its data's end"};
        default: of_data(op, content, offset);
      }
      if (handlers_.passed) handlers_.passed(at);
    }
  }

 private:
  /// The record at a place. @return false if the bytes end before it does
  static bool record(std::string_view bytes, std::size_t at, Op& op, std::string_view& content) {
    if (bytes.size() - at < kRecordHead) return false;
    Content head(bytes.substr(at, kRecordHead), at);
    op = static_cast<Op>(head.number<unsigned char>());
    const auto length = head.number<std::uint64_t>();
    if (length > bytes.size() - at - kRecordHead) return false;
    content = bytes.substr(at + kRecordHead, length);
    return true;
  }

  /// Records that are in chunks as well. Those that are unknown are skipped, as the specification asks.
  void of_data(Op op, std::string_view content, std::size_t offset) {
    Content in(content, offset);
    switch (op) {
      case kSchema: {
        const auto id = in.number<std::uint16_t>();
        Schema schema;
        schema.name = in.text();
        schema.encoding = in.text();
        schema.data = in.text();
        handlers_.schema(id, std::move(schema));
        break;
      }
      case kChannel: {
        const auto id = in.number<std::uint16_t>();
        Channel channel;
        channel.schema = in.number<std::uint16_t>();
        channel.topic = in.text();
        channel.encoding = in.text();
        channel.metadata = in.pairs();
        handlers_.channel(id, std::move(channel));
        break;
      }
      case kMessage: {
        Message message;
        message.channel = in.number<std::uint16_t>();
        message.sequence = in.number<std::uint32_t>();
        message.time = in.number<std::uint64_t>();
        (void)in.number<std::uint64_t>();  // when it was published
        message.data = in.rest();
        message.offset = offset;
        handlers_.message(message);
        break;
      }
      default: break;
    }
  }

  void chunk(Content in, std::size_t offset) {
    (void)in.take(16);  // times
    const auto size = in.number<std::uint64_t>();
    const auto sum = in.number<std::uint32_t>();
    const std::string_view compression = in.text();
    const std::string_view packed = in.take(in.number<std::uint64_t>());
    if (size > kMaxChunk || size > kMaxRatio * file_.size() + kFree - unpacked_)
      throw ReadFault{offset, "a chunk unpacks to more than its file justifies"};
    unpacked_ += size;
    std::optional<std::string> plain;
    std::string_view records = packed;
    if (compression == "zstd") {
      plain = zstd_unpacked(packed, size);
      if (!plain) throw ReadFault{offset, "a chunk does not unpack to the size that it states"};
      records = *plain;
    } else if (!compression.empty()) {
      throw ReadFault{offset, "a chunk is compressed in an unsupported way; `mcap compress` of its own tools rewrites it"};
    }
    if (records.size() != size) throw ReadFault{offset, "a chunk has another size than it states"};
    if (sum != 0 && sum != crc32_of(records)) throw ReadFault{offset, "the checksum of a chunk is wrong"};
    for (std::size_t at = 0; at < records.size();) {
      Op op{};
      std::string_view content;
      if (!record(records, at, op, content)) throw ReadFault{offset, "a chunk ends within a record"};
      at += kRecordHead + content.size();
      of_data(op, content, offset);
    }
    ++ending_.chunks;
  }

  void attachment(std::string_view content, std::size_t offset) {
    Content in(content, offset);
    (void)in.take(16);  // times
    Attachment attachment;
    attachment.name = in.text();
    attachment.media_type = in.text();
    attachment.data = in.take(in.number<std::uint64_t>());
    const std::string_view summed = content.substr(0, content.size() - in.rest().size());
    const auto sum = in.number<std::uint32_t>();
    if (sum != 0 && sum != crc32_of(summed)) throw ReadFault{offset, "the checksum of an attachment is wrong"};
    handlers_.attachment(std::move(attachment));
  }

  /// The summary repeats what precedes it; only its checksum is checked. @return whether it is there
  bool summary(std::size_t start) const {
    constexpr std::size_t kFooterBytes = 20;
    if (!file_.substr(start).ends_with(kMagic) || file_.size() - start < kRecordHead + kFooterBytes + kMagic.size())
      return false;
    const std::size_t footer = file_.size() - kMagic.size() - kFooterBytes - kRecordHead;
    Op op{};
    std::string_view content;
    if (!record(file_, footer, op, content) || op != kFooter || content.size() != kFooterBytes) return false;
    const auto sum = Content(content.substr(kFooterBytes - 4), footer).number<std::uint32_t>();
    if (sum != 0 && sum != crc32_of(file_.substr(start, file_.size() - start - kMagic.size() - 4)))
      throw ReadFault{footer, "the checksum of the summary is wrong"};
    return true;
  }

  std::string_view file_;
  const Handlers& handlers_;
  std::size_t unpacked_ = 0;
  std::size_t summed_ = 0;  // so many bytes are in sum_
  std::uint32_t sum_ = 0;
  Ending ending_;
};

}  // namespace

bool is_mcap(std::string_view file) { return file.starts_with(kMagic); }

Ending read(std::string_view file, const Handlers& handlers) { return FileReader(file, handlers).read(); }

}  // namespace simbatch::mcap
