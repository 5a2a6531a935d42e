#include <unordered_map>

#include "formats/inventor/scene_reader.hpp"

namespace simbatch::inventor::detail {

Kind kind_of(std::string_view type) {
  using enum Kind;
  static const std::unordered_map<std::string_view, Kind> kKinds = {
      {"Separator", separator}, {"Annotation", separator}, {"Selection", separator}, {"WWWAnchor", separator},
      {"Group", group}, {"PathSwitch", group}, {"TransformSeparator", transform_separator},
      {"Switch", switch_node}, {"Blinker", switch_node}, {"LOD", level_of_detail}, {"LevelOfDetail", level_of_detail},
      {"File", file}, {"WWWInline", file}, {"Inline", file},
      {"Anchor", vrml2_group}, {"Collision", vrml2_group}, {"Billboard", vrml2_group},
      {"Coordinate3", coordinate3}, {"Coordinate4", coordinate4}, {"VertexProperty", vertex_property},
      {"Coordinate", coordinate3}, {"ShapeHints", shape_hints}, {"Complexity", complexity},
      {"Material", material}, {"BaseColor", base_color}, {"Translation", translation}, {"Rotation", rotation},
      {"RotationXYZ", rotation_xyz}, {"Scale", scale}, {"Transform", transform},
      {"MatrixTransform", matrix_transform}, {"Units", units}, {"ResetTransform", reset_transform},
      {"Cube", cube}, {"Box", cube}, {"Sphere", sphere}, {"Cylinder", cylinder}, {"Cone", cone},
      {"FaceSet", face_set}, {"IndexedFaceSet", indexed_face_set}, {"TriangleStripSet", strip_set},
      {"IndexedTriangleStripSet", indexed_strip_set}, {"QuadMesh", quad_mesh}, {"Shape", shape},
      {"Texture2", texture}, {"ImageTexture", texture}, {"Texture3", texture},
      // Lines, points and text have no triangles that a body could be touched at.
      {"LineSet", ignored}, {"IndexedLineSet", ignored}, {"PointSet", ignored}, {"Text2", ignored}, {"Text3", ignored},
      {"AsciiText", ignored}, {"Text", ignored}, {"MaterialBinding", ignored}, {"Normal", ignored},
      {"NormalBinding", ignored}, {"TextureCoordinate2", ignored}, {"TextureCoordinate", ignored},
      {"TextureCoordinateBinding", ignored}, {"Texture2Transform", ignored}, {"TextureTransform", ignored},
      {"LightModel", ignored}, {"DrawStyle", ignored}, {"PickStyle", ignored}, {"Font", ignored}, {"FontStyle", ignored},
      {"Info", ignored}, {"Label", ignored}, {"EventCallback", ignored}, {"Callback", ignored}, {"Color", ignored},
      {"PackedColor", ignored}, {"Appearance", ignored}, {"Environment", ignored}, {"PerspectiveCamera", ignored},
      {"OrthographicCamera", ignored}, {"DirectionalLight", ignored}, {"PointLight", ignored}, {"SpotLight", ignored},
      {"NavigationInfo", ignored}, {"Viewpoint", ignored}, {"WorldInfo", ignored}, {"Background", ignored},
      {"Fog", ignored}, {"TimeSensor", ignored}, {"TouchSensor", ignored}, {"PlaneSensor", ignored},
      {"SphereSensor", ignored}, {"CylinderSensor", ignored}, {"ProximitySensor", ignored},
      {"PositionInterpolator", ignored}, {"OrientationInterpolator", ignored}, {"ScalarInterpolator", ignored},
      {"CoordinateInterpolator", ignored}, {"ColorInterpolator", ignored}, {"Script", ignored}, {"Sound", ignored},
      {"AudioClip", ignored}, {"PolygonOffset", ignored}, {"TextureCoordinatePlane", ignored},
      {"TextureCoordinateEnvironment", ignored}, {"ClipPlane", ignored}, {"CreaseAngle", ignored}, {"MovieTexture", ignored}, {"PixelTexture", ignored},
  };
  auto found = kKinds.find(type);
  // The class's name instead of the type's ("SoScale") is accepted by the toolkit and seen in a real file.
  if (found == kKinds.end() && type.starts_with("So")) found = kKinds.find(type.substr(2));
  return found == kKinds.end() ? unknown : found->second;
}

}  // namespace simbatch::inventor::detail
