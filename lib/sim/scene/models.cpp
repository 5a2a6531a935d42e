#include "lib/sim/scene/models.hpp"

#include <string>
#include <utility>

#include "lib/sim/scene/bounds.hpp"
#include "lib/sim/scene/codes.hpp"
#include "lib/sim/scene/mesh_file.hpp"

namespace simbatch::scene {
using geo::Vec3;

std::optional<Model> read_model(models::ModelReader& reader, const models::ModelFile& file, std::string_view instead,
                                Diagnostics& problems) {
  const auto report = [&](const Code& code, const std::string& message) {
    problems.report_in(file.named_in, code, file.at, message + "; " + std::string(instead) + " is drawn instead");
  };
  const std::string path = models::path_of(file);
  if (path.empty()) {
    report(scene_code::kMissing, "there is no model " + simbatch::quoted(file.name.empty() ? file.folder : file.name) +
                                     " (no LOD0/model.* in that folder" + models::suffix_advice(file) + ")");
    return std::nullopt;
  }
  std::string why;
  std::optional<Model> model = reader.read(file, path, models::ModelUse::picture, why);
  if (!model) report(scene_code::kModel, "the model " + simbatch::quoted(path) + " is not drawn: " + why);
  return model;
}

std::optional<physics::TriangleMesh> read_mesh_file(models::ModelReader& reader, const std::string& path, std::string& why) {
  std::optional<Model> model = reader.read({path, {}, path, {}}, path, models::ModelUse::shape, why);
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
