#pragma once
/// Descriptions of messages (descriptor.proto of Protocol Buffers 3), as `protoc --include_imports --descriptor_set_out` writes
/// them: with them, a reader that does not know a message can show its fields.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace simbatch::protobuf {

/// Types of fields that are used here, with their numbers in descriptor.proto.
enum class FieldKind {
  number = 1,
  int64 = 3,
  uint64 = 4,
  int32 = 5,
  fixed32 = 7,
  boolean = 8,
  text = 9,
  message = 11,
  bytes = 12,
  enumeration = 14
};

struct FieldType {
  std::string name;
  std::uint32_t number = 0;
  FieldKind kind = FieldKind::number;
  std::string type_name = {};  ///< of a message or an enumeration: ".foxglove.Vector3"
  bool repeated = false;
  bool optional = false;  ///< declared `optional`: a reader can tell whether it is there
};

struct EnumType {
  std::string name;
  std::vector<std::pair<std::string, std::int32_t>> values;  ///< the first is 0
};

struct MessageType {
  std::string name;
  std::vector<FieldType> fields;
  std::vector<MessageType> nested = {};
  std::vector<EnumType> enums = {};
};

/// A .proto file of syntax proto3.
struct FileType {
  std::string name;     ///< "foxglove/Vector3.proto"
  std::string package;  ///< "foxglove"
  std::vector<std::string> imports;
  std::vector<MessageType> messages;
};

/// The bytes of a FileDescriptorSet. @param files  each after those that it imports
std::string descriptor_set(const std::vector<FileType>& files);

}  // namespace simbatch::protobuf
