// Types of nodes. Source: the Inventor 2.1 and VRML 1.0 and 2.0 specifications (scene_reader.cpp).
#include <unordered_map>

#include "formats/inventor/scene_reader.hpp"

namespace simbatch::inventor::detail {
namespace {

using enum Kind;

constexpr std::pair<std::string_view, Kind> kTypes[] = {
    {"Separator", separator},
    {"Annotation", separator},
    {"Selection", separator},
    {"WWWAnchor", separator},
    {"Group", group},
    {"PathSwitch", group},
    {"TransformSeparator", transform_separator},
    {"Switch", switch_node},
    {"Blinker", switch_node},
    {"LOD", level_of_detail},
    {"LevelOfDetail", level_of_detail},
    {"File", file},
    {"WWWInline", file},
    {"Inline", file},
    {"Anchor", vrml2_group},
    {"Collision", vrml2_group},
    {"Billboard", vrml2_group},
    {"Coordinate3", coordinate3},
    {"Coordinate4", coordinate4},
    {"VertexProperty", vertex_property},
    {"Coordinate", coordinate3},
    {"ShapeHints", shape_hints},
    {"Complexity", complexity},
    {"Material", material},
    {"BaseColor", base_color},
    {"Translation", translation},
    {"Rotation", rotation},
    {"RotationXYZ", rotation_xyz},
    {"Scale", scale},
    {"Transform", transform},
    {"MatrixTransform", matrix_transform},
    {"Units", units},
    {"ResetTransform", reset_transform},
    {"Cube", cube},
    {"Box", cube},
    {"Sphere", sphere},
    {"Cylinder", cylinder},
    {"Cone", cone},
    {"FaceSet", face_set},
    {"IndexedFaceSet", indexed_face_set},
    {"TriangleStripSet", strip_set},
    {"IndexedTriangleStripSet", indexed_strip_set},
    {"QuadMesh", quad_mesh},
    {"Shape", shape},
    {"Texture2", texture},
    {"ImageTexture", texture},
    {"Texture3", texture},
};

/// Lines, points and text have no triangles that a body could be touched at; the others change nothing about triangles.
constexpr std::string_view kIgnoredTypes[] = {
    "LineSet",
    "IndexedLineSet",
    "PointSet",
    "Text2",
    "Text3",
    "AsciiText",
    "Text",
    "MaterialBinding",
    "Normal",
    "NormalBinding",
    "TextureCoordinate2",
    "TextureCoordinate",
    "TextureCoordinateBinding",
    "Texture2Transform",
    "TextureTransform",
    "LightModel",
    "DrawStyle",
    "PickStyle",
    "Font",
    "FontStyle",
    "Info",
    "Label",
    "EventCallback",
    "Callback",
    "Color",
    "PackedColor",
    "Appearance",
    "Environment",
    "PerspectiveCamera",
    "OrthographicCamera",
    "DirectionalLight",
    "PointLight",
    "SpotLight",
    "NavigationInfo",
    "Viewpoint",
    "WorldInfo",
    "Background",
    "Fog",
    "TimeSensor",
    "TouchSensor",
    "PlaneSensor",
    "SphereSensor",
    "CylinderSensor",
    "ProximitySensor",
    "PositionInterpolator",
    "OrientationInterpolator",
    "ScalarInterpolator",
    "CoordinateInterpolator",
    "ColorInterpolator",
    "Script",
    "Sound",
    "AudioClip",
    "PolygonOffset",
    "TextureCoordinatePlane",
    "TextureCoordinateEnvironment",
    "ClipPlane",
    "CreaseAngle",
    "MovieTexture",
    "PixelTexture",
};

}  // namespace

Kind kind_of(std::string_view type) {
  static const std::unordered_map<std::string_view, Kind> kKinds = [] {
    std::unordered_map<std::string_view, Kind> kinds(std::begin(kTypes), std::end(kTypes));
    for (const std::string_view name : kIgnoredTypes) kinds.emplace(name, ignored);
    return kinds;
  }();
  auto found = kKinds.find(type);
  // The toolkit accepts the class's name instead of the type's ("SoScale"), and a real file has it.
  if (found == kKinds.end() && type.starts_with("So")) found = kKinds.find(type.substr(2));
  return found == kKinds.end() ? unknown : found->second;
}

}  // namespace simbatch::inventor::detail
