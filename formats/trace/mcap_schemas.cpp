// Foxglove's types: all fields as in the .proto files that npm's @foxglove/schemas 2.1 generates, in the bytes that protoc 3.21
// makes of them (tests/simrun/descriptors).
#include <algorithm>

#include "base/protobuf/descriptor.hpp"
#include "formats/trace/mcap_layout.hpp"

namespace simbatch::trace::detail {
namespace {

using protobuf::EnumType;
using protobuf::FieldKind;
using ProtoField = protobuf::FieldType;
using protobuf::FileType;

constexpr const char *kTimestamp = ".google.protobuf.Timestamp", *kDuration = ".google.protobuf.Duration",
                     *kVector = ".foxglove.Vector3", *kPoint = ".foxglove.Point3", *kQuaternion = ".foxglove.Quaternion",
                     *kPose = ".foxglove.Pose", *kColor = ".foxglove.Color", *kPair = ".foxglove.KeyValuePair";

ProtoField number(const char* name, std::uint32_t id) { return {name, id}; }
ProtoField numbers(const char* name, std::uint32_t id) { return {name, id, FieldKind::number, {}, true}; }
ProtoField text(const char* name, std::uint32_t id) { return {name, id, FieldKind::text}; }
ProtoField boolean(const char* name, std::uint32_t id) { return {name, id, FieldKind::boolean}; }
ProtoField fixed32(const char* name, std::uint32_t id) { return {name, id, FieldKind::fixed32}; }
ProtoField bytes(const char* name, std::uint32_t id) { return {name, id, FieldKind::bytes}; }
ProtoField choice(const char* name, std::uint32_t id, const char* type) { return {name, id, FieldKind::enumeration, type}; }
ProtoField one(const char* name, std::uint32_t id, const char* type) { return {name, id, FieldKind::message, type}; }
ProtoField many(const char* name, std::uint32_t id, const char* type) { return {name, id, FieldKind::message, type, true}; }
ProtoField optional(ProtoField field) {
  field.optional = true;
  return field;
}

/// ".foxglove.Pose" is in "foxglove/Pose.proto", ".google.protobuf.Timestamp" in "google/protobuf/timestamp.proto".
std::string file_of(const std::string& type) {
  if (type == kTimestamp) return "google/protobuf/timestamp.proto";
  if (type == kDuration) return "google/protobuf/duration.proto";
  return "foxglove/" + type.substr(type.rfind('.') + 1) + ".proto";
}

/// A message in a file of its own, which imports those of its fields.
FileType message(const char* name, std::vector<ProtoField> fields, std::vector<EnumType> enums = {}) {
  std::vector<std::string> imports;
  for (const ProtoField& field : fields)
    if (field.kind == FieldKind::message) imports.push_back(file_of(field.type_name));
  std::sort(imports.begin(), imports.end());
  imports.erase(std::unique(imports.begin(), imports.end()), imports.end());
  return {"foxglove/" + std::string(name) + ".proto", "foxglove", imports, {{name, std::move(fields), {}, std::move(enums)}}};
}

FileType google(const char* name, const char* file) {
  return {file, "google.protobuf", {}, {{name, {{"seconds", 1, FieldKind::int64}, {"nanos", 2, FieldKind::int32}}}}};
}

std::vector<FileType> basic_types() {
  return {google("Timestamp", "google/protobuf/timestamp.proto"),
          google("Duration", "google/protobuf/duration.proto"),
          message("Vector3", {number("x", 1), number("y", 2), number("z", 3)}),
          message("Point3", {number("x", 1), number("y", 2), number("z", 3)}),
          message("Quaternion", {number("x", 1), number("y", 2), number("z", 3), number("w", 4)}),
          message("Pose", {one("position", 1, kVector), one("orientation", 2, kQuaternion)}),
          message("Color", {number("r", 1), number("g", 2), number("b", 3), number("a", 4)}),
          message("KeyValuePair", {text("key", 1), text("value", 2)})};
}

std::vector<FileType> primitives() {
  return {message("ArrowPrimitive", {one("pose", 1, kPose), number("shaft_length", 2), number("shaft_diameter", 3),
                                     number("head_length", 4), number("head_diameter", 5), one("color", 6, kColor)}),
          message("CubePrimitive", {one("pose", 1, kPose), one("size", 2, kVector), one("color", 3, kColor)}),
          message("SpherePrimitive", {one("pose", 1, kPose), one("size", 2, kVector), one("color", 3, kColor)}),
          message("CylinderPrimitive", {one("pose", 1, kPose), one("size", 2, kVector), number("bottom_scale", 3),
                                        number("top_scale", 4), one("color", 5, kColor)}),
          message("LinePrimitive",
                  {choice("type", 1, ".foxglove.LinePrimitive.Type"),
                   one("pose", 2, kPose),
                   number("thickness", 3),
                   boolean("scale_invariant", 4),
                   many("points", 5, kPoint),
                   one("color", 6, kColor),
                   many("colors", 7, kColor),
                   {"indices", 8, FieldKind::fixed32, {}, true}},
                  {{"Type", {{"LINE_STRIP", 0}, {"LINE_LOOP", 1}, {"LINE_LIST", 2}}}}),
          message("TriangleListPrimitive", {one("pose", 1, kPose),
                                            many("points", 2, kPoint),
                                            one("color", 3, kColor),
                                            many("colors", 4, kColor),
                                            {"indices", 5, FieldKind::fixed32, {}, true}}),
          message("TextPrimitive", {one("pose", 1, kPose), boolean("billboard", 2), number("font_size", 3),
                                    boolean("scale_invariant", 4), one("color", 5, kColor), text("text", 6)}),
          message("ModelPrimitive", {one("pose", 1, kPose), one("scale", 2, kVector), one("color", 3, kColor),
                                     boolean("override_color", 4), text("url", 5), text("media_type", 6), bytes("data", 7)})};
}

std::vector<FileType> scene_types() {
  return {message("SceneEntityDeletion",
                  {one("timestamp", 1, kTimestamp), choice("type", 2, ".foxglove.SceneEntityDeletion.Type"), text("id", 3)},
                  {{"Type", {{"MATCHING_ID", 0}, {"ALL", 1}}}}),
          message("SceneEntity",
                  {one("timestamp", 1, kTimestamp), text("frame_id", 2), text("id", 3), one("lifetime", 4, kDuration),
                   boolean("frame_locked", 5), many("metadata", 6, kPair), many("arrows", 7, ".foxglove.ArrowPrimitive"),
                   many("cubes", 8, ".foxglove.CubePrimitive"), many("spheres", 9, ".foxglove.SpherePrimitive"),
                   many("cylinders", 10, ".foxglove.CylinderPrimitive"), many("lines", 11, ".foxglove.LinePrimitive"),
                   many("triangles", 12, ".foxglove.TriangleListPrimitive"), many("texts", 13, ".foxglove.TextPrimitive"),
                   many("models", 14, ".foxglove.ModelPrimitive")}),
          message("SceneUpdate",
                  {many("deletions", 1, ".foxglove.SceneEntityDeletion"), many("entities", 2, ".foxglove.SceneEntity")})};
}

std::vector<FileType> message_types() {
  return {
      message("FrameTransform", {one("timestamp", 1, kTimestamp), text("parent_frame_id", 2), text("child_frame_id", 3),
                                 one("translation", 4, kVector), one("rotation", 5, kQuaternion)}),
      message("FrameTransforms", {many("transforms", 1, ".foxglove.FrameTransform")}),
      message("LocationFix",
              {one("timestamp", 6, kTimestamp), text("frame_id", 7), number("latitude", 1), number("longitude", 2),
               number("altitude", 3), numbers("position_covariance", 4),
               choice("position_covariance_type", 5, ".foxglove.LocationFix.PositionCovarianceType"),
               optional(number("heading", 10)), optional(one("velocity", 11, kVector)), optional(one("color", 8, kColor)),
               many("metadata", 9, kPair)},
              {{"PositionCovarianceType", {{"UNKNOWN", 0}, {"APPROXIMATED", 1}, {"DIAGONAL_KNOWN", 2}, {"KNOWN", 3}}}}),
      message("Log",
              {one("timestamp", 1, kTimestamp), choice("level", 2, ".foxglove.Log.Level"), text("message", 3), text("name", 4),
               text("file", 5), fixed32("line", 6)},
              {{"Level", {{"UNKNOWN", 0}, {"DEBUG", 1}, {"INFO", 2}, {"WARNING", 3}, {"ERROR", 4}, {"FATAL", 5}}}}),
      message("LaserScan", {one("timestamp", 1, kTimestamp), text("frame_id", 2), one("pose", 3, kPose),
                            number("start_angle", 4), number("end_angle", 5), numbers("ranges", 6), numbers("intensities", 7)}),
      message("PackedElementField",
              {text("name", 1), fixed32("offset", 2), choice("type", 3, ".foxglove.PackedElementField.NumericType")},
              {{"NumericType",
                {{"UNKNOWN", 0},
                 {"UINT8", 1},
                 {"INT8", 2},
                 {"UINT16", 3},
                 {"INT16", 4},
                 {"UINT32", 5},
                 {"INT32", 6},
                 {"FLOAT32", 7},
                 {"FLOAT64", 8}}}}),
      message("PointCloud", {one("timestamp", 1, kTimestamp), text("frame_id", 2), one("pose", 3, kPose),
                             fixed32("point_stride", 4), many("fields", 5, ".foxglove.PackedElementField"), bytes("data", 6)}),
      message("CompressedImage", {one("timestamp", 1, kTimestamp), text("frame_id", 4), bytes("data", 2), text("format", 3)}),
      message("CameraCalibration",
              {one("timestamp", 1, kTimestamp), text("frame_id", 9), fixed32("width", 2), fixed32("height", 3),
               text("distortion_model", 4), numbers("D", 5), numbers("K", 6), numbers("R", 7), numbers("P", 8)}),
      message("GeoJSON", {text("geojson", 1)})};
}

std::vector<FileType> all_types() {
  std::vector<FileType> all;
  for (std::vector<FileType> (*types)() : {basic_types, primitives, scene_types, message_types})
    for (FileType& file : types()) all.push_back(std::move(file));
  return all;
}

/// Appends a file after those that it imports, each once: protoc's order.
void append(const std::string& name, const std::vector<FileType>& all, std::vector<FileType>& to) {
  const auto is_it = [&name](const FileType& file) { return file.name == name; };
  if (std::any_of(to.begin(), to.end(), is_it)) return;
  const auto found = std::find_if(all.begin(), all.end(), is_it);
  if (found == all.end()) return;
  for (const std::string& import : found->imports) append(import, all, to);
  to.push_back(*found);
}

mcap::Schema foxglove(const std::string& name) {
  static const std::vector<FileType> all = all_types();
  std::vector<FileType> files;
  append("foxglove/" + name + ".proto", all, files);
  return {"foxglove." + name, "protobuf", protobuf::descriptor_set(files)};
}

/// One of our own, of a file of its own.
mcap::Schema own(const std::string& name, std::vector<ProtoField> fields) {
  return {"simbatch." + name, "protobuf",
          protobuf::descriptor_set({{"simbatch/" + name + ".proto", "simbatch", {}, {{name, std::move(fields)}}}})};
}

}  // namespace

mcap::Schema step_schema() { return own("Step", {{"step", 1, FieldKind::uint64}}); }
mcap::Schema hash_schema() { return own("StateHash", {{"step", 1, FieldKind::uint64}, text("hash", 2)}); }
mcap::Schema transforms_schema() { return foxglove("FrameTransforms"); }
mcap::Schema location_schema() { return foxglove("LocationFix"); }
mcap::Schema log_schema() { return foxglove("Log"); }
mcap::Schema scene_schema() { return foxglove("SceneUpdate"); }
mcap::Schema laser_scan_schema() { return foxglove("LaserScan"); }
mcap::Schema point_cloud_schema() { return foxglove("PointCloud"); }
mcap::Schema compressed_image_schema() { return foxglove("CompressedImage"); }
mcap::Schema calibration_schema() { return foxglove("CameraCalibration"); }
mcap::Schema geojson_schema() { return foxglove("GeoJSON"); }

}  // namespace simbatch::trace::detail
