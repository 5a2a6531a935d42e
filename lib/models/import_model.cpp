#include "lib/models/import_model.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include <assimp/MemoryIOWrapper.h>
#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>

#include "lib/models/model_type.hpp"
#include "lib/models/packed_model.hpp"

namespace simbatch::models {
namespace {

/// Serves the given files by name; no other file exists.
class GivenFiles final : public Assimp::IOSystem {
 public:
  explicit GivenFiles(std::span<const ModelBytes> files) : files_(files) {}
  bool Exists(const char* name) const override { return find(name) != nullptr; }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* name, const char* mode) override {
    const ModelBytes* file = mode[0] == 'r' ? find(name) : nullptr;
    if (file == nullptr) return nullptr;
    return new Assimp::MemoryIOStream(reinterpret_cast<const std::uint8_t*>(file->bytes.data()), file->bytes.size());
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  const ModelBytes* find(std::string_view name) const {
    while (name.starts_with("./")) name.remove_prefix(2);
    for (const ModelBytes& file : files_)
      if (file.name == name) return &file;
    return nullptr;
  }
  std::span<const ModelBytes> files_;
};

/// An OBJ with a zero before numbers that begin with a point: assimp 5.2 parses `v .5 0 0` as a line with two numbers.
std::string with_leading_zeros(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  char before = '\n';
  bool numbers = false;  // on a line of v, vn or vt
  for (const char c : text) {
    if (before == '\n' || before == '\r') numbers = c == 'v';
    if (numbers && c == '.' && (before == ' ' || before == '\t')) out += '0';
    out += c;
    before = c;
  }
  return out;
}

/// Keeps only the readers of kModelTypes: assimp tries all readers on a file, whatever its suffix.
void unregister_others(Assimp::Importer& importer) {
  for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
    std::istringstream suffixes(importer.GetImporterInfo(i)->mFileExtensions);
    bool wanted = false;
    for (std::string suffix; suffixes >> suffix;)
      wanted = wanted || std::find(std::begin(kModelTypes), std::end(kModelTypes), suffix) != std::end(kModelTypes);
    if (!wanted) importer.UnregisterLoader(importer.GetImporter(i));
  }
}

/// From a screen's color value to linear light (paint.hpp); 0 for NaN.
double linear(float screen) {
  if (!(screen > 0)) return 0;
  const double x = std::min(static_cast<double>(screen), 1.0);
  return x * x * (0.8 + 0.2 * x);
}

geo::Vec3 color_of(const aiMaterial& material) {
  aiColor3D color(0.6f, 0.6f, 0.6f);
  material.Get(AI_MATKEY_COLOR_DIFFUSE, color);
  return {linear(color.r), linear(color.g), linear(color.b)};
}

/// False if a face is not a triangle.
bool append_mesh(Model& model, const aiMesh& mesh) {
  const auto first = static_cast<std::uint32_t>(model.mesh.points.size());
  for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
    const aiVector3D& p = mesh.mVertices[i];
    model.mesh.points.push_back({static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)});
  }
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    if (mesh.mFaces[f].mNumIndices != 3) return false;
    for (int k = 0; k < 3; ++k) model.mesh.indices.push_back(first + mesh.mFaces[f].mIndices[k]);
    model.paint.push_back(static_cast<std::uint8_t>(std::min(mesh.mMaterialIndex, 255u)));
  }
  return true;
}

/// @param files  the model first  @param why  set to the reason if there is no result
std::optional<Model> import_model(std::vector<ModelBytes> files, ModelUse use, std::string& why) {
  const bool is_collada_shape = use == ModelUse::shape && model_type(files[0].name) == "dae";
  std::string object;
  if (files[0].name.ends_with(".obj")) files[0].bytes = object = with_leading_zeros(files[0].bytes);
  Assimp::Importer importer;
  unregister_others(importer);
  importer.SetIOHandler(new GivenFiles(files));  // the importer deletes it
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, is_collada_shape);
  unsigned steps = aiProcess_Triangulate | aiProcess_PreTransformVertices | aiProcess_SortByPType;
  // assimp's frame is right-handed with y up; ours is left-handed. OBJ coordinates are used unchanged, as in collision meshes.
  if (!files[0].name.ends_with(".obj") && !is_collada_shape) steps |= aiProcess_MakeLeftHanded;
  const aiScene* scene = importer.ReadFile(std::string(files[0].name), steps);
  if (scene == nullptr) {
    why = "it is not a valid file of its type";
    return std::nullopt;
  }
  std::uint64_t points = 0, triangles = 0;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    points += scene->mMeshes[m]->mNumVertices;
    triangles += scene->mMeshes[m]->mNumFaces;
  }
  why = "it has no triangles";
  if (triangles == 0) return std::nullopt;
  why = "it has too many triangles";
  if (triangles > kMaxModelTriangles || points > 3 * kMaxModelTriangles) return std::nullopt;
  Model model;
  why = "it has faces that are not triangles";
  for (unsigned m = 0; m < scene->mNumMeshes; ++m)
    if (!append_mesh(model, *scene->mMeshes[m])) return std::nullopt;
  if (is_collada_shape)
    for (geo::Vec3& p : model.mesh.points) std::swap(p.y, p.z);
  for (unsigned i = 0; i < std::clamp(scene->mNumMaterials, 1u, 256u); ++i)
    model.colors.push_back(i < scene->mNumMaterials ? color_of(*scene->mMaterials[i]) : color_of(aiMaterial()));
  return model;
}

}  // namespace

bool simbatch_import_model(const ModelBytes* files, std::size_t count, ModelUse use, std::string& reply) {
  const std::optional<Model> model = import_model({files, files + count}, use, reply);
  if (model) reply = pack(*model);
  return model.has_value();
}

}  // namespace simbatch::models
