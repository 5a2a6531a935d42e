// The module that imports models, called with files of ours.
#include <doctest/doctest.h>

#include <unistd.h>

#include <string>
#include <vector>

#include "base/core/float_mode.hpp"
#include "base/process/confined.hpp"
#include "lib/models/model_module.hpp"
#include "lib/models/model_type.hpp"
#include "lib/models/packed_model.hpp"

using namespace simbatch;
using namespace simbatch::models;

namespace {

/// What the module replies in a child, as it is to be called.
struct Imported {
  Imported(const ModelModule& module, const std::vector<ModelBytes>& files, ModelUse use) {
    const auto import = [&](ConfinedChild& child) -> int {
      std::string text;
      const bool is_model = module.import(files.data(), files.size(), use, text);
      child.send(text.data(), text.size());
      _exit(is_model ? 0 : 2);
    };
    const ConfinedResult result = run_confined(import, {});
    CHECK(result.end == ConfinedResult::End::exited);
    code = result.value;
    reply = result.bytes;
  }
  int code = -1;
  std::string reply;
};

}  // namespace

TEST_CASE("models: the module reads the given files only, and replies with a packed model or the reason") {
  const FloatMode before = float_mode();
  const ModelModule& module = model_module();
  CHECK(float_mode() == before);
  CHECK(&model_module() == &module);
  const bool loaded = module.import != nullptr;
  REQUIRE_MESSAGE(loaded, module.why);
  CHECK(module.why.empty());

  std::vector<ModelBytes> files{{"a.obj", "mtllib a.mtl\nv .5 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n"}};
  for (const bool has_materials : {false, true}) {
    CAPTURE(has_materials);
    if (has_materials) files.push_back({"a.mtl", "newmtl red\nKd 1 0 0\n"});
    const Imported imported(module, files, ModelUse::picture);
    CHECK(imported.code == 0);
    const auto model = unpack(imported.reply);
    REQUIRE(model);
    CHECK(model->mesh.points.size() == 3);
    REQUIRE(model->paint.size() == 1);
    CHECK((model->colors[model->paint[0]] == geo::Vec3{1, 0, 0}) == has_materials);
  }
  const Imported broken(module, {{"a.dae", "<COLLADA>junk"}}, ModelUse::shape);
  CHECK(broken.code == 2);
  CHECK(broken.reply == "it is not a valid file of its type");
  // assimp has a reader of it.
  CHECK(Imported(module, {{"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"}}, ModelUse::shape).code == 2);
}

TEST_CASE("models: the type of a file is its suffix, in lowercase") {
  CHECK(model_type("a/b.c.DaE") == "dae");
  CHECK(model_type("dae").empty());
  CHECK(model_type("dae.").empty());
  CHECK(has_model_type("A.GLB"));
  CHECK_FALSE(has_model_type("a.off"));
  CHECK_FALSE(has_model_type("obj"));
}
