#include "lib/sim/scene/models.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include <unistd.h>

#include "base/core/input.hpp"
#include "base/process/confined.hpp"
#include "lib/sim/scene/bounds.hpp"
#include "lib/sim/scene/codes.hpp"
#include "lib/sim/scene/mesh_file.hpp"

namespace simbatch::scene {
namespace {
namespace fs = std::filesystem;
using geo::Vec3;

/// Exit codes of the child: a packed model was sent, or the reason for its absence.
constexpr int kSentModel = 0, kSentReason = 2;

/// Runs in the child and does not return: no destructors run, since these include assimp's.
[[noreturn]] void import_and_send(const ModelFile& file, ModelUse use, ConfinedChild& parent) {
  std::string why;
  std::optional<Model> model;
  std::vector<Input> inputs;
  std::vector<ModelBytes> files;
  try {
    std::size_t bytes = 0;
    for (const std::string& path : model_files(file)) {
      inputs.push_back(Input::open(path, kMaxModelBytes));
      bytes += inputs.back().text().size();
      if (bytes > kMaxModelBytesTogether) break;
      files.push_back({fs::path(path).filename().string(), inputs.back().text()});
    }
  } catch (const IoError& error) {
    why = "it cannot be read: " + error.cause();
  }
  // Without a kernel filter (an emulated processor), only the other limits apply.
  static_cast<void>(parent.drop_system_calls());
  if (why.empty() && files.empty()) why = "it cannot be read";
  if (why.empty()) model = import_model(files, use, why);
  const std::string reply = model ? pack(*model) : why;
  parent.send(reply.data(), reply.size());
  _exit(model ? kSentModel : kSentReason);
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
  // The first by name, preferring supported types.
  const auto first = std::min_element(found.begin(), found.end(), [](const std::string& a, const std::string& b) {
    return std::pair(!has_model_type(a), std::string_view(a)) < std::pair(!has_model_type(b), std::string_view(b));
  });
  return first == found.end() ? std::string() : *first;
}

/// `; its path would be "models/hut.obj"`, if the path lacks only the suffix; else nothing.
std::string advice(const ModelFile& model) {
  std::error_code error;
  if (model.type.empty() || !fs::is_regular_file(model.folder + "." + model.type, error)) return {};
  return "; its path would be " + simbatch::quoted((model.name.empty() ? model.folder : model.name) + "." + model.type);
}

/// Those of `names` (sorted) that occur in the text.
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
  constexpr std::size_t kMaxNames = 256;  // of a folder
  const fs::path own(path);
  std::vector<std::string> names;
  for (fs::directory_iterator it(own.parent_path(), error), end; !error && it != end && names.size() < kMaxNames;
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

std::optional<Model> ModelReader::read_file(const ModelFile& file, const std::string& path, ModelUse use, std::string& why) {
  std::error_code error;
  if (!has_model_type(path)) {
    why = "files of its type are not read (OBJ, 3DS, glTF, GLB, DAE, STL and PLY are)";
    return std::nullopt;
  }
  if (fs::file_size(path, error) > kMaxModelBytes || error) {
    why = "it is larger than 64 MiB";
    return std::nullopt;
  }
  if (seconds_left_ <= 0) {
    why = "the models before it took too long to read";
    return std::nullopt;
  }
  ConfinedLimits limits;
  limits.processor_seconds = kMaxModelSeconds;
  limits.wall_seconds = std::min(kMaxModelWallSeconds, seconds_left_);
  limits.output = kMaxPackedBytes;
  const ConfinedResult result = run_confined([&](ConfinedChild& child) -> int { import_and_send(file, use, child); }, limits);
  seconds_left_ -= result.seconds;
  using End = ConfinedResult::End;
  switch (result.end) {
    case End::exited:
      if (result.value == kSentModel) {
        std::optional<Model> model = unpack(result.bytes);
        if (!model) why = "its coordinates or colors are out of range";
        return model;
      }
      why = result.value == kSentReason && result.bytes.size() < 200 ? result.bytes : "it cannot be read";
      break;
    case End::out_of_time: why = "reading it takes too long"; break;
    case End::too_much: why = "it has too many triangles"; break;
    case End::crashed: why = "reading it ends in a crash (contained)"; break;
    case End::interrupted:
    case End::not_started: why = "the system has no process left to read it in"; break;
  }
  return std::nullopt;
}

std::optional<Model> ModelReader::read(const ModelFile& file, std::string_view instead, Diagnostics& problems) {
  const auto report = [&](const Code& code, const std::string& message) {
    Diagnostics own(file.named_in);
    own.report(code, file.at, message + "; " + std::string(instead) + " is drawn instead");
    problems.append(std::move(own));
  };
  const std::string path = file_of(file);
  if (path.empty()) {
    report(scene_code::kMissing, "there is no model " + simbatch::quoted(file.name.empty() ? file.folder : file.name) +
                                     " (no LOD0/model.* in that folder" + advice(file) + ")");
    return std::nullopt;
  }
  std::string why;
  std::optional<Model> model = read_file(file, path, ModelUse::picture, why);
  if (!model) report(scene_code::kModel, "the model " + simbatch::quoted(path) + " is not drawn: " + why);
  return model;
}

std::optional<physics::TriangleMesh> read_mesh_file(const std::string& path, std::string& why) {
  std::optional<Model> model = ModelReader().read_file({path, {}, path, {}}, path, ModelUse::shape, why);
  if (!model) return std::nullopt;
  physics::TriangleMesh mesh = std::move(model->mesh);
  // Mirrored on the way into a left-handed frame, triangles face inward.
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) std::swap(mesh.indices[i + 1], mesh.indices[i + 2]);
  return mesh;
}

void fit_into_box(Model& model, Vec3 size) {
  if (model.mesh.points.empty()) return;
  const auto [low, high] = bounds_of(model.mesh.points);
  const Vec3 is = high - low, middle = 0.5 * (low + high);
  const auto factor = [](double wanted, double is_now) { return is_now > 0 ? wanted / is_now : 1; };
  const Vec3 f{factor(size.x, is.x), factor(size.y, is.y), factor(size.z, is.z)};
  for (Vec3& p : model.mesh.points) p = {f.x * (p.x - middle.x), f.y * (p.y - middle.y), f.z * (p.z - middle.z)};
}

}  // namespace simbatch::scene
