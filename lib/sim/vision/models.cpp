#include "lib/sim/vision/models.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <set>
#include <string>

#include <assimp/DefaultIOSystem.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <unistd.h>
#include <assimp/Importer.hpp>

#include "base/core/input.hpp"
#include "base/process/confined.hpp"
#include "lib/sim/vision/codes.hpp"

namespace simbatch::sim::vision {
namespace {
namespace fs = std::filesystem;
using geo::Vec3;

/// What the child sends: this, then points (3 doubles each), indices, paints, colors (3 doubles each).
struct Heading {
  std::uint64_t magic = kMagic, points = 0, triangles = 0, colors = 0;
  static constexpr std::uint64_t kMagic = 0x53424d4f44454c31;  // "SBMODEL1"
};

/// Only files in the model's own folder, and none too large: an OBJ file may name its materials anywhere.
class OwnFolder final : public Assimp::DefaultIOSystem {
 public:
  explicit OwnFolder(fs::path folder) : folder_(std::move(folder)) {}
  bool Exists(const char* file) const override { return allows(file) && DefaultIOSystem::Exists(file); }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    return allows(file) && mode[0] == 'r' ? DefaultIOSystem::Open(file, mode) : nullptr;
  }

 private:
  bool allows(const char* file) const {
    const fs::path path = fs::path(file).lexically_normal();
    std::error_code error;
    return path.parent_path() == folder_ && fs::is_regular_file(path, error) && fs::file_size(path, error) <= kMaxModelBytes &&
           !error;
  }
  fs::path folder_;
};

double linear(float screen) {
  const double x = std::clamp(static_cast<double>(screen), 0.0, 1.0);
  return x * x * (0.8 + 0.2 * x);
}

/// Exit codes of the child.
constexpr int kSent = 0, kRefused = 2, kNothingToDraw = 3;

/// Runs in the child and does not return: no destructors run, since they are assimp's, too.
[[noreturn]] void import_and_send(const std::string& file, ConfinedChild& to) {
  Assimp::Importer importer;
  importer.SetIOHandler(new OwnFolder(fs::path(file).lexically_normal().parent_path()));  // taken over
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  unsigned steps = aiProcess_Triangulate | aiProcess_PreTransformVertices | aiProcess_SortByPType;
  // assimp's frame is right-handed with y up; ours left-handed. OBJ files are taken as they stand, as collision meshes are.
  if (!file.ends_with(".obj")) steps |= aiProcess_MakeLeftHanded;
  const aiScene* scene = importer.ReadFile(fs::path(file).lexically_normal().string(), steps);
  if (scene == nullptr) _exit(kRefused);
  Heading heading;
  heading.colors = std::clamp<std::uint64_t>(scene->mNumMaterials, 1, 256);
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    heading.points += scene->mMeshes[m]->mNumVertices;
    heading.triangles += scene->mMeshes[m]->mNumFaces;
  }
  if (heading.triangles == 0 || heading.triangles > kMaxModelTriangles || heading.points > 3 * kMaxModelTriangles)
    _exit(kNothingToDraw);
  std::vector<double> points, colors;
  std::vector<std::uint32_t> indices;
  std::vector<std::uint8_t> paint;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& mesh = *scene->mMeshes[m];
    const auto first = static_cast<std::uint32_t>(points.size() / 3);
    for (unsigned i = 0; i < mesh.mNumVertices; ++i)
      for (const ai_real x : {mesh.mVertices[i].x, mesh.mVertices[i].y, mesh.mVertices[i].z})
        points.push_back(static_cast<double>(x));
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      if (mesh.mFaces[f].mNumIndices != 3) _exit(kNothingToDraw);
      for (int k = 0; k < 3; ++k) indices.push_back(first + mesh.mFaces[f].mIndices[k]);
      paint.push_back(static_cast<std::uint8_t>(std::min(mesh.mMaterialIndex, 255u)));
    }
  }
  for (std::uint64_t i = 0; i < heading.colors; ++i) {
    aiColor3D color(0.6f, 0.6f, 0.6f);
    if (i < scene->mNumMaterials) scene->mMaterials[i]->Get(AI_MATKEY_COLOR_DIFFUSE, color);
    for (const float c : {color.r, color.g, color.b}) colors.push_back(linear(c));
  }
  to.send(&heading, sizeof heading);
  to.send(points.data(), points.size() * sizeof(double));
  to.send(indices.data(), indices.size() * sizeof(std::uint32_t));
  to.send(paint.data(), paint.size());
  to.send(colors.data(), colors.size() * sizeof(double));
  _exit(kSent);
}

/// All that the child sends. False if it did not end well; then `why` says how.
bool receive(const std::string& file, std::string& bytes, std::string& why) {
  ConfinedLimits limits;
  limits.processor_seconds = kMaxModelSeconds;
  limits.wall_seconds = 3 * kMaxModelSeconds;
  limits.output = sizeof(Heading) + kMaxModelTriangles * (9 * sizeof(double) + 13) + 256 * 24;
  ConfinedResult result = run_confined([&](ConfinedChild& child) -> int { import_and_send(file, child); }, limits);
  using End = ConfinedResult::End;
  switch (result.end) {
    case End::exited:
      if (result.value == kRefused)
        why = "it is not a model of its type";
      else if (result.value != kSent)
        why = "it has no triangles, or too many";
      break;
    case End::out_of_time: why = "reading it takes too long"; break;
    case End::too_much: why = "it has too many triangles"; break;
    case End::crashed: why = "reading it ends in a crash (contained)"; break;
    case End::interrupted:
    case End::not_started: why = "the system has no process left to read it in"; break;
  }
  bytes = std::move(result.bytes);
  return why.empty();
}

/// From what the child sent, believing nothing.
std::optional<Model> unpack(const std::string& bytes) {
  Heading heading;
  if (bytes.size() < sizeof heading) return std::nullopt;
  std::memcpy(&heading, bytes.data(), sizeof heading);
  if (heading.magic != Heading::kMagic || heading.triangles > kMaxModelTriangles || heading.points > 3 * kMaxModelTriangles ||
      heading.colors < 1 || heading.colors > 256)
    return std::nullopt;
  const std::size_t size = sizeof heading + heading.points * 24 + heading.triangles * 13 + heading.colors * 24;
  if (bytes.size() != size) return std::nullopt;
  Model model;
  const char* at = bytes.data() + sizeof heading;
  const auto take = [&](auto& into, std::size_t count) {
    into.resize(count);
    const std::size_t n = count * sizeof into[0];
    if (n > 0) std::memcpy(static_cast<void*>(into.data()), at, n);
    at += n;
  };
  take(model.mesh.points, heading.points);
  take(model.mesh.indices, heading.triangles * 3);
  take(model.paint, heading.triangles);
  take(model.colors, heading.colors);
  for (const Vec3& p : model.mesh.points)
    if (!geo::is_finite(p) || length(p) > 1e5) return std::nullopt;
  for (const std::uint32_t i : model.mesh.indices)
    if (i >= heading.points) return std::nullopt;
  for (std::uint8_t& paint : model.paint)
    if (paint >= heading.colors) paint = static_cast<std::uint8_t>(heading.colors - 1);
  return model;
}

/// The file of a model folder; empty if there is none.
std::string file_of(const ModelFile& model) {
  std::error_code error;
  const fs::path folder(model.folder);
  if (fs::is_regular_file(folder, error)) return model.folder;
  if (!model.type.empty()) {
    const fs::path file = folder / "LOD0" / ("model." + model.type);
    if (fs::is_regular_file(file, error)) return file.string();
  }
  std::vector<std::string> found;
  for (fs::directory_iterator it(folder / "LOD0", error), end; !error && it != end; it.increment(error))
    if (it->path().stem() == "model" && it->path().extension() != ".mtl" && it->is_regular_file(error))
      found.push_back(it->path().string());
  return found.empty() ? std::string() : *std::min_element(found.begin(), found.end());
}

/// The names in `names` (sorted) that stand in the text, each at a place of its own.
std::vector<std::string> named_in(std::string_view text, const std::vector<std::string>& names) {
  std::set<std::string> found;
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
    if (dot + 1 == text.size() || (text[dot + 1] >= '0' && text[dot + 1] <= '9')) continue;  // a number's
    for (const std::string& name : names) {
      const std::size_t before = name.rfind('.');
      if (dot >= before && text.substr(dot - before, name.size()) == name) found.insert(name);
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace

std::vector<std::string> model_files(const ModelFile& model) {
  const std::string path = model.folder.empty() ? std::string() : file_of(model);
  std::error_code error;
  if (path.empty() || fs::file_size(path, error) > kMaxModelBytes || error) return {};
  constexpr std::size_t kMostNames = 256;  // of a folder
  const fs::path own(path);
  std::vector<std::string> names;
  for (fs::directory_iterator it(own.parent_path(), error), end; !error && it != end && names.size() < kMostNames;
       it.increment(error)) {
    const fs::path& other = it->path();
    std::error_code unknown;
    if (other.filename() != own.filename() && other.has_extension() && it->is_regular_file(unknown) &&
        it->file_size(unknown) <= kMaxModelBytes && !unknown)
      names.push_back(other.filename().string());
  }
  std::vector<std::string> files{path};
  if (names.empty()) return files;
  try {
    for (const std::string& name : named_in(Input::open(path, kMaxModelBytes).text(), names))
      files.push_back((own.parent_path() / name).string());
  } catch (const IoError&) {
    return {};
  }
  return files;
}

bool is_there(const ModelFile& file) { return !file_of(file).empty(); }

std::optional<Model> read_model(const ModelFile& file, std::string_view instead, Diagnostics& problems) {
  const std::string shown = simbatch::quoted(file.name.empty() ? file.folder : file.name);
  const auto report = [&](const Code& code, const std::string& message) {
    Diagnostics own(file.named_in);
    own.report(code, file.at, message + "; " + std::string(instead) + " is drawn instead");
    problems.append(std::move(own));
  };
  const std::string path = file_of(file);
  if (path.empty()) {
    report(vision_code::kMissing, "there is no model " + shown + " (no LOD0/model.* in that folder)");
    return std::nullopt;
  }
  std::string bytes, why;
  std::optional<Model> model;
  std::error_code error;
  if (fs::file_size(path, error) > kMaxModelBytes || error)
    why = "it is larger than 64 MiB";
  else if (receive(path, bytes, why) && !(model = unpack(bytes)))
    why = "its triangles are out of bounds";
  if (model) return model;
  report(vision_code::kModel, "the model " + simbatch::quoted(path) + " is not drawn: " + why);
  return std::nullopt;
}

void fit_into_box(Model& model, Vec3 size) {
  if (model.mesh.points.empty()) return;
  Vec3 low = model.mesh.points[0], high = low;
  for (const Vec3& p : model.mesh.points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const Vec3 is = high - low, middle = 0.5 * (low + high);
  const auto factor = [](double wanted, double is_now) { return is_now > 0 ? wanted / is_now : 1; };
  const Vec3 f{factor(size.x, is.x), factor(size.y, is.y), factor(size.z, is.z)};
  for (Vec3& p : model.mesh.points) p = {f.x * (p.x - middle.x), f.y * (p.y - middle.y), f.z * (p.z - middle.z)};
}

}  // namespace simbatch::sim::vision
