// Every problem of an Inventor file at its line and column.
#include <doctest/doctest.h>

#include <map>

#include "formats/inventor/codes.hpp"
#include "formats/inventor/inventor.hpp"
#include "tests/support/marked.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::inventor;
using simbatch::test::check_only;
using simbatch::test::marked;

namespace {

// Files that a test includes; those whose name begins with "Other" exist under another case only.
Referenced resolve(std::string_view, std::string_view name, bool contents) {
  static const std::map<std::string, std::string, std::less<>> kFiles = {
      {"cube.iv", "#Inventor V2.1 ascii\nCube {}\n"},
      {"self.iv", "#Inventor V2.1 ascii\nCube {}\n File { name \"self.iv\" }\n"},
      {"bad.iv", "#Inventor V2.1 ascii\nCube {}\n Cube { width two }\n"},
      {"a.png", ""}};
  Referenced file;
  file.name = name;
  if (name.starts_with("..") || name.starts_with("/")) {
    file.state = Referenced::State::outside;
  } else if (name.starts_with("Other")) {
    file.state = Referenced::State::other_case;
    file.nearest = "other.iv";
  } else if (const auto found = kFiles.find(name); found != kFiles.end()) {
    file.state = Referenced::State::found;
    if (contents) file.text = found->second;
  }
  return file;
}

Parsed<Scene> read(std::string_view text, std::string_view name = "a.iv") {
  ReadOptions options;
  options.resolve = resolve;
  options.max_depth = 8;
  return read_inventor(text, options, name);
}

struct Row {
  std::string_view body;  // with the mark
  const Code& code;
};

constexpr std::string_view kPoints = "Coordinate3 { point [0 0 0, 1 0 0, 1 1 0, 0 1 0] }\n";

}  // namespace

TEST_CASE("inventor: each problem of the text is reported where it is, once") {
  using namespace code;
  for (const Row& row : {
           Row{"Cube {}\n@}\n", kBrace},
           Row{"Cube {}\n@]\nCube {}", kBrace},
           Row{"Cube {}\n@hello\nCube {}", kSyntax},
           Row{"Cube {}\n  @42\nCube {}", kSyntax},
           Row{"Separator {\n @]\n Cube {}\n}", kSyntax},
           Row{"Separator {\n @[ 1 2 3 ]\n Cube {}\n}", kSyntax},
           Row{"Separator {\n @\"text\"\n Cube {}\n}", kSyntax},
           Row{"Cube {}\nCube {\n\t@width }", kSyntax},
           Row{"Cube {}\nSeparator @{ Cube {}\n", kEnd},
           Row{"Cube {}\nSeparator { Cube @{", kEnd},
           Row{"Cube {}\nInfo @{ string \"unfinished }\n", kEnd},
           Row{"Cube {}\nInfo @{ string [ \"a\", \"b\"\n", kEnd},
           Row{"Cube {}\nCube { width @two }", kNumber},
           Row{"Cube {}\nSphere { radius @\"1\" }", kNumber},
           Row{"Cube {}\nTranslation { translation 1 2@ }", kNumber},
           Row{"Cube {}\nTranslation { translation 1 @nan 2 }", kNumber},
           Row{"Cube {}\nTranslation { translation @NaN 1 2 }", kNumber},
           Row{"Cube {}\nTranslation { translation 1, 2,\t@Infinity 3 }", kNumber},
           Row{"Cube {}\nTranslation { translation 1 @-inf 2 }", kNumber},
           Row{"Cube {}\nTranslation { translation 1 2@ # nan\n}", kNumber},
           Row{"Cube {}\nTranslation { translation 1 2@\nname 3 }", kNumber},
           Row{"Cube {}\nTranslation { translation 1 @1e999 2 }", kNumber},
           Row{"Cube {}\nMaterial { diffuseColor [1 0@] }", kNumber},
           Row{"Cube {}\nRotation { rotation 0 0 1@ }", kNumber},
           Row{"Cube {}\nMatrixTransform { matrix 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0@ }", kNumber},
           Row{"Cube {}\n@USE absent\n", kUse},
           Row{"Cube {}\n@USE late\nDEF late Cube {}\n", kUse},
           Row{"Cube {}\n# DEF hidden Cube {}\n@USE hidden", kUse},
           Row{"Cube {}\nDEF a Separator {\n @USE a\n}", kUseCycle},
           Row{"Cube {}\nFile { name @\"absent.iv\" }", kFileMissing},
           Row{"Cube {}\nFile { name @\"OtherCase.iv\" }", kFileCase},
           Row{"Cube {}\nFile { name @\"../cube.iv\" }", kFileOutside},
           Row{"Cube {}\nTexture2 { filename @\"absent.png\" }", kFileMissing},
           Row{"Cube {}\nTexture2 { filename @\"../a.png\" }", kFileMissing},
           Row{"Cube {}\nTexture2 { filename @\"Other.png\" }", kFileCase},
           Row{"Group { Group { Group { Group { Group { Group { Group { Group { Group @{ Cube {} } } } } } } } } }\nCube {}",
               kDepth},
           Row{"Cube {}\nSphere { radius 0 @}", kFace},
       }) {
    CAPTURE(row.body);
    const test::Marked file = marked("#Inventor V2.1 ascii\n" + std::string(row.body));
    const auto scene = read(file.text);
    // The shape is complete when it is made: its place is that after the brace.
    const Position at = &row.code == &kFace ? Position{file.at.line, file.at.column + 1} : file.at;
    check_only(scene.diagnostics, row.code.name, at);
    CHECK(scene.value->mesh.triangles.size() >= 12);
  }
}

TEST_CASE("inventor: each problem of points and indexes is reported where it is, once") {
  using namespace code;
  for (const Row& row : {
           Row{"IndexedFaceSet { coordIndex [0 1 2 -1 0 1 9@ -1 1 2 8 -1] }", kIndex},
           Row{"IndexedFaceSet { coordIndex [0 1 2 -1 0 1 99999999999999999999@ -1] }", kIndex},
           Row{"IndexedFaceSet { coordIndex [0 1 2 -1 0 1 0x7f@ -1] }", kIndex},
           Row{"IndexedFaceSet { coordIndex [0 1 2 -1 0 1 @x -1] }", kNumber},
           Row{"IndexedFaceSet { coordIndex [0 1 2 -1 0 1 @1.5 -1] }", kNumber},
           Row{"IndexedFaceSet { coordIndex [0 1 2 -1 0 1 -1@ 2 3 -1] }", kFace},
           Row{"IndexedFaceSet { coordIndex [0 1 2 -1 0@] }", kFace},
           Row{"IndexedTriangleStripSet { coordIndex [0 1 2 4@ 5 -1] }", kIndex},
           Row{"IndexedTriangleStripSet { coordIndex [0 1 2 @two -1] }", kNumber},
           Row{"FaceSet { numVertices @[3, 3] }", kIndex},
           Row{"FaceSet { numVertices @5 } FaceSet { numVertices 3 }", kIndex},
           Row{"IndexedFaceSet { coordIndex [0 1 2 -1] }\nCoordinate3 { point [0 0 0, 1 0 0, 0 1 0, 5 @x 0] }\n"
               "IndexedFaceSet { coordIndex [0 1 2] }",
               kNumber},
           Row{"IndexedFaceSet { coordIndex [0 1 2 -1] }\nCoordinate3 { point [0 0 0, 1 0 0, 0 1 0, @x 0 0] }\n"
               "IndexedFaceSet { coordIndex [0 1 2] }",
               kNumber},
           Row{"IndexedFaceSet { coordIndex [0 1 2 -1] }\nCoordinate3 { point [0 0 0, 1 0 0, 0 1 0, 5 5@] }\n"
               "IndexedFaceSet { coordIndex [0 1 2] }",
               kNumber},
       }) {
    CAPTURE(row.body);
    const test::Marked file = marked("#Inventor V2.1 ascii\n" + std::string(kPoints) + std::string(row.body));
    const auto scene = read(file.text);
    check_only(scene.diagnostics, row.code.name, file.at);
    CHECK(scene.value->mesh.triangles.size() >= 1);
  }
}

TEST_CASE("inventor: problems of included files bear their names") {
  const auto bad = read("#Inventor V2.1 ascii\nFile { name \"cube.iv\" }\nFile { name \"bad.iv\" }\n");
  REQUIRE(bad.diagnostics.items().size() == 1);
  CHECK(bad.diagnostics.items()[0].file == "bad.iv");
  CHECK(bad.diagnostics.items()[0].at == Position{3, 15});
  CHECK(bad.value->files == std::vector<std::string>{"cube.iv", "bad.iv"});
  CHECK(bad.value->mesh.triangles.size() == 36);
  const auto loop = read("#Inventor V2.1 ascii\nFile { name \"self.iv\" }\n");
  REQUIRE(loop.diagnostics.items().size() == 1);
  CHECK(loop.diagnostics.items()[0].code == code::kFileLoop.name);
  CHECK(loop.diagnostics.items()[0].file == "self.iv");
  CHECK(loop.diagnostics.items()[0].at == Position{3, 14});
  ReadOptions few;
  few.resolve = resolve;
  few.max_files = 2;
  const auto limit = read_inventor(
      "#Inventor V2.1 ascii\nFile { name \"cube.iv\" }\nFile { name \"cube.iv\" }\nFile { name \"cube.iv\" }\nCube {}\n", few,
      "a.iv");
  check_only(limit.diagnostics, code::kLimit.name, {4, 13});
  CHECK(limit.value->mesh.triangles.size() == 24);
}

TEST_CASE("inventor: heads that are not those of a text are refused in the first line") {
  for (const std::string_view text :
       {"Cube {}", "#Inventor V9.9 ascii\nCube {}", "#VRML V3.0 utf8\nBox {}", "\n#Inventor V2.1 ascii\nCube {}"}) {
    CAPTURE(text);
    const auto scene = read(text);
    CHECK_FALSE(scene.ok());
    check_only(scene.diagnostics, code::kHead.name, {1, 1});
  }
  check_only(read("#VRML V2.0 utf8\nShape { geometry Box {} }", "a.iv").diagnostics, code::kVrmlInIv.name, {1, 1});
  check_only(read("#Inventor V2.1 ascii\n").diagnostics, code::kEmpty.name, {});
  check_only(read("#Inventor V2.1 ascii\nCube {}\nFancy { a 1 b [2] c \"}\" }\nFancy {}\n").diagnostics,
             code::kUnknownNode.name, {});
}

TEST_CASE("inventor: problems of fields, nodes and files are all reported in one reading") {
  const auto scene = read(
      "#Inventor V2.1 ascii\n"
      "Cube { width two }\n"
      "USE nothing\n"
      "Sphere { radius 0 }\n"
      "File { name \"absent.iv\" }\n"
      "}\n"
      "Coordinate3 { point [0 0 0] }\nIndexedFaceSet { coordIndex [0 1 2 -1] }\n"
      "Cube {\n");
  std::vector<std::pair<std::string_view, std::uint32_t>> found;
  for (const Diagnostic& d : scene.diagnostics.items()) found.emplace_back(d.code, d.at.line);
  CHECK(found == std::vector<std::pair<std::string_view, std::uint32_t>>{{code::kNumber.name, 2},
                                                                         {code::kUse.name, 3},
                                                                         {code::kFace.name, 4},
                                                                         {code::kFileMissing.name, 5},
                                                                         {code::kBrace.name, 6},
                                                                         {code::kIndex.name, 8},
                                                                         {code::kEnd.name, 9}});
}
