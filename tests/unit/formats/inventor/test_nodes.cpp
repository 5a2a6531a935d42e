// What each kind of node does to what follows it: docs/formats/inventor.md, "Node types".
#include <doctest/doctest.h>

#include "formats/inventor/codes.hpp"
#include "formats/inventor/inventor.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using inventor::Color;
using inventor::Scene;

namespace {

Scene read(std::string_view head, std::string_view body) {
  auto scene = inventor::read_inventor(std::string(head) + "\n" + std::string(body), {}, "a");
  test::Expected expected(std::move(scene.diagnostics));
  if (scene.value->mesh.triangles.empty()) expected.take(inventor::code::kEmpty);
  return std::move(*scene.value);
}
Scene iv(std::string_view body) { return read("#Inventor V2.1 ascii", body); }
Scene wrl(std::string_view body) { return read("#VRML V2.0 utf8", body); }

void check_box(const Scene& scene, const inventor::Point& min, const inventor::Point& max) {
  const auto box = inventor::bounding_box(scene.mesh);
  REQUIRE(box);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(box->min[i] == doctest::Approx(min[i]).epsilon(1e-9));
    CHECK(box->max[i] == doctest::Approx(max[i]).epsilon(1e-9));
  }
}

constexpr std::string_view kTriangle = "FaceSet { numVertices 3 }";

}  // namespace

TEST_CASE("inventor: every transform moves what follows it") {
  struct Row {
    std::string_view body;
    inventor::Point min, max;
  };
  const Row rows[] = {
      {"Cube { width 4 }", {-2, -1, -1}, {2, 1, 1}},
      {"Translation { translation 1 2 3 } Cube { width 4 }", {-1, 1, 2}, {3, 3, 4}},
      {"Scale { scaleFactor 1 2 3 } Cube { width 4 }", {-2, -2, -3}, {2, 2, 3}},
      {"Rotation { rotation 0 0 1 1.5707963267948966 } Cube { width 4 }", {-1, -2, -1}, {1, 2, 1}},
      {"RotationXYZ { axis Y angle 1.5707963267948966 } Cube { width 4 }", {-1, -1, -2}, {1, 1, 2}},
      {"RotationXYZ { axis Z angle 1.5707963267948966 } Cube { width 4 }", {-1, -2, -1}, {1, 2, 1}},
      {"RotationXYZ { axis X angle 1.5707963267948966 } Cube { width 4 }", {-2, -1, -1}, {2, 1, 1}},
      // Row vectors: the translation is in the last row.
      {"MatrixTransform { matrix 1 0 0 0 0 1 0 0 0 0 1 0 5 6 7 1 } Cube {}", {4, 5, 6}, {6, 7, 8}},
      {"Translation { translation 9 9 9 } ResetTransform {} Cube {}", {-1, -1, -1}, {1, 1, 1}},
      {"Units { units CENTIMETERS } Cube {}", {-0.01, -0.01, -0.01}, {0.01, 0.01, 0.01}},
      // The first in the file is the last that is applied.
      {"Translation { translation 1 0 0 } Scale { scaleFactor 2 2 2 } Cube {}", {-1, -2, -2}, {3, 2, 2}},
      {"Scale { scaleFactor 2 2 2 } Translation { translation 1 0 0 } Cube {}", {0, -2, -2}, {4, 2, 2}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.body);
    check_box(iv(row.body), row.min, row.max);
  }
}

TEST_CASE("inventor: groups keep or pass on their state") {
  check_box(iv("Separator { Translation { translation 5 0 0 } } Cube {}"), {-1, -1, -1}, {1, 1, 1});
  check_box(iv("Group { Translation { translation 5 0 0 } } Cube {}"), {4, -1, -1}, {6, 1, 1});
  check_box(iv("TransformSeparator { Translation { translation 5 0 0 } } Cube {}"), {-1, -1, -1}, {1, 1, 1});
  // All but the transform leaves a TransformSeparator.
  const Scene red = iv("TransformSeparator { BaseColor { rgb 1 0 0 } } Cube {}");
  REQUIRE(red.mesh.parts.size() == 1);
  CHECK(red.mesh.parts[0].color == Color{1, 0, 0});
  const Scene gray = iv("Separator { BaseColor { rgb 1 0 0 } } Cube {}");
  CHECK(gray.mesh.parts[0].color == Color{0.8F, 0.8F, 0.8F});
}

TEST_CASE("inventor: a Switch draws the child that it names, none, or all") {
  const auto drawn = [](std::string_view which) {
    return iv("Switch { " + std::string(which) + " Cube {} Cube {} Cube {} } Cube {}").mesh.triangles.size() / 12 - 1;
  };
  CHECK(drawn("whichChild -1") == 0);
  CHECK(drawn("") == 0);  // the toolkit's default
  CHECK(drawn("whichChild 0") == 1);
  CHECK(drawn("whichChild 2") == 1);
  CHECK(drawn("whichChild 3") == 0);
  CHECK(drawn("whichChild -3") == 3);
  CHECK(wrl("Switch { whichChoice -1 choice [ Shape { geometry Box {} } ] }").mesh.triangles.empty());
  // The first level of detail is the finest.
  CHECK(wrl("LOD { level [ Shape { geometry Box {} } Shape { geometry Sphere {} } ] }").mesh.triangles.size() == 12);
}

TEST_CASE("inventor: the first diffuse color of a material holds for the shapes after it") {
  const Scene scene =
      iv("Cube {} Material { diffuseColor [ 1 0 0, 0 1 0 ] ambientColor 0 0 1 } Cube {} Cube {}\n"
         "Separator { Material { diffuseColor 0 0 1 } Cube {} } Cube {}");
  const Color expected[] = {{0.8F, 0.8F, 0.8F}, {1, 0, 0}, {0, 0, 1}, {1, 0, 0}};
  const std::size_t counts[] = {12, 24, 12, 12};
  std::size_t at = 0, part = 0;
  for (const inventor::Part& p : scene.mesh.parts) {
    CHECK(p.first == at);  // without gaps
    at += p.count;
    // Neighbors of one color may be one part or several.
    if (part < 4 && p.color != expected[part]) ++part;
    REQUIRE(part < 4);
    CHECK(p.color == expected[part]);
  }
  CHECK(at == 60);
  std::size_t sum = 0;
  for (const std::size_t count : counts) sum += count;
  CHECK(sum == at);
  CHECK(wrl("Shape { appearance Appearance { material Material { diffuseColor 0 0.5 0 } } geometry Box {} }")
            .mesh.parts[0]
            .color == Color{0, 0.5F, 0});
}

TEST_CASE("inventor: points come from the current coordinates") {
  const inventor::Mesh plain = iv("Coordinate3 { point [ 0 0 0, 2 0 0, 0 2 0 ] } " + std::string(kTriangle)).mesh;
  REQUIRE(plain.triangles.size() == 1);
  // Homogeneous ones are divided by w.
  const inventor::Mesh divided = iv("Coordinate4 { point [ 0 0 0 1, 4 0 0 2, 0 1 0 0.5 ] } " + std::string(kTriangle)).mesh;
  CHECK(divided.points == plain.points);
  const inventor::Mesh own =
      iv("Coordinate3 { point [ 7 7 7, 8 8 8, 9 7 8 ] } FaceSet { vertexProperty VertexProperty { vertex [ 0 0 0, 2 0 0, 0 2 0 ] } "
         "numVertices 3 }")
          .mesh;
  REQUIRE(own.triangles.size() == 1);
  CHECK(own.points[own.triangles[0][1]] == inventor::Point{2, 0, 0});
  // The later coordinates replace the earlier.
  const inventor::Mesh later =
      iv("Coordinate3 { point [ 7 7 7, 8 8 8, 9 7 8 ] } Coordinate3 { point [ 0 0 0, 2 0 0, 0 2 0 ] } " +
         std::string(kTriangle))
          .mesh;
  CHECK(later.points[later.triangles[0][1]] == inventor::Point{2, 0, 0});
}

TEST_CASE("inventor: each head is a dialect of its own") {
  struct Row {
    std::string_view head, body;
    inventor::Dialect dialect;
    std::string_view name;
  };
  for (const Row& row : {Row{"#Inventor V1.0 ascii", "Cube {}", inventor::Dialect::inventor_1_0, "Inventor V1.0"},
                         Row{"#Inventor V2.0 ascii", "Cube {}", inventor::Dialect::inventor_2_0, "Inventor V2.0"},
                         Row{"#Inventor V2.1 ascii", "Cube {}", inventor::Dialect::inventor_2_1, "Inventor V2.1"},
                         Row{"#VRML V1.0 ascii", "Cube {}", inventor::Dialect::vrml_1_0, "VRML V1.0"},
                         Row{"#VRML V2.0 utf8", "Shape { geometry Box {} }", inventor::Dialect::vrml_2_0, "VRML V2.0"}}) {
    CAPTURE(row.head);
    const Scene scene = read(row.head, row.body);
    CHECK(scene.dialect == row.dialect);
    CHECK(inventor::to_text(scene.dialect) == row.name);
    CHECK(scene.mesh.triangles.size() == 12);
  }
}

TEST_CASE("inventor: a mesh is written with a material for each color") {
  inventor::Mesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1.5, 0}, {0, 0, 0.1}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  mesh.parts = {{0, 1, {1, 0, 0}}, {1, 1, {0, 0.5F, 0}}};
  const std::string text = inventor::write_inventor(mesh);
  CHECK(text.starts_with("#Inventor V2.1 ascii\n"));
  CHECK(text.find("diffuseColor 1 0 0") != std::string::npos);
  CHECK(text.find("diffuseColor 0 0.5 0") != std::string::npos);
  CHECK(text.find("0 1.5 0") != std::string::npos);
  CHECK(iv(text.substr(text.find('\n') + 1)).mesh == mesh);
  CHECK(!inventor::bounding_box(inventor::Mesh{}));
}

TEST_CASE("inventor: Text3 is skipped and told; text without a body is not") {
  const auto solid =
      inventor::read_inventor("#Inventor V2.1 ascii\nCube { }\nText3 { string \"x\" }\nText3 { string \"y\" }\n", {}, "a");
  CHECK(test::Expected(solid.diagnostics).take(inventor::code::kUnknownNode) == "2 nodes of the type \"Text3\" are skipped");
  const auto flat = inventor::read_inventor("#Inventor V2.1 ascii\nCube { }\nText2 { string \"x\" }\n", {}, "a");
  CHECK(flat.diagnostics.empty());
}

TEST_CASE("inventor: a file with CR as line ends is read as one with LF") {
  std::string text = "#Inventor V2.1 ascii\n# a comment\nCube { width 3 }\n";
  const auto lf = inventor::read_inventor(text, {}, "a");
  for (char& c : text)
    if (c == '\n') c = '\r';
  const auto cr = inventor::read_inventor(text, {}, "a");
  CHECK(cr.diagnostics.empty());
  REQUIRE(cr.value);
  CHECK(cr.value->mesh.points == lf.value->mesh.points);
  CHECK(cr.value->mesh.triangles.size() == 12);
}
