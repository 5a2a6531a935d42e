#pragma once
/// MCAP files, written in one pass in bounded memory: chunks with their message indexes as they fill, then a summary with all
/// schemas, channels, statistics and indexes. A file that ends early can be read up to its last whole chunk.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/mcap/layout.hpp"

namespace simbatch::mcap {

enum class Compression { none, zstd };

/// The same calls give the same bytes with the same version of libzstd.
class Writer {
 public:
  /// @param sink     receives the file's bytes in order
  /// @param library  name of the writing program: "simbatch 0.1.0"
  Writer(std::function<void(std::string_view)> sink, const std::string& library, Compression compression = Compression::zstd);
  ~Writer();

  /// @return its id. Ids count from 1. @throws std::length_error beyond 65,535
  std::uint16_t add_schema(Schema schema);
  /// @param channel  of a schema that was added
  std::uint16_t add_channel(Channel channel);

  /// @param channel  that was added
  /// @param time     ns
  /// @param sequence  any number; should ascend within a channel
  /// @param parts    ascending offsets in `data` of parts that repeat those of the channel's last message, except for some
  ///                 bytes; for compression
  void message(std::uint16_t channel, std::uint64_t time, std::uint32_t sequence, std::string_view data,
               std::span<const std::uint32_t> parts = {});
  /// Ends the current chunk if it holds `chunk_bytes` or more: call it where a reader of a truncated file may stop. The sink
  /// then has all bytes so far. In a chunk, messages are ordered by their channels' ids, and within a channel by the order of
  /// the calls.
  /// @return whether it was ended
  bool end_chunk(std::size_t chunk_bytes = 0);

  void attachment(const Attachment& attachment);
  void metadata(const std::string& name, const Pairs& pairs);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace simbatch::mcap
