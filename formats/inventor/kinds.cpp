// Types of nodes. Source: the Inventor 2.1 and VRML 1.0 and 2.0 specifications (scene_reader.cpp).
#include <unordered_map>

#include "formats/inventor/scene_reader.hpp"

namespace simbatch::inventor::detail {
namespace {

constexpr std::pair<std::string_view, Kind> kTypes[] = {
    {"Separator", Kind::separator},
    {"Annotation", Kind::separator},
    {"Selection", Kind::separator},
    {"WWWAnchor", Kind::separator},
    {"Group", Kind::group},
    {"PathSwitch", Kind::group},
    {"TransformSeparator", Kind::transform_separator},
    {"Switch", Kind::switch_node},
    {"Blinker", Kind::switch_node},
    {"LOD", Kind::level_of_detail},
    {"LevelOfDetail", Kind::level_of_detail},
    {"File", Kind::file},
    {"WWWInline", Kind::file},
    {"Inline", Kind::file},
    {"Anchor", Kind::vrml2_group},
    {"Collision", Kind::vrml2_group},
    {"Billboard", Kind::vrml2_group},
    {"Coordinate3", Kind::coordinate3},
    {"Coordinate4", Kind::coordinate4},
    {"VertexProperty", Kind::vertex_property},
    {"Coordinate", Kind::coordinate3},
    {"ShapeHints", Kind::shape_hints},
    {"Complexity", Kind::complexity},
    {"Material", Kind::material},
    {"BaseColor", Kind::base_color},
    {"Translation", Kind::translation},
    {"Rotation", Kind::rotation},
    {"RotationXYZ", Kind::rotation_xyz},
    {"Scale", Kind::scale},
    {"Transform", Kind::transform},
    {"MatrixTransform", Kind::matrix_transform},
    {"Units", Kind::units},
    {"ResetTransform", Kind::reset_transform},
    {"Cube", Kind::cube},
    {"Box", Kind::cube},
    {"Sphere", Kind::sphere},
    {"Cylinder", Kind::cylinder},
    {"Cone", Kind::cone},
    {"FaceSet", Kind::face_set},
    {"IndexedFaceSet", Kind::indexed_face_set},
    {"TriangleStripSet", Kind::strip_set},
    {"IndexedTriangleStripSet", Kind::indexed_strip_set},
    {"QuadMesh", Kind::quad_mesh},
    {"Shape", Kind::shape},
    {"Texture2", Kind::texture},
    {"ImageTexture", Kind::texture},
    {"Texture3", Kind::texture},
};

/// Lines, points and flat text have no surface (Text3 has one, and is not read: it is reported as of unknown types); the others
/// do not affect triangles.
constexpr std::string_view kIgnoredTypes[] = {
    "LineSet",
    "IndexedLineSet",
    "PointSet",
    "Text2",
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
    for (const std::string_view name : kIgnoredTypes) kinds.emplace(name, Kind::ignored);
    return kinds;
  }();
  auto found = kKinds.find(type);
  // The toolkit accepts the class's name instead of the type's ("SoScale"), and a real file uses it.
  if (found == kKinds.end() && type.starts_with("So")) found = kKinds.find(type.substr(2));
  return found == kKinds.end() ? Kind::unknown : found->second;
}

}  // namespace simbatch::inventor::detail
