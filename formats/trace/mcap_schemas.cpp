// Foxglove's types: names and numbers of fields as in the .proto files that npm's @foxglove/schemas 1.x generates;
// tests/simrun/mcap compares them.
#include "base/protobuf/descriptor.hpp"
#include "formats/trace/mcap_layout.hpp"

namespace simbatch::trace::detail {
namespace {

using protobuf::FieldKind;
using protobuf::FileType;

constexpr const char* kTime = ".google.protobuf.Timestamp";

FileType timestamp_file() {
  return {"google/protobuf/timestamp.proto",
          "google.protobuf",
          {},
          {{"Timestamp", {{"seconds", 1, FieldKind::int64}, {"nanos", 2, FieldKind::int32}}}}};
}
FileType vector_file() {
  return {"foxglove/Vector3.proto",
          "foxglove",
          {},
          {{"Vector3", {{"x", 1, FieldKind::number}, {"y", 2, FieldKind::number}, {"z", 3, FieldKind::number}}}}};
}
FileType quaternion_file() {
  return {
      "foxglove/Quaternion.proto",
      "foxglove",
      {},
      {{"Quaternion",
        {{"x", 1, FieldKind::number}, {"y", 2, FieldKind::number}, {"z", 3, FieldKind::number}, {"w", 4, FieldKind::number}}}}};
}

FileType pose_file() {
  return {"foxglove/Pose.proto",
          "foxglove",
          {"foxglove/Quaternion.proto", "foxglove/Vector3.proto"},
          {{"Pose",
            {{"position", 1, FieldKind::message, ".foxglove.Vector3"},
             {"orientation", 2, FieldKind::message, ".foxglove.Quaternion"}}}}};
}

mcap::Schema schema_of(const std::string& name, const std::vector<FileType>& files) {
  return {name, "protobuf", protobuf::descriptor_set(files)};
}

}  // namespace

mcap::Schema step_schema() {
  return schema_of("simbatch.Step", {{"simbatch/Step.proto", "simbatch", {}, {{"Step", {{"step", 1, FieldKind::uint64}}}}}});
}

mcap::Schema hash_schema() {
  return schema_of("simbatch.StateHash", {{"simbatch/StateHash.proto",
                                           "simbatch",
                                           {},
                                           {{"StateHash", {{"step", 1, FieldKind::uint64}, {"hash", 2, FieldKind::text}}}}}});
}

mcap::Schema transforms_schema() {
  const FileType transform{"foxglove/FrameTransform.proto",
                           "foxglove",
                           {"foxglove/Quaternion.proto", "foxglove/Vector3.proto", "google/protobuf/timestamp.proto"},
                           {{"FrameTransform",
                             {{"timestamp", 1, FieldKind::message, kTime},
                              {"parent_frame_id", 2, FieldKind::text},
                              {"child_frame_id", 3, FieldKind::text},
                              {"translation", 4, FieldKind::message, ".foxglove.Vector3"},
                              {"rotation", 5, FieldKind::message, ".foxglove.Quaternion"}}}}};
  const FileType transforms{"foxglove/FrameTransforms.proto",
                            "foxglove",
                            {"foxglove/FrameTransform.proto"},
                            {{"FrameTransforms", {{"transforms", 1, FieldKind::message, ".foxglove.FrameTransform", true}}}}};
  return schema_of("foxglove.FrameTransforms", {quaternion_file(), vector_file(), timestamp_file(), transform, transforms});
}

mcap::Schema location_schema() {
  const FileType fix{
      "foxglove/LocationFix.proto",
      "foxglove",
      {"google/protobuf/timestamp.proto"},
      {{"LocationFix",
        {{"timestamp", 6, FieldKind::message, kTime},
         {"frame_id", 7, FieldKind::text},
         {"latitude", 1, FieldKind::number},
         {"longitude", 2, FieldKind::number},
         {"altitude", 3, FieldKind::number},
         {"position_covariance", 4, FieldKind::number, {}, true},
         {"position_covariance_type", 5, FieldKind::enumeration, ".foxglove.LocationFix.PositionCovarianceType"}},
        {},
        {{"PositionCovarianceType", {{"UNKNOWN", 0}, {"APPROXIMATED", 1}, {"DIAGONAL_KNOWN", 2}, {"KNOWN", 3}}}}}}};
  return schema_of("foxglove.LocationFix", {timestamp_file(), fix});
}

mcap::Schema log_schema() {
  const FileType log{"foxglove/Log.proto",
                     "foxglove",
                     {"google/protobuf/timestamp.proto"},
                     {{"Log",
                       {{"timestamp", 1, FieldKind::message, kTime},
                        {"level", 2, FieldKind::enumeration, ".foxglove.Log.Level"},
                        {"message", 3, FieldKind::text},
                        {"name", 4, FieldKind::text},
                        {"file", 5, FieldKind::text},
                        {"line", 6, FieldKind::fixed32}},
                       {},
                       {{"Level", {{"UNKNOWN", 0}, {"DEBUG", 1}, {"INFO", 2}, {"WARNING", 3}, {"ERROR", 4}, {"FATAL", 5}}}}}}};
  return schema_of("foxglove.Log", {timestamp_file(), log});
}

mcap::Schema scene_schema() {
  constexpr const char *kVector = ".foxglove.Vector3", *kPose = ".foxglove.Pose", *kColor = ".foxglove.Color";
  const FileType duration{"google/protobuf/duration.proto",
                          "google.protobuf",
                          {},
                          {{"Duration", {{"seconds", 1, FieldKind::int64}, {"nanos", 2, FieldKind::int32}}}}};
  const FileType pose = pose_file();
  const FileType color{
      "foxglove/Color.proto",
      "foxglove",
      {},
      {{"Color",
        {{"r", 1, FieldKind::number}, {"g", 2, FieldKind::number}, {"b", 3, FieldKind::number}, {"a", 4, FieldKind::number}}}}};
  const FileType model{"foxglove/ModelPrimitive.proto",
                       "foxglove",
                       {"foxglove/Color.proto", "foxglove/Pose.proto", "foxglove/Vector3.proto"},
                       {{"ModelPrimitive",
                         {{"pose", 1, FieldKind::message, kPose},
                          {"scale", 2, FieldKind::message, kVector},
                          {"color", 3, FieldKind::message, kColor},
                          {"override_color", 4, FieldKind::boolean},
                          {"url", 5, FieldKind::text},
                          {"media_type", 6, FieldKind::text},
                          {"data", 7, FieldKind::bytes}}}}};
  const FileType entity{"foxglove/SceneEntity.proto",
                        "foxglove",
                        {"foxglove/ModelPrimitive.proto", "google/protobuf/duration.proto", "google/protobuf/timestamp.proto"},
                        {{"SceneEntity",
                          {{"timestamp", 1, FieldKind::message, kTime},
                           {"frame_id", 2, FieldKind::text},
                           {"id", 3, FieldKind::text},
                           {"lifetime", 4, FieldKind::message, ".google.protobuf.Duration"},
                           {"frame_locked", 5, FieldKind::boolean},
                           {"models", 14, FieldKind::message, ".foxglove.ModelPrimitive", true}}}}};
  const FileType update{"foxglove/SceneUpdate.proto",
                        "foxglove",
                        {"foxglove/SceneEntity.proto"},
                        {{"SceneUpdate", {{"entities", 2, FieldKind::message, ".foxglove.SceneEntity", true}}}}};
  return schema_of("foxglove.SceneUpdate",
                   {quaternion_file(), vector_file(), timestamp_file(), duration, color, pose, model, entity, update});
}

mcap::Schema laser_scan_schema() {
  const FileType scan{"foxglove/LaserScan.proto",
                      "foxglove",
                      {"foxglove/Pose.proto", "google/protobuf/timestamp.proto"},
                      {{"LaserScan",
                        {{"timestamp", 1, FieldKind::message, kTime},
                         {"frame_id", 2, FieldKind::text},
                         {"pose", 3, FieldKind::message, ".foxglove.Pose"},
                         {"start_angle", 4, FieldKind::number},
                         {"end_angle", 5, FieldKind::number},
                         {"ranges", 6, FieldKind::number, {}, true},
                         {"intensities", 7, FieldKind::number, {}, true}}}}};
  return schema_of("foxglove.LaserScan", {quaternion_file(), vector_file(), timestamp_file(), pose_file(), scan});
}

mcap::Schema point_cloud_schema() {
  const FileType element{"foxglove/PackedElementField.proto",
                         "foxglove",
                         {},
                         {{"PackedElementField",
                           {{"name", 1, FieldKind::text},
                            {"offset", 2, FieldKind::fixed32},
                            {"type", 3, FieldKind::enumeration, ".foxglove.PackedElementField.NumericType"}},
                           {},
                           {{"NumericType",
                             {{"UNKNOWN", 0},
                              {"UINT8", 1},
                              {"INT8", 2},
                              {"UINT16", 3},
                              {"INT16", 4},
                              {"UINT32", 5},
                              {"INT32", 6},
                              {"FLOAT32", 7},
                              {"FLOAT64", 8}}}}}}};
  const FileType cloud{"foxglove/PointCloud.proto",
                       "foxglove",
                       {"foxglove/PackedElementField.proto", "foxglove/Pose.proto", "google/protobuf/timestamp.proto"},
                       {{"PointCloud",
                         {{"timestamp", 1, FieldKind::message, kTime},
                          {"frame_id", 2, FieldKind::text},
                          {"pose", 3, FieldKind::message, ".foxglove.Pose"},
                          {"point_stride", 4, FieldKind::fixed32},
                          {"fields", 5, FieldKind::message, ".foxglove.PackedElementField", true},
                          {"data", 6, FieldKind::bytes}}}}};
  return schema_of("foxglove.PointCloud", {quaternion_file(), vector_file(), timestamp_file(), pose_file(), element, cloud});
}

mcap::Schema compressed_image_schema() {
  const FileType image{"foxglove/CompressedImage.proto",
                       "foxglove",
                       {"google/protobuf/timestamp.proto"},
                       {{"CompressedImage",
                         {{"timestamp", 1, FieldKind::message, kTime},
                          {"frame_id", 4, FieldKind::text},
                          {"data", 2, FieldKind::bytes},
                          {"format", 3, FieldKind::text}}}}};
  return schema_of("foxglove.CompressedImage", {timestamp_file(), image});
}

}  // namespace simbatch::trace::detail
