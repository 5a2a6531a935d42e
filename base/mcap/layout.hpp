#pragma once
/// Records of MCAP files (https://mcap.dev/spec): what writer and reader share.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace simbatch::mcap {

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct Schema {
  std::string name;      ///< "foxglove.FrameTransforms"
  std::string encoding;  ///< "protobuf"
  std::string data;      ///< of protobuf: a FileDescriptorSet
  friend bool operator==(const Schema&, const Schema&) = default;
};

struct Channel {
  std::uint16_t schema = 0;  ///< id of a schema; 0: none
  std::string topic;
  std::string encoding;  ///< of its messages: "protobuf"
  Pairs metadata = {};
  friend bool operator==(const Channel&, const Channel&) = default;
};

struct Attachment {
  std::string name, media_type;
  std::string data;
};

namespace detail {

inline constexpr std::string_view kMagic{"\x89MCAP0\r\n", 8};

enum Op : unsigned char {
  kHeader = 1,
  kFooter = 2,
  kSchema = 3,
  kChannel = 4,
  kMessage = 5,
  kChunk = 6,
  kMessageIndex = 7,
  kChunkIndex = 8,
  kAttachment = 9,
  kAttachmentIndex = 10,
  kStatistics = 11,
  kMetadata = 12,
  kMetadataIndex = 13,
  kSummaryOffset = 14,
  kDataEnd = 15
};

inline constexpr std::size_t kRecordHead = 9;  ///< op and length

}  // namespace detail

}  // namespace simbatch::mcap
