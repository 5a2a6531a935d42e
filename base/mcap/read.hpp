#pragma once
/// Reads MCAP files from beginning to end without their indexes, and so also those of a killed writer.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/mcap/layout.hpp"

namespace simbatch::mcap {

/// What is wrong with a file, and at which byte. Within a compressed chunk: where the chunk is.
struct ReadFault {
  std::size_t offset = 0;
  std::string message;
};

struct Message {
  std::uint16_t channel = 0;
  std::uint32_t sequence = 0;
  std::uint64_t time = 0;  ///< ns
  std::string_view data;   ///< until the handler returns
  std::size_t offset = 0;  ///< in the file; of its chunk, if it is compressed
};

/// Callbacks for the records of the data section, in order. All but the last must be set.
struct Handlers {
  std::function<void(std::uint16_t id, Schema schema)> schema;
  std::function<void(std::uint16_t id, Channel channel)> channel;
  std::function<void(const Message& message)> message;
  std::function<void(Attachment attachment)> attachment;
  std::function<void(std::string name, Pairs pairs)> metadata;
  /// May be empty: the bytes before this place are not needed again, so that their memory can be returned.
  std::function<void(std::size_t offset)> passed = {};
};

/// How a file ends.
struct Ending {
  bool whole = false;      ///< false: before its data section does, i.e. it was truncated; its complete records were read
  bool summary = false;    ///< with a summary, and the closing magic
  std::size_t chunks = 0;  ///< whole ones
};

/// Whether a file starts as MCAP files do.
bool is_mcap(std::string_view file);

/// Reads the records, and checks the sums (CRC-32) that the writer stated: of chunks, attachments, data and summary. Chunks may
/// be uncompressed or Zstandard. Memory is bounded by the largest chunk, which may unpack to 1 GiB; all chunks together may
/// unpack to 4,096 times the file's size plus 64 MB.
/// @throws ReadFault
Ending read(std::string_view file, const Handlers& handlers);

}  // namespace simbatch::mcap
