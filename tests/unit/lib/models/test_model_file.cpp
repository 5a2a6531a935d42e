// Where models are, and which files they refer to.
#include <doctest/doctest.h>

#include <filesystem>

#include "lib/models/model_file.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::models;
using test::write_text;

TEST_CASE("models: their files are the model and what it names beside it") {
  const test::TemporaryFolder folder;
  const std::string place = folder.file("m");
  std::filesystem::create_directories(place + "/LOD0");
  const auto write = [&](const std::string& type, std::string_view text) { write_text(place + "/LOD0/model." + type, text); };
  const auto files = [&](const std::string& type) {
    std::vector<std::string> names;
    for (const std::string& file : model_files({place, type, "robot.xml", {4, 7}}))
      names.push_back(std::filesystem::path(file).filename().string());
    return names;
  };
  write("obj", "mtllib model.mtl\n");
  CHECK(files("obj") == std::vector<std::string>{"model.obj"});
  write("mtl", "newmtl red\n");
  write("png", "not named");
  CHECK(files("obj") == std::vector<std::string>{"model.obj", "model.mtl"});
  CHECK(files("3ds") == std::vector<std::string>{"model.obj", "model.mtl"});  // the first that is found
  write("gltf", R"({"buffers":[{"uri":"b.bin"},{"uri":"a.v2.bin"},{"uri":"../c.bin"},{"uri":"far/d.bin"}]})");
  for (const char* name : {"a.v2.bin", "b.bin", "c", "e.bin"}) write_text(place + "/LOD0/" + name, "x");
  CHECK(files("gltf") == std::vector<std::string>{"model.gltf", "a.v2.bin", "b.bin"});
  write_text(place + "/one.stl", "solid");
  CHECK(model_files({place + "/one.stl", "", "", {}}) == std::vector<std::string>{place + "/one.stl"});
  CHECK(path_of({place + "/one.stl", "obj", "", {}}) == place + "/one.stl");
  CHECK(model_files({}).empty());
  CHECK(path_of({place + "/none", "obj", "", {}}).empty());
  CHECK(model_files({place + "/none", "obj", "", {}}).empty());
}

TEST_CASE("models: one in the working folder has its files beside it") {
  const test::TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  write_text("t.gltf", R"({"buffers":[{"uri":"t.bin"}]})");
  write_text("t.bin", "x");
  const std::vector<std::string> files = model_files({"t.gltf", "", "", {}});
  std::filesystem::current_path(before);
  CHECK(files == std::vector<std::string>{"t.gltf", "t.bin"});
}

TEST_CASE("models: a text with too many dots to compare names everything beside it") {
  const test::TemporaryFolder folder;
  for (int i = 0; i < 200; ++i) write_text(folder.file(std::to_string(i) + ".a"), "x");
  std::string text;
  for (int i = 0; i < 100; ++i) text += ".b";
  write_text(folder.file("t.dae"), text);
  CHECK(model_files({folder.file("t.dae"), "", "", {}}).size() == 1);
  for (int i = 0; i < 13; ++i) text += text;  // 819200 dots
  write_text(folder.file("t.dae"), text);
  CHECK(model_files({folder.file("t.dae"), "", "", {}}).size() == 201);
}

TEST_CASE("models: a path that lacks only the suffix is told") {
  const test::TemporaryFolder folder;
  write_text(folder.file("hut.obj"), "x");
  CHECK(suffix_advice({folder.file("hut"), "obj", "", {}, "models/hut"}) ==
        "; for the file there, write path=\"models/hut.obj\"");
  CHECK(suffix_advice({folder.file("hut"), "stl", "", {}, "models/hut"}).empty());
  CHECK(suffix_advice({folder.file("hut"), "", "", {}, "models/hut"}).empty());
}
