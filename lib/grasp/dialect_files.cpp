// GraspIt!'s own converter makes XML files of a robot's bodies, too: without them the robot cannot be loaded.
#include "lib/grasp/dialect_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/core/input.hpp"
#include "lib/grasp/codes.hpp"

namespace simbatch::grasp {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::optional<std::string> text_of(const fs::path& path, const GraspOptions& options) {
  if (!is_file(path)) return std::nullopt;
  const auto input = options.open ? options.open(path.string()) : Input::open(path.string());
  return input ? std::optional(std::string(input->text())) : std::nullopt;
}

/// What a header can hold of a body.
graspit::Body header_of(const graspit::Body& body) {
  graspit::Body header;
  header.material = body.material;
  header.mass = body.mass;
  header.cog = body.cog;
  header.inertia = body.inertia;
  header.youngs = body.youngs;
  header.flock_of_birds = body.flock_of_birds;
  return header;
}

bool is_plain_name(const std::string& name) { return !name.empty() && name.find('/') == std::string::npos && name != ".."; }

}  // namespace

bool DialectBodies::exists_in_output(const std::string& name) const {
  return is_file(fs::path(to_.empty() ? from_ : to_) / name);
}

void DialectBodies::put(const std::string& name, std::string text) {
  if (!to_.empty()) {
    files_.emplace("iv/" + name, std::move(text));
    return;
  }
  diagnostics_.report(
      code::kLossBody, {},
      fmt::format("{} is not written beside an output that is a stream: give -o a name", simbatch::quoted("iv/" + name)));
}

void DialectBodies::copy(const std::string& name) {
  if (exists_in_output(name)) return;
  if (auto text = text_of(fs::path(from_) / name, options_)) put(name, std::move(*text));
}

std::string DialectBodies::missing(const std::string& name, const std::string& result, Position at) {
  diagnostics_.report(code::kLossBody, at,
                      fmt::format("the output refers to {}, which is not written because {} does not exist",
                                  simbatch::quoted("iv/" + result), simbatch::quoted("iv/" + name)));
  return result;
}

std::string DialectBodies::to_xml(const std::string& name, Position at) {
  std::string result = xml_name(name);
  if (result == name || !known_.emplace(name, result).second || exists_in_output(result)) return result;
  const auto text = text_of(fs::path(from_) / name, options_);
  if (!text || !is_plain_name(name)) return missing(name, result, at);
  auto header = graspit::read_body_header(*text, options_.reading, (fs::path(from_) / name).string());
  diagnostics_.append(std::move(header.diagnostics));
  graspit::Body body = std::move(*header.value);
  body.geometry_file = name;
  put(result, graspit::write_body_xml(body));
  copy(name);
  return result;
}

std::string DialectBodies::to_text(const std::string& name, Position at) {
  if (const auto known = known_.find(name); known != known_.end()) return known->second;
  std::string& result = known_[name];
  result = text_name(name, ".iv");
  if (result == name) return result;
  const std::string file = (fs::path(from_) / name).string();
  const auto text = text_of(file, options_);
  if (!text || !is_plain_name(name)) return missing(name, result, at);
  auto read = graspit::read_body_xml(*text, file);
  const bool good = read.ok();
  diagnostics_.append(std::move(read.diagnostics));
  if (!good) return result;
  const graspit::Body& body = *read.value;
  const auto geometry = text_of(fs::path(from_) / body.geometry_file, options_);
  if (!geometry || !is_plain_name(body.geometry_file)) return missing(body.geometry_file, result, at);
  const bool moved = body.scaling || !body.geometry_offset.empty();
  const auto header = graspit::read_body_header(*geometry, options_.reading, file);
  if (!moved && header.value && header_of(*header.value) == header_of(body)) {
    result = body.geometry_file;
    copy(result);
    return result;
  }
  std::string bytes;
  if (moved) {
    auto loaded = load_body(file, options_);
    if (!loaded.value) return missing(body.geometry_file, result, at);
    report_body_losses(*loaded.value, BodyTarget::scene, diagnostics_);
    for (auto& point : loaded.value->mesh.points)
      for (double& x : point) x *= 1000;
    bytes = graspit::set_body_header(inventor::write_inventor(loaded.value->mesh), header_of(body));
    result = text_name(name, ".iv");
  } else {
    bytes = graspit::set_body_header(*geometry, header_of(body));
    result = text_name(name, fs::path(body.geometry_file).extension().string());
  }
  // The geometry file itself stays as it is.
  if (exists_in_output(result) || files_.contains("iv/" + result))
    result = text_name(name, "_body" + fs::path(result).extension().string());
  if (!exists_in_output(result)) put(result, std::move(bytes));
  return result;
}

Rename existing_xml(std::string root, Diagnostics& diagnostics) {
  return [root = std::move(root), &diagnostics](const std::string& file, Position at) {
    std::string renamed = xml_name(file);
    if (renamed == file || is_file(fs::path(root) / renamed)) return renamed;
    diagnostics.report(code::kLossBody, at,
                       fmt::format("{} stays {}: there is no {}; convert it, too", simbatch::quoted(file),
                                   fs::path(file).extension().string(), simbatch::quoted(renamed)));
    return file;
  };
}

Rename existing_text(std::string root, std::string suffix, Diagnostics& diagnostics) {
  return [root = std::move(root), suffix = std::move(suffix), &diagnostics](const std::string& file, Position at) {
    std::string renamed = text_name(file, suffix);
    if (renamed == file || is_file(fs::path(root) / renamed)) return renamed;
    if (suffix == ".iv") {
      if (std::string other = text_name(file, ".wrl"); is_file(fs::path(root) / other)) return other;
      if (const auto text = text_of(fs::path(root) / file, {})) {
        const auto body = graspit::read_body_xml(*text, file);
        std::string geometry =
            body.value ? (fs::path(file).parent_path() / body.value->geometry_file).lexically_normal().generic_string() : "";
        if (!geometry.empty() && is_file(fs::path(root) / geometry)) return geometry;
      }
    }
    diagnostics.report(code::kLossBody, at,
                       fmt::format("{} stays an XML file, which a text world cannot name: there is no {}; convert it, too",
                                   simbatch::quoted(file), simbatch::quoted(renamed)));
    return file;
  };
}

}  // namespace simbatch::grasp
