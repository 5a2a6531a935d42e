// Access follows real paths (realpath(3)), so that links cannot lead out of the root.

#include "lib/scenario/files.hpp"

#include <filesystem>

#include "base/core/hash.hpp"
#include "base/core/paths.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/sim/scene/codes.hpp"

namespace simbatch::scenario::detail {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& file) {
  const fs::path folder = fs::path(file).parent_path();
  return folder.empty() ? "." : folder.string();
}

/// The absolute path, with every existing link followed.
fs::path real_path(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? fs::path() : real;  // a loop of links, for example
}

fs::path absolute_words(const fs::path& path) {
  std::error_code error;
  return fs::absolute(path, error).lexically_normal();
}

}  // namespace

ScenarioRoot::ScenarioRoot(const std::string& scenario, const std::string& root, const std::string& library)
    : folder_(folder_of(scenario)),
      root_(root.empty() ? folder_ : root),
      real_root_(real_path(root_).string()),
      real_library_(library.empty() ? std::string() : real_path(library).string()) {}

ScenarioRoot::Resolved ScenarioRoot::resolve(const std::string& name, const std::string& from) const {
  const fs::path path = (fs::path(from).parent_path() / name).lexically_normal();
  Resolved resolved{path.string(), path.lexically_relative(fs::path(folder_).lexically_normal()).generic_string(),
                    Access::allowed};
  if (resolved.shown.empty()) resolved.shown = name;
  const fs::path real = real_path(path);
  if (!real_library_.empty() && is_inside(real, real_library_)) {
    resolved.shown = "library:" + real.lexically_relative(real_library_).generic_string();
    return resolved;
  }
  if (real.empty() || !is_inside(real, real_root_)) {
    const bool by_words = !is_inside(absolute_words(path), absolute_words(root_));
    resolved.access = by_words ? Access::outside : Access::link_outside;
    return resolved;
  }
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  if (type == fs::file_type::fifo || type == fs::file_type::socket || type == fs::file_type::character ||
      type == fs::file_type::block)
    resolved.access = Access::special;
  return resolved;
}

bool Files::is_permitted(const ScenarioRoot::Resolved& file, const std::string& name, const std::string& from, Position at) {
  using Access = ScenarioRoot::Access;
  switch (file.access) {
    case Access::allowed: return true;
    case Access::outside:
      report(code::kOutside, from, at,
             simbatch::quoted(name) + " lies outside the folder that the scenario may read; widen it with --root");
      return false;
    case Access::link_outside:
      report(code::kOutside, from, at,
             simbatch::quoted(name) +
                 " is a symbolic link to a place outside the folder that the scenario may read; widen it with --root");
      return false;
    case Access::special:
      unreadable_ = true;
      report(code::kFile, from, at, file.path + ": is a FIFO, socket or device, expected a regular file");
      return false;
  }
  return false;
}

std::optional<Input> Files::read(const ScenarioRoot::Resolved& file, const std::string& name, const std::string& from,
                                 Position at) {
  if (!is_permitted(file, name, from, at)) return std::nullopt;
  try {
    return Input::open(file.path);
  } catch (const IoError& problem) {
    unreadable_ = true;
    report(code::kFile, from, at, problem.what());
    return std::nullopt;
  }
}

std::optional<std::string> Files::permit(const std::string& name, Position at) {
  const ScenarioRoot::Resolved file = root_.resolve(name, scenario_);
  return is_permitted(file, name, scenario_, at) ? std::optional(file.path) : std::nullopt;
}

bool Files::permit_path(const std::string& path, const std::string& from, Position at) {
  return is_permitted(root_.resolve(path, ""), path, from, at);
}

std::optional<Input> Files::open_path(const std::string& path, const std::string& from, Position at) {
  return read(root_.resolve(path, ""), path, from, at);
}

std::optional<Input> Files::open(const std::string& name, const std::string& from, Position at) {
  const ScenarioRoot::Resolved file = root_.resolve(name, from);
  std::optional<Input> input = read(file, name, from, at);
  if (input) note(file.shown, input->text());
  return input;
}

std::optional<Input> Files::open_unnoted(const std::string& path) {
  try {
    return Input::open(path);
  } catch (const IoError& problem) {
    unreadable_ = true;
    report(code::kFile, path, {}, problem.cause());
    return std::nullopt;
  }
}

std::optional<Input> Files::open_named(const std::string& path) {
  std::optional<Input> input = open_unnoted(path);
  if (!input) return std::nullopt;
  // A trace does not depend on the location of its files: outside the scenario's folder only the name is recorded.
  const fs::path whole = absolute_words(path), folder = absolute_words(root_.folder());
  note((is_inside(whole, folder) ? whole.lexically_relative(folder) : fs::path(path).filename()).generic_string(),
       input->text());
  return input;
}

models::ModelFile Files::model_of(const autosim::Model* model, const std::string& from, Position at) {
  if (!model || model->path.empty()) return {};
  const std::string folder = (fs::path(from).parent_path() / model->path).lexically_normal().string();
  const auto [entry, fresh] = models_.try_emplace({folder, model->type}, false);
  const models::ModelFile file{folder, model->type, from, at, model->path};
  if (fresh) {
    entry->second = note_model(file);
    if (!entry->second)
      report(scene_code::kOutside, from, at,
             "the model " + simbatch::quoted(model->path) +
                 " lies outside the folder that the scenario may read, and something plain is drawn instead; --root names a "
                 "larger folder");
  }
  return entry->second ? file : models::ModelFile{};
}

bool Files::note_model(const models::ModelFile& model) {
  using Access = ScenarioRoot::Access;
  if (root_.resolve(model.folder, "").access != Access::allowed || fs::path(model.type).has_parent_path()) return false;
  std::vector<ScenarioRoot::Resolved> parts;
  for (const std::string& part : models::model_files(model)) {
    parts.push_back(root_.resolve(part, ""));
    if (parts.back().access != Access::allowed) return false;
  }
  for (const ScenarioRoot::Resolved& part : parts) {
    try {
      note(part.shown, Input::open(part.path).text());
    } catch (const IoError&) {
      // Reported when it is drawn.
    }
  }
  return true;
}

void Files::note(const std::string& name, std::string_view text) {
  for (const FileDigest& file : inputs_)
    if (file.name == name) return;
  note_choice(name, text);
}

void Files::note_digest(const std::string& name, const std::string& digest) {
  for (const FileDigest& file : inputs_)
    if (file.name == name) return;
  inputs_.push_back({name, digest});
}

void Files::note_choice(const std::string& name, std::string_view text) { inputs_.push_back({name, hex64(hash64(text))}); }

void Files::report(const Code& code, const std::string& file, Position at, std::string message) {
  Diagnostics found(file);
  found.report(code, at, std::move(message));
  problems_.append(std::move(found));
}

}  // namespace simbatch::scenario::detail
