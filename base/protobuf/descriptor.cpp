// Field numbers: google/protobuf/descriptor.proto of Protocol Buffers 3.21.
#include "base/protobuf/descriptor.hpp"

#include "base/protobuf/wire.hpp"

namespace simbatch::protobuf {
namespace {

/// As protoc makes it: "child_frame_id" is "childFrameId".
std::string json_name(const std::string& name) {
  std::string out;
  bool upper = false;
  for (const char c : name) {
    if (c == '_') {
      upper = true;
      continue;
    }
    out += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = false;
  }
  return out;
}

/// @param optionals  how many fields before it are `optional`
void write_field(Writer& out, const FieldType& field, std::uint64_t optionals) {
  constexpr std::uint64_t kOptional = 1, kRepeated = 3;
  out.text(1, field.name);
  out.whole(3, field.number);
  out.whole(4, field.repeated ? kRepeated : kOptional);
  out.whole(5, static_cast<std::uint64_t>(field.kind));
  out.text(6, field.type_name);
  if (field.optional) {
    out.key(9, kVarint);  // descriptor.proto is proto2: zeros are written
    out.varint(optionals);
  }
  out.text(10, json_name(field.name));
  if (field.optional) out.whole(17, 1);
}

void write_enum(Writer& out, const EnumType& type) {
  out.text(1, type.name);
  for (const auto& [name, number] : type.values) {
    const std::size_t value = out.open(2);
    out.text(1, name);
    out.key(2, kVarint);  // as above
    out.varint(static_cast<std::uint64_t>(number));
    out.close(value);
  }
}

void write_message(Writer& out, const MessageType& type) {
  out.text(1, type.name);
  std::uint64_t optionals = 0;
  for (const FieldType& field : type.fields) {
    const std::size_t opened = out.open(2);
    write_field(out, field, optionals);
    out.close(opened);
    if (field.optional) ++optionals;
  }
  for (const MessageType& nested : type.nested) {
    const std::size_t opened = out.open(3);
    write_message(out, nested);
    out.close(opened);
  }
  for (const EnumType& each : type.enums) {
    const std::size_t opened = out.open(4);
    write_enum(out, each);
    out.close(opened);
  }
  // Each is the only member of a oneof of its own.
  for (const FieldType& field : type.fields) {
    if (!field.optional) continue;
    const std::size_t opened = out.open(8);
    out.text(1, "_" + field.name);
    out.close(opened);
  }
}

}  // namespace

std::string descriptor_set(const std::vector<FileType>& files) {
  std::string bytes;
  Writer out(bytes);
  for (const FileType& file : files) {
    const std::size_t opened = out.open(1);
    out.text(1, file.name);
    out.text(2, file.package);
    for (const std::string& import : file.imports) out.text(3, import);
    for (const MessageType& message : file.messages) {
      const std::size_t inner = out.open(4);
      write_message(out, message);
      out.close(inner);
    }
    out.text(12, "proto3");
    out.close(opened);
  }
  return bytes;
}

}  // namespace simbatch::protobuf
