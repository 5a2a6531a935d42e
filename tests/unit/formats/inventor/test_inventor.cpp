#include <doctest/doctest.h>

#include <cmath>

#include "formats/inventor/codes.hpp"
#include "formats/inventor/inventor.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using inventor::Scene;

namespace {

Parsed<Scene> read(std::string_view text, std::string_view name = "a.iv") {
  inventor::ReadOptions options;
  options.resolve = [](std::string_view, std::string_view, bool) { return inventor::Referenced{}; };
  return inventor::read_inventor(text, options, name);
}

Parsed<Scene> iv(std::string_view body) { return read("#Inventor V2.1 ascii\n" + std::string(body)); }
Parsed<Scene> wrl(std::string_view body) { return read("#VRML V2.0 utf8\n" + std::string(body), "a.wrl"); }

double volume(const inventor::Mesh& mesh) {
  double six = 0;
  for (const auto& t : mesh.triangles) {
    const auto &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
    six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return six / 6;
}

constexpr std::string_view kTetrahedron =
    "Coordinate3 { point [0 0 0, 1 0 0, 0 1 0, 0 0 1] }\n"
    "IndexedFaceSet { coordIndex [0 2 1 -1 0 1 3 -1 0 3 2 -1 1 2 3 -1] }\n";

}  // namespace

TEST_CASE("inventor: primitive shapes have the toolkit's facets, counts and volumes") {
  struct Row {
    std::string_view body;
    std::size_t triangles;
    double volume;  // measured with Coin 4.0
  };
  for (const Row& row :
       {Row{"Cube {}", 12, 8}, Row{"Sphere {}", 390, 4.01638}, Row{"Cylinder {}", 76, 6.18034}, Row{"Cone {}", 38, 2.06011},
        Row{"Cylinder { parts SIDES }", 40, 4.12023}, Row{"Complexity { value 0.9 } Sphere {}", 1350, 4.13672},
        Row{"Complexity { value 0.1 } Sphere {}", 8, 4.0 / 3}, Row{"Complexity { value 0 } Cone {}", 6, 4.0 / 3},
        Row{"Cube { width 1 height 2 depth 3 }", 12, 6}, Row{"SoScale { scaleFactor 2 2 2 } Cube {}", 12, 64},
        Row{"Scale { scaleFactor -1 1 1 } Cube {}", 12, 8},
        Row{"Units { units MILLIMETERS } Scale { scaleFactor 1000 1000 1000 } Cube {}", 12, 8}}) {
    CAPTURE(row.body);
    const auto scene = iv(row.body);
    test::Expected expected(scene.diagnostics);
    CHECK(scene.value->mesh.triangles.size() == row.triangles);
    CHECK(volume(scene.value->mesh) == doctest::Approx(row.volume).epsilon(3e-4));
  }
}

TEST_CASE("inventor: transforms compose as in the toolkit, and end with their Separator") {
  const auto scene =
      iv("Separator { Transform { translation 10 0 0 rotation 0 0 1 1.5707963267948966 scaleFactor 2 1 1 center 1 0 0 }\n"
         "  Cube {} }\nSeparator { MatrixTransform { matrix 1 0 0 0 0 1 0 0 0 0 1 0 0 0 50 1 } Cube {} }\n");
  test::Expected expected(scene.diagnostics);
  REQUIRE(scene.value->mesh.triangles.size() == 24);
  // p -> R S (p - c) + c + t: x in [-1, 1] -> y in [-4, 0], y -> x in [10, 12]
  CHECK(inventor::bounding_box(scene.value->mesh)->min[1] == doctest::Approx(-4));
  CHECK(inventor::bounding_box(scene.value->mesh)->max[0] == doctest::Approx(12));
  CHECK(inventor::bounding_box(scene.value->mesh)->max[2] == doctest::Approx(51));
  CHECK(scene.value->max_scale == doctest::Approx(std::cbrt(2)));
  CHECK(scene.value->min_scale == doctest::Approx(1));
}

TEST_CASE("inventor: faces, strips and meshes; vertex order and mirroring are turned outward on request") {
  CHECK(volume(iv(kTetrahedron).value->mesh) == doctest::Approx(1.0 / 6));
  const std::string clockwise = "#Inventor V2.0 ascii\nShapeHints { vertexOrdering CLOCKWISE }\n" + std::string(kTetrahedron);
  CHECK(volume(read(clockwise).value->mesh) == doctest::Approx(-1.0 / 6));
  inventor::ReadOptions as_written;
  as_written.winding = inventor::Winding::as_written;
  CHECK(volume(inventor::read_inventor(clockwise, as_written, "a.iv").value->mesh) == doctest::Approx(1.0 / 6));

  const std::string points = "Coordinate3 { point [0 0 0, 1 0 0, 1 1 0, 0 1 0, 0.5 0.2 0] }\n";
  const auto strip = iv(points + "IndexedTriangleStripSet { coordIndex [0 1 2 3 4 -1] }").value->mesh;
  CHECK(strip.triangles == std::vector<inventor::Triangle>{{0, 1, 2}, {2, 1, 3}, {2, 3, 4}});
  CHECK(iv(points + "TriangleStripSet { numVertices [5] }").value->mesh.triangles == strip.triangles);
  CHECK(iv(points + "FaceSet { numVertices [3] }").value->mesh.triangles.size() == 1);
  CHECK(iv(points + "FaceSet { startIndex 0 numVertices [4] }").value->mesh.triangles.size() == 2);
  CHECK(iv(points + "QuadMesh { verticesPerRow 2 verticesPerColumn 2 }").value->mesh.triangles ==
        std::vector<inventor::Triangle>{{0, 2, 3}, {0, 3, 1}});
  const auto concave =
      iv(points + "ShapeHints { faceType UNKNOWN_FACE_TYPE } IndexedFaceSet { coordIndex [0 4 1 2 3 -1] }").value->mesh;
  double area = 0;
  for (const auto& t : concave.triangles) {
    const auto &a = concave.points[t[0]], &b = concave.points[t[1]], &c = concave.points[t[2]];
    const double twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    CHECK(twice > 0);
    area += twice / 2;
  }
  CHECK(area == doctest::Approx(0.9));
}

TEST_CASE("inventor: VRML 2 shapes, fields after the children, DEF and USE") {
  const auto scene = wrl(
      "DEF root Transform { children [\n Shape { appearance Appearance { material Material { diffuseColor 1 0 0 } }\n"
      " geometry IndexedFaceSet { coordIndex [0 2 1 -1 0 1 3 -1 0 3 2 -1 1 2 3 -1] coord DEF c Coordinate {\n"
      " point [0 0 0 1 0 0 0 1 0 0 0 1] } solid FALSE } }\n"
      " Shape { geometry IndexedFaceSet { coord USE c coordIndex [0 1 2 -1] ccw FALSE } } Collision { children Shape { geometry Box { size 1 1 1 } } }\n"
      " Switch { whichChoice 1 choice [ Shape { geometry Sphere {} } Shape { geometry Box {} } ] } ] translation 0 0 5 }");
  test::Expected expected(scene.diagnostics);
  REQUIRE(scene.value->mesh.triangles.size() == 5 + 12 + 12);
  CHECK(scene.value->mesh.parts[0].color == inventor::Color{1, 0, 0});
  CHECK(inventor::bounding_box(scene.value->mesh)->max[2] == doctest::Approx(6));
  CHECK(scene.value->mesh.triangles[4] == inventor::Triangle{0, 2, 1});
  CHECK(scene.value->nodes.at("Shape") == 4);
}

TEST_CASE("inventor: VRML in an .iv file is read by its first line, and told") {
  // 21 of the real .iv files are VRML: 13 of version 2, 8 of version 1.
  for (const std::string_view text :
       {"#VRML V2.0 utf8\nShape { geometry Box { size 2 2 2 } }", "#VRML V1.0 ascii\nCube { width 2 }"}) {
    CAPTURE(text);
    const auto scene = read(text, "thumb.iv");
    test::Expected expected(scene.diagnostics);
    expected.take("inventor-head-suffix", Position{1, 1});
    REQUIRE(scene.value);
    CHECK(scene.value->mesh.triangles.size() == 12);
    CHECK(inventor::bounding_box(scene.value->mesh)->max[0] == doctest::Approx(1));
  }
}

TEST_CASE("inventor: USE draws again under the current transform, names may hold odd characters") {
  const auto scene = iv(
      "DEF leg+0 Separator { DEF _<STL_BINARY> Cube {} }\n# DEF leg+0 Sphere {}\nTranslation { translation 10 0 0 }\nUSE leg+0\n"
      "Separator { USE wings:UNKNOWN }");
  test::Expected expected(scene.diagnostics);
  expected.take(inventor::code::kUse, Position{6, 13});
  CHECK(scene.value->mesh.triangles.size() == 24);
  CHECK(inventor::bounding_box(scene.value->mesh)->max[0] == doctest::Approx(11));
}

TEST_CASE("inventor: every problem has its code and its place") {
  struct Row {
    std::string_view text, code;
    Position at;
  };
  for (const Row& row : {
           Row{"", "inventor-head", {1, 1}},
           Row{"# a licence\n#Inventor V2.0 ascii\nCube {}", "inventor-head", {1, 1}},
           Row{"#Inventor V2.1 binary\n", "inventor-head", {1, 1}},
           Row{"#VRML V1.0 ascii\nCube {}", "inventor-head-suffix", {1, 1}},
           Row{"#Inventor V2.1 ascii\nCube {} 3", "inventor-syntax", {2, 9}},
           Row{"#Inventor V2.1 ascii\nCube {}\nSeparator { Cube {}", "inventor-end", {3, 11}},
           Row{"#Inventor V2.1 ascii\nCube {} }", "inventor-brace", {2, 9}},
           Row{"#Inventor V2.1 ascii\nCube {} Scale { scaleFactor 1 2 }", "inventor-number", {2, 32}},
           Row{"#Inventor V2.1 ascii\nCube {} Coordinate3 { point [0 0 0] } IndexedFaceSet { coordIndex [0 1 2] }",
               "inventor-index",
               {2, 71}},
           Row{"#Inventor V2.1 ascii\nCube {} Coordinate3 { point [0 0 0 1 1 1] } IndexedFaceSet { coordIndex [0 1 -1] }",
               "inventor-face",
               {2, 80}},
           Row{"#Inventor V2.1 ascii\nCube {} Cube { width 0 }", "inventor-face", {2, 25}},
           Row{"#Inventor V2.1 ascii\nCube { depth 9.5.8 }", "inventor-number", {2, 14}},
           Row{"#Inventor V2.1 ascii\nCube {} Cylinder { radius 1e }", "inventor-number", {2, 27}},
           Row{"#Inventor V2.1 ascii\nCube {} USE a", "inventor-use-undefined", {2, 9}},
           Row{"#Inventor V2.1 ascii\nCube {} DEF a Separator { USE a }", "inventor-use-cycle", {2, 27}},
           Row{"#Inventor V2.1 ascii\nCube {} File { name absent.iv }", "inventor-file-missing", {2, 21}},
           Row{"#Inventor V2.1 ascii\nCube {} Banana { peel 3 [ { \"}\" } ] }", "inventor-node-unknown", {0, 0}},
           Row{"#Inventor V2.1 ascii\n", "inventor-empty", {0, 0}},
       }) {
    CAPTURE(row.text);
    const auto scene = read(row.text);
    CAPTURE(test::all_text(scene.diagnostics));
    test::Expected expected(scene.diagnostics);
    expected.take(row.code, row.at);
    if (row.code.starts_with("inventor-head") && row.text.find("Cube") == std::string_view::npos)
      expected.take("inventor-empty");
  }
}

TEST_CASE("inventor: files are included from beside only, a loop is one error, other case is pointed at") {
  test::TemporaryFolder folder;
  test::write_text(
      folder.file("a.iv"),
      "#Inventor V2.1 ascii\nFile { name \"b.iv\" } File { name B.iv } File { name \"../b.iv\" } File { name \"/etc/passwd\" }");
  test::write_text(folder.file("b.iv"), "#Inventor V2.1 ascii\nTranslation { translation 0 9 0 } Cube {}\nFile { name a.iv }");
  inventor::ReadOptions options;
  options.resolve = inventor::resolve_beside;
  const auto scene = inventor::read_inventor(test::read_text(folder.file("a.iv")), options, folder.file("a.iv"));
  test::Expected expected(scene.diagnostics);
  CHECK(expected.take(inventor::code::kFileLoop, Position{3, 13}) == "\"a.iv\" includes itself");
  CHECK(expected.take(inventor::code::kFileCase, Position{2, 34}) == "there is no file \"B.iv\", but \"b.iv\"");
  expected.take(inventor::code::kFileOutside);
  expected.take(inventor::code::kFileOutside);
  CHECK(scene.value->mesh.triangles.size() == 12);
}

TEST_CASE("inventor: depth, repeated use and huge counts end in one error, in bounded memory") {
  std::string deep = "#Inventor V2.1 ascii\nCube {}\n";
  for (int i = 0; i < 100'000; ++i) deep += "Separator {";
  const auto scene = read(deep);
  test::Expected expected(scene.diagnostics);
  expected.take(inventor::code::kDepth);
  expected.take(inventor::code::kEnd);

  std::string bomb = "#Inventor V2.1 ascii\nDEF a0 Separator { Cube {} Cube {} }\n";
  for (int i = 1; i < 60; ++i)
    bomb +=
        "DEF a" + std::to_string(i) + " Separator { USE a" + std::to_string(i - 1) + " USE a" + std::to_string(i - 1) + " }\n";
  const auto bombed = read(bomb);
  test::Expected bomb_expected(bombed.diagnostics);
  bomb_expected.take(inventor::code::kLimit);
  CHECK(bombed.value->mesh.triangles.size() < 2'100'000);

  for (const std::string_view body :
       {"Coordinate3 { point [0 0 0] } FaceSet { numVertices 4294967295 }",
        "Coordinate3 { point 0 0 0 } FaceSet { startIndex 4294967295 }",
        "Coordinate3 { point 0 0 0 } QuadMesh { verticesPerRow 4294967295 verticesPerColumn 4294967295 }",
        "Coordinate3 { point 0 0 0 } IndexedFaceSet { coordIndex [4294967296 99999999999999999999 4294967295] }",
        "Complexity { value 1e300 } Sphere {}", "Switch { whichChild 9223372036854775807 Cube {} }"})
    CHECK(iv(body).value->mesh.triangles.size() < 40'000);
  CHECK(read("#VRML V2.0 utf8\n" + std::string(200'000, '[')).diagnostics.has_errors());
  CHECK(read("#VRML V2.0 utf8\nGroup { children " + std::string(200'000, '[') + "]").diagnostics.has_errors());
}

TEST_CASE("inventor: write and read give the same mesh") {
  inventor::Mesh mesh =
      iv("Material { diffuseColor 0.1 0.2 0.3 } Sphere { radius 0.1 } Material { diffuseColor 1 0 1 } Cone {}").value->mesh;
  const auto again = read(inventor::write_inventor(mesh));
  test::Expected expected(again.diagnostics);
  CHECK(again.value->mesh == mesh);

  // Triangles without area are not made in the first place.
  const auto flat = iv("Cube { width 0 } Cylinder { height 0 } Sphere { radius 0 } Cone { bottomRadius 0 }");
  CHECK(flat.value->degenerate > 0);
  CHECK(read(inventor::write_inventor(flat.value->mesh)).value->mesh == flat.value->mesh);
}

TEST_CASE("inventor: every prefix and many mutations end in a reading or in diagnostics") {
  const std::string text =
      "#Inventor V2.1 ascii\n#mass 3\nDEF a Separator { ShapeHints { faceType UNKNOWN_FACE_TYPE }\n" +
      std::string(kTetrahedron) +
      "IndexedFaceSet { vertexProperty VertexProperty { vertex [0 0 0, 4 0 0, 4 4 0, 1 1 0] } coordIndex [0 1 2 3] }"
      "Switch { whichChild 0 Sphere {} Cube {} } }\nUSE a Cylinder { parts (SIDES | TOP) }";
  test::for_every_prefix(text, [](std::string_view prefix) { (void)read(prefix); });
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto scene = read(test::mutated(text, seed));
    for (const auto& t : scene.value->mesh.triangles)
      for (const auto corner : t) REQUIRE(corner < scene.value->mesh.points.size());
  }
}
