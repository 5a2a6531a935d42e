// MCAP format specification, version 0 (https://mcap.dev/spec).
#include "base/mcap/write.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/compress/compress.hpp"
#include "base/compress/repeats.hpp"

namespace simbatch::mcap {
namespace {

using namespace detail;

/// @return the place after it
template <class Number>
char* put_little(char* to, Number value) {
  for (std::size_t i = 0; i < sizeof value; ++i) to[i] = static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xFF);
  return to + sizeof value;
}

template <class Number>
void append_little(std::string& out, Number value) {
  char bytes[sizeof value];
  put_little(bytes, value);
  out.append(bytes, sizeof value);
}

void append_text(std::string& out, std::string_view text) {
  append_little(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}

void append_pairs(std::string& out, const Pairs& pairs) {
  std::string bytes;
  for (const auto& [key, value] : pairs) {
    append_text(bytes, key);
    append_text(bytes, value);
  }
  append_text(out, bytes);
}

std::string schema_record(std::uint16_t id, const Schema& schema) {
  std::string out;
  append_little(out, id);
  append_text(out, schema.name);
  append_text(out, schema.encoding);
  append_text(out, schema.data);
  return out;
}

std::string channel_record(std::uint16_t id, const Channel& channel) {
  std::string out;
  append_little(out, id);
  append_little(out, channel.schema);
  append_text(out, channel.topic);
  append_text(out, channel.encoding);
  append_pairs(out, channel.metadata);
  return out;
}

void append_record(std::string& out, Op op, std::string_view content) {
  out += static_cast<char>(op);
  append_little(out, static_cast<std::uint64_t>(content.size()));
  out += content;
}

/// Times of messages.
struct Span {
  std::uint64_t first = 0, last = 0;
  bool empty = true;
  void add(std::uint64_t time) {
    first = empty ? time : std::min(first, time);
    last = empty ? time : std::max(last, time);
    empty = false;
  }
};

/// The messages of a channel in the present chunk.
struct Messages {
  std::string records;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> index;  // time, offset in `records`
  std::vector<Repeat> repeats;
  std::vector<std::uint32_t> parts;  // of the last one
  void clear() {
    records.clear();
    index.clear();
    repeats.clear();
  }
};

}  // namespace

struct Writer::State {
  std::function<void(std::string_view)> sink;
  std::string library;
  Compression compression = Compression::zstd;
  std::uint64_t offset = 0;
  std::uint32_t crc = 0;  // of all bytes so far
  std::vector<Schema> schemas;
  std::vector<Channel> channels;
  std::vector<std::uint64_t> counts;  // of messages, by channel
  std::uint64_t messages = 0, chunks = 0, attachments = 0, metadata = 0;
  Span times;
  RepeatPacker packer;
  // The present chunk: schemas and channels, then the messages of each channel.
  std::string chunk;
  std::vector<Messages> waiting;
  std::size_t waiting_bytes = 0;
  std::vector<Repeat> repeats;  // in `chunk`
  Span chunk_times;
  // Records of the summary, each with its header.
  std::string chunk_indexes, attachment_indexes, metadata_indexes;

  void put(std::string_view bytes) {
    sink(bytes);
    offset += bytes.size();
    crc = crc32_of(bytes, crc);
  }
  void record(Op op, std::string_view content) {
    std::string head(1, static_cast<char>(op));
    append_little(head, static_cast<std::uint64_t>(content.size()));
    put(head);
    put(content);
  }
  void join();
  void write_chunk();
  void write_indexes(std::uint64_t chunk_start, std::uint64_t chunk_length, std::uint64_t packed);
  std::string statistics() const;
};

Writer::Writer(std::function<void(std::string_view)> sink, const std::string& library, Compression compression)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.sink = std::move(sink);
  s.compression = compression;
  s.put(kMagic);
  std::string header;
  append_text(header, "");  // profile
  append_text(header, library);
  s.record(kHeader, header);
}
Writer::~Writer() = default;

std::uint16_t Writer::add_schema(Schema schema) {
  State& s = *state_;
  if (s.schemas.size() == std::numeric_limits<std::uint16_t>::max())
    throw std::length_error("an MCAP file has at most 65,535 schemas");
  s.schemas.push_back(std::move(schema));
  const auto id = static_cast<std::uint16_t>(s.schemas.size());
  append_record(s.chunk, kSchema, schema_record(id, s.schemas.back()));
  return id;
}

std::uint16_t Writer::add_channel(Channel channel) {
  State& s = *state_;
  if (s.channels.size() == std::numeric_limits<std::uint16_t>::max())
    throw std::length_error("an MCAP file has at most 65,535 channels");
  assert(channel.schema <= s.schemas.size());
  s.channels.push_back(std::move(channel));
  s.counts.push_back(0);
  s.waiting.emplace_back();
  const auto id = static_cast<std::uint16_t>(s.channels.size());
  append_record(s.chunk, kChannel, channel_record(id, s.channels.back()));
  return id;
}

void Writer::message(std::uint16_t channel, std::uint64_t time, std::uint32_t sequence, std::string_view data,
                     std::span<const std::uint32_t> parts) {
  State& s = *state_;
  assert(channel >= 1 && channel <= s.channels.size());
  constexpr std::size_t kHead = 22;  // channel, sequence, two times
  char head[kRecordHead + kHead];
  Messages& messages = s.waiting[channel - 1u];
  const std::size_t at = messages.records.size();
  head[0] = static_cast<char>(kMessage);
  char* to = put_little(head + 1, static_cast<std::uint64_t>(kHead + data.size()));
  to = put_little(put_little(to, channel), sequence);
  put_little(put_little(to, time), time);
  messages.records.append(head, sizeof head);
  messages.records += data;
  const std::size_t before = messages.index.empty() ? at : messages.index.back().second;
  messages.repeats.push_back({at, before});
  if (before < at && parts.size() == messages.parts.size())
    for (std::size_t i = 0; i < parts.size(); ++i)
      messages.repeats.push_back({at + sizeof head + parts[i], before + sizeof head + messages.parts[i]});
  messages.parts.assign(parts.begin(), parts.end());
  messages.index.emplace_back(time, at);
  s.waiting_bytes += sizeof head + data.size();
  s.chunk_times.add(time);
  s.times.add(time);
  ++s.counts[channel - 1u];
  ++s.messages;
}

bool Writer::end_chunk(std::size_t chunk_bytes) {
  const std::size_t bytes = state_->chunk.size() + state_->waiting_bytes;
  if (bytes == 0 || bytes < chunk_bytes) return false;
  state_->write_chunk();
  return true;
}

/// The messages of all channels one after the other into the chunk, where each channel's repeat each other.
void Writer::State::join() {
  repeats.assign(1, {});
  chunk.reserve(chunk.size() + waiting_bytes);
  for (Messages& each : waiting) {
    const std::size_t start = chunk.size();
    chunk += each.records;
    for (const Repeat& repeat : each.repeats) repeats.push_back({start + repeat.at, start + repeat.before});
    for (auto& entry : each.index) entry.second += start;
  }
  waiting_bytes = 0;
}

void Writer::State::write_chunk() {
  join();
  std::string content;
  append_little(content, chunk_times.first);
  append_little(content, chunk_times.last);
  append_little(content, static_cast<std::uint64_t>(chunk.size()));
  append_little(content, crc32_of(chunk));
  const bool packs = compression == Compression::zstd;
  append_text(content, packs ? "zstd" : "");
  const std::string_view bytes = packs ? packer.pack(chunk, repeats) : chunk;
  append_little(content, static_cast<std::uint64_t>(bytes.size()));
  const std::uint64_t start = offset;
  std::string head(1, static_cast<char>(kChunk));
  append_little(head, static_cast<std::uint64_t>(content.size() + bytes.size()));
  put(head);
  put(content);
  put(bytes);
  write_indexes(start, offset - start, bytes.size());
  ++chunks;
  chunk.clear();
  chunk_times = {};
}

void Writer::State::write_indexes(std::uint64_t chunk_start, std::uint64_t chunk_length, std::uint64_t packed) {
  const std::uint64_t start = offset;
  std::string offsets, content;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i].index.empty()) continue;
    const auto id = static_cast<std::uint16_t>(i + 1);
    append_little(offsets, id);
    append_little(offsets, offset);
    content.clear();
    append_little(content, id);
    append_little(content, static_cast<std::uint32_t>(2 * sizeof(std::uint64_t) * waiting[i].index.size()));
    for (const auto& [time, at] : waiting[i].index) {
      append_little(content, time);
      append_little(content, at);
    }
    record(kMessageIndex, content);
    waiting[i].clear();
  }
  std::string entry;
  append_little(entry, chunk_times.first);
  append_little(entry, chunk_times.last);
  append_little(entry, chunk_start);
  append_little(entry, chunk_length);
  append_text(entry, offsets);
  append_little(entry, offset - start);
  append_text(entry, compression == Compression::zstd ? "zstd" : "");
  append_little(entry, packed);
  append_little(entry, static_cast<std::uint64_t>(chunk.size()));
  append_record(chunk_indexes, kChunkIndex, entry);
}

void Writer::attachment(const Attachment& attachment) {
  State& s = *state_;
  end_chunk();
  std::string content;
  append_little(content, std::uint64_t{0});  // no times of day, so that the same run gives the same bytes
  append_little(content, std::uint64_t{0});
  append_text(content, attachment.name);
  append_text(content, attachment.media_type);
  append_little(content, static_cast<std::uint64_t>(attachment.data.size()));
  content += attachment.data;
  append_little(content, crc32_of(content));
  std::string entry;
  append_little(entry, s.offset);
  append_little(entry, static_cast<std::uint64_t>(content.size() + kRecordHead));
  append_little(entry, std::uint64_t{0});
  append_little(entry, std::uint64_t{0});
  append_little(entry, static_cast<std::uint64_t>(attachment.data.size()));
  append_text(entry, attachment.name);
  append_text(entry, attachment.media_type);
  append_record(s.attachment_indexes, kAttachmentIndex, entry);
  s.record(kAttachment, content);
  ++s.attachments;
}

void Writer::metadata(const std::string& name, const Pairs& pairs) {
  State& s = *state_;
  std::string content;
  append_text(content, name);
  append_pairs(content, pairs);
  std::string entry;
  append_little(entry, s.offset);
  append_little(entry, static_cast<std::uint64_t>(content.size() + kRecordHead));
  append_text(entry, name);
  append_record(s.metadata_indexes, kMetadataIndex, entry);
  s.record(kMetadata, content);
  ++s.metadata;
}

std::string Writer::State::statistics() const {
  std::string out, per_channel;
  append_little(out, messages);
  append_little(out, static_cast<std::uint16_t>(schemas.size()));
  append_little(out, static_cast<std::uint32_t>(channels.size()));
  append_little(out, static_cast<std::uint32_t>(attachments));
  append_little(out, static_cast<std::uint32_t>(metadata));
  append_little(out, static_cast<std::uint32_t>(chunks));
  append_little(out, times.first);
  append_little(out, times.last);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    append_little(per_channel, static_cast<std::uint16_t>(i + 1));
    append_little(per_channel, counts[i]);
  }
  append_text(out, per_channel);
  return out;
}

void Writer::finish() {
  State& s = *state_;
  end_chunk();
  std::string end;
  append_little(end, s.crc);
  s.record(kDataEnd, end);
  const std::uint64_t summary_start = s.offset;
  s.crc = 0;  // from here on of the summary
  std::string schemas, channels, statistics, offsets;
  for (std::size_t i = 0; i < s.schemas.size(); ++i)
    append_record(schemas, kSchema, schema_record(static_cast<std::uint16_t>(i + 1), s.schemas[i]));
  for (std::size_t i = 0; i < s.channels.size(); ++i)
    append_record(channels, kChannel, channel_record(static_cast<std::uint16_t>(i + 1), s.channels[i]));
  append_record(statistics, kStatistics, s.statistics());
  const std::pair<Op, const std::string*> groups[] = {{kSchema, &schemas},
                                                      {kChannel, &channels},
                                                      {kStatistics, &statistics},
                                                      {kChunkIndex, &s.chunk_indexes},
                                                      {kAttachmentIndex, &s.attachment_indexes},
                                                      {kMetadataIndex, &s.metadata_indexes}};
  for (const auto& [op, records] : groups) {
    if (records->empty()) continue;
    std::string entry(1, static_cast<char>(op));
    append_little(entry, s.offset);
    append_little(entry, static_cast<std::uint64_t>(records->size()));
    append_record(offsets, kSummaryOffset, entry);
    s.put(*records);
  }
  const std::uint64_t offsets_start = s.offset;
  s.put(offsets);
  // The footer's checksum also covers the beginning of the footer itself.
  std::string footer(1, static_cast<char>(kFooter));
  append_little(footer, std::uint64_t{20});
  append_little(footer, summary_start);
  append_little(footer, offsets_start);
  s.put(footer);
  std::string sum;
  append_little(sum, s.crc);
  s.put(sum);
  s.put(kMagic);
}

}  // namespace simbatch::mcap
