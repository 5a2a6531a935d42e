// Model files, good and hostile.

#include "lib/sim/scene/models.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "base/core/input.hpp"
#include "lib/sim/scene/codes.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::sim;
using namespace simbatch::scene;
using test::TemporaryFolder;
using test::write_text;

namespace {

const std::string kObj = "mtllib model.mtl\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 3\nusemtl red\nf 1 2 3\nusemtl blue\nf 1 3 4\n";
const std::string kMtl = "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n";

/// A 3DS file of one triangle with one material, z up: (0,0,0), (1,0,0), (0,2,3).
std::string tiny_3ds() {
  const auto u16 = [](unsigned v) { return std::string{static_cast<char>(v & 255), static_cast<char>(v >> 8)}; };
  const auto u32 = [&](std::size_t v) { return u16(static_cast<unsigned>(v & 0xffff)) + u16(static_cast<unsigned>(v >> 16)); };
  const auto f32 = [](float v) { return std::string(reinterpret_cast<const char*>(&v), 4); };
  const auto chunk = [&](unsigned id, const std::string& body) { return u16(id) + u32(body.size() + 6) + body; };
  std::string points = u16(3), faces = u16(1) + u16(0) + u16(1) + u16(2) + u16(0);
  for (const float x : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 2.f, 3.f}) points += f32(x);
  const std::string name = std::string("green") + '\0';
  faces += chunk(0x4130, name + u16(1) + u16(0));
  const std::string material = chunk(0xAFFF, chunk(0xA000, name) + chunk(0xA020, chunk(0x0011, std::string("\0\xff\0", 3))));
  const std::string object =
      chunk(0x4000, std::string("o") + '\0' + chunk(0x4100, chunk(0x4110, points) + chunk(0x4120, faces)));
  return chunk(0x4D4D, chunk(0x3D3D, material + object));
}

struct Folder {
  TemporaryFolder folder;
  Diagnostics problems;
  std::string write(const std::string& type, std::string_view text) {
    std::filesystem::create_directories(folder.file("m/LOD0"));
    write_text(folder.file("m/LOD0/model." + type), std::string(text));
    return folder.file("m");
  }
  std::optional<Model> read(const std::string& type) {
    models::ModelReader reader;
    return read_model(reader, {folder.file("m"), type, "robot.xml", {4, 7}}, "a box", problems);
  }
};

}  // namespace

TEST_CASE("models: an OBJ with its materials, unchanged") {
  Folder folder;
  folder.write("obj", kObj);
  folder.write("mtl", kMtl);
  const auto model = folder.read("obj");
  REQUIRE(model);
  CHECK(folder.problems.empty());
  CHECK(model->mesh.indices.size() == 6);
  bool seen = false;
  for (const geo::Vec3& p : model->mesh.points) seen = seen || p == geo::Vec3{0, 1, 3};
  CHECK(seen);
  REQUIRE(model->paint.size() == 2);
  const geo::Vec3 first = model->colors[model->paint[0]], second = model->colors[model->paint[1]];
  CHECK(first == geo::Vec3{1, 0, 0});
  CHECK(second == geo::Vec3{0, 0, 1});
  CHECK(folder.read(""));  // the type need not be said
}

TEST_CASE("models: an OBJ whose numbers begin with a point") {
  for (const char* number : {".5", "-.5", "+.5", ".25e1", "5."}) {
    CAPTURE(number);
    Folder folder;
    folder.write("obj", std::string("o .a\nv ") + number + " .5 0\nv 0 1 0\nv 0\t.75 1\nf 1 2 3\n");
    const auto model = folder.read("obj");
    REQUIRE(model);
    CHECK(folder.problems.empty());
    CHECK(model->mesh.points.size() == 3);
    bool seen = false;
    for (const geo::Vec3& p : model->mesh.points) seen = seen || p == geo::Vec3{0, 0.75, 1};
    CHECK(seen);
  }
}

TEST_CASE("models: a 3DS with its material, z up turned into y up and z forward") {
  Folder folder;
  folder.write("3ds", tiny_3ds());
  const auto model = folder.read("3ds");
  REQUIRE_MESSAGE(model, test::all_text(folder.problems));
  REQUIRE(model->mesh.indices.size() == 3);
  geo::Vec3 top;
  for (const geo::Vec3& p : model->mesh.points)
    if (p.y > top.y) top = p;
  CHECK(geo::length(top - geo::Vec3{0, 3, 2}) < 1e-6);
  CHECK(model->colors[model->paint[0]].y == doctest::Approx(1));
}

TEST_CASE("models: one that is missing or cannot be read is a warning where it is named, which says what is drawn") {
  Folder folder;
  CHECK_FALSE(folder.read("obj"));
  test::Expected missing(folder.problems);
  CHECK(missing.take(scene_code::kMissing, Position{4, 7}).find("a box is drawn instead") != std::string::npos);
  write_text(folder.folder.file("m.obj"), kObj);
  folder.problems = {};
  CHECK_FALSE(folder.read("obj"));
  test::Expected beside(folder.problems);
  CHECK(beside.take(scene_code::kMissing, Position{4, 7}).find("; for the file there, write path=\"") != std::string::npos);
  folder.problems = {};
  folder.write("obj", "v 1 2\nf 1 2 3 4 99999999\n");
  CHECK_FALSE(folder.read("obj"));
  test::Expected expected(folder.problems);
  const std::string text = expected.take(scene_code::kModel, Position{4, 7});
  CHECK(text.find("model.obj") != std::string::npos);
  CHECK(text.find("a box is drawn instead") != std::string::npos);
}

TEST_CASE("models: an OBJ reads nothing outside its folder") {
  Folder folder;
  folder.write("obj", "mtllib ../../secret.mtl\n" + kObj.substr(17));
  write_text(folder.folder.file("secret.mtl"), kMtl);
  const auto model = folder.read("obj");
  if (model)
    for (const geo::Vec3& c : model->colors) CHECK(c.x == doctest::Approx(c.y));  // gray: no color of the other file
}

TEST_CASE("models: cut and mangled files of many types never end the program") {
  const std::string good = tiny_3ds();
  int read = 0, refused = 0;
  const auto attempt = [&](const std::string& type, std::string_view text) {
    Folder folder;
    folder.write(type, text);
    const auto model = folder.read(type);
    (model ? read : refused) += 1;
    if (!model) CHECK(folder.problems.warnings() == 1);
  };
  for (std::size_t n = 0; n < good.size(); n += 9) attempt("3ds", std::string_view(good).substr(0, n));
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    attempt("3ds", test::mutated(good, seed));
    attempt("obj", test::mutated(kObj, seed));
  }
  for (const char* type : {"dae", "blend", "stl", "ply", "x", "lwo", "fbx", "gltf"}) attempt(type, "not a model at all");
  CHECK(refused > 10);
  CHECK(read > 0);
}

TEST_CASE("models: colors that are not numbers are black, those out of range are brought into it") {
  Folder folder;
  folder.write("obj", kObj);
  folder.write("mtl", "newmtl red\nKd nan nan nan\nnewmtl blue\nKd -1 0.5 1e30\n");
  const auto model = folder.read("obj");
  REQUIRE_MESSAGE(model, test::all_text(folder.problems));
  for (const geo::Vec3& c : model->colors)
    for (const double x : {c.x, c.y, c.z}) CHECK((x >= 0 && x <= 1));
}

TEST_CASE("models: files of other types are not read, and one of a type that is read is preferred") {
  Folder folder;
  folder.write("blend", "BLENDER");
  CHECK_FALSE(folder.read("blend"));
  test::Expected expected(folder.problems);
  CHECK(expected.take(scene_code::kModel, Position{4, 7}).find("files of its type are not read") != std::string::npos);
  folder.problems = {};
  folder.write("obj", kObj);
  CHECK(folder.read(""));
  CHECK(folder.problems.empty());
  // The content does not count: an STL under the name of an OBJ is an OBJ, and so has no triangles.
  folder.write(
      "obj",
      "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n");
  CHECK_FALSE(folder.read("obj"));
  folder.problems = {};
}

TEST_CASE("models: what must fill a box is stretched to it") {
  Model model;
  model.mesh.points = {{1, 1, 1}, {3, 1, 5}, {1, 9, 1}};
  fit_into_box(model, {4, 4, 4});
  CHECK(model.mesh.points[0] == geo::Vec3{-2, -2, -2});
  CHECK(model.mesh.points[1] == geo::Vec3{2, -2, 2});
}
