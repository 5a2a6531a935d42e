// JSON schemas of Foxglove's types (https://docs.foxglove.dev/docs/sdk/schemas), as far as messages here use their members.

#include <stdexcept>

#include "lib/serve/foxglove_channels.hpp"

namespace simbatch::serve::foxglove {
namespace {

// Members that occur in several.
#define TIME                                                                                                       \
  R"({"type":"object","title":"time","properties":{"sec":{"type":"integer","minimum":0},"nsec":{"type":"integer")" \
  R"(,"minimum":0,"maximum":999999999}}})"
#define VECTOR \
  R"({"type":"object","title":"foxglove.Vector3","properties":{"x":{"type":"number"},"y":{"type":"number"},"z":{"type":"number"}}})"
#define QUATERNION                                                                                              \
  R"({"type":"object","title":"foxglove.Quaternion","properties":{"x":{"type":"number"},"y":{"type":"number"})" \
  R"(,"z":{"type":"number"},"w":{"type":"number"}}})"
#define POSE R"({"type":"object","title":"foxglove.Pose","properties":{"position":)" VECTOR R"(,"orientation":)" QUATERNION "}}"
#define COLOR                                                                                              \
  R"({"type":"object","title":"foxglove.Color","properties":{"r":{"type":"number"},"g":{"type":"number"})" \
  R"(,"b":{"type":"number"},"a":{"type":"number"}}})"
#define BYTES R"({"type":"string","contentEncoding":"base64"})"
#define NUMBERS R"({"type":"array","items":{"type":"number"}})"

struct Known {
  std::string_view name, schema;
};
constexpr Known kKnown[] = {
    {"foxglove.FrameTransforms",
     R"({"title":"foxglove.FrameTransforms","type":"object","properties":{"transforms":{"type":"array")"
     R"(,"items":{"type":"object","title":"foxglove.FrameTransform","properties":{"timestamp":)" TIME
     R"(,"parent_frame_id":{"type":"string"},"child_frame_id":{"type":"string"},"translation":)" VECTOR
     R"(,"rotation":)" QUATERNION R"(}}}}})"},
    {"foxglove.SceneUpdate",
     R"({"title":"foxglove.SceneUpdate","type":"object","properties":{"deletions":{"type":"array")"
     R"(,"items":{"type":"object"}},"entities":{"type":"array","items":{"type":"object","title":"foxglove.SceneEntity")"
     R"(,"properties":{"timestamp":)" TIME R"(,"frame_id":{"type":"string"},"id":{"type":"string"},"lifetime":)" TIME
     R"(,"frame_locked":{"type":"boolean"},"models":{"type":"array","items":{"type":"object")"
     R"(,"title":"foxglove.ModelPrimitive","properties":{"pose":)" POSE R"(,"scale":)" VECTOR R"(,"color":)" COLOR
     R"(,"override_color":{"type":"boolean"},"url":{"type":"string"},"media_type":{"type":"string"},"data":)" BYTES
     R"(}}}}}}}})"},
    {"foxglove.PointCloud",
     R"({"title":"foxglove.PointCloud","type":"object","properties":{"timestamp":)" TIME
     R"(,"frame_id":{"type":"string"},"pose":)" POSE
     R"(,"point_stride":{"type":"integer","minimum":0},"fields":{"type":"array","items":{"type":"object")"
     R"(,"title":"foxglove.PackedElementField","properties":{"name":{"type":"string"},"offset":{"type":"integer")"
     R"(,"minimum":0},"type":{"type":"integer"}}}},"data":)" BYTES "}}"},
    {"foxglove.LocationFix",
     R"({"title":"foxglove.LocationFix","type":"object","properties":{"timestamp":)" TIME
     R"(,"frame_id":{"type":"string"},"latitude":{"type":"number"},"longitude":{"type":"number"})"
     R"(,"altitude":{"type":"number"},"position_covariance":)" NUMBERS R"(,"position_covariance_type":{"type":"integer"}}})"},
    {"foxglove.CompressedImage", R"({"title":"foxglove.CompressedImage","type":"object","properties":{"timestamp":)" TIME
                                 R"(,"frame_id":{"type":"string"},"data":)" BYTES R"(,"format":{"type":"string"}}})"},
    {"foxglove.CameraCalibration",
     R"({"title":"foxglove.CameraCalibration","type":"object","properties":{"timestamp":)" TIME
     R"(,"frame_id":{"type":"string"},"width":{"type":"integer","minimum":0},"height":{"type":"integer","minimum":0})"
     R"(,"distortion_model":{"type":"string"},"D":)" NUMBERS R"(,"K":)" NUMBERS R"(,"R":)" NUMBERS R"(,"P":)" NUMBERS "}}"},
    {"foxglove.Log",
     R"({"title":"foxglove.Log","type":"object","properties":{"timestamp":)" TIME
     R"(,"level":{"type":"integer"},"message":{"type":"string"},"name":{"type":"string"},"file":{"type":"string"})"
     R"(,"line":{"type":"integer","minimum":0}}})"},
};

}  // namespace

std::string_view known_schema(std::string_view name) {
  for (const Known& known : kKnown)
    if (known.name == name) return known.schema;
  throw std::invalid_argument("known_schema: no schema has this name");
}

}  // namespace simbatch::serve::foxglove
