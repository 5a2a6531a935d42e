// Wavefront: "mtllib FILE...", and in materials "map_Kd OPTIONS FILE" (Alias|Wavefront, "Object Files" and "MTL material format").
// Names with blanks occur in both.

#include "apps/objconv/copied_meshes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "apps/objconv/scene_names.hpp"
#include "apps/objconv/world_files.hpp"
#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "base/core/text.hpp"
#include "lib/models/model_file.hpp"
#include "lib/scenario/read_models.hpp"

namespace simbatch::objconv {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostWords = 24;    // in one line
constexpr std::size_t kMostLines = 1000;  // that name files, of a mesh and its materials

std::string too_many(const std::string& file) {
  return fmt::format("{} names too many files; the rest of them is not copied", quoted(file));
}

bool is_texture_keyword(const std::string& word) {
  static const std::set<std::string> kOthers = {"bump", "disp", "decal", "refl", "norm"};
  constexpr std::string_view kSwitch = "map_aat";  // anti-aliasing, "on"
  return (word.starts_with("map_") && word != kSwitch) || kOthers.contains(word);
}

/// A name and its place in a text.
struct Named {
  std::size_t begin = 0, size = 0;
  std::string path;  ///< empty: not to be had
};

/// Finds the files that a line names.
class LineNames {
 public:
  /// @param left  lines that may still be searched for; one more has a message
  LineNames(const CopiedMeshes::Find& find, const std::string& file, std::size_t& left, std::vector<std::string>& lost)
      : find_(find), file_(file), left_(left), lost_(lost) {}

  /// The whole rest of the line, else each word. @param begin  of the rest in the text
  void whole_or_words(std::string_view rest, std::size_t begin, std::vector<Named>& names) {
    if (!may_search()) return;
    if (add(rest, begin, names)) return;
    const std::vector<Token> words = words_of(rest);
    for (const Token& word : words)
      if (!add(word.text, begin + word.at.column - 1, names)) lose(words.size() == 1 ? rest : word.text);
  }
  /// The longest end of the rest that is a file, after options.
  void end_of(std::string_view rest, std::size_t begin, std::vector<Named>& names) {
    if (!may_search()) return;
    const std::vector<Token> words = words_of(rest);
    for (const Token& word : words)
      if (add(rest.substr(word.at.column - 1), begin + word.at.column - 1, names)) return;
    if (!words.empty() && !is_cut_) lose(rest.front() == '-' ? words.back().text : rest);
  }

 private:
  bool may_search() {
    if (left_ == 0) return false;
    if (--left_ > 0) return true;
    lost_.push_back(too_many(own_name()));
    return false;
  }
  /// The first ones, after a message if there are more.
  std::vector<Token> words_of(std::string_view rest) {
    std::vector<Token> words = split_tokens(rest, 1, 1, kMostWords + 1);
    is_cut_ = words.size() > kMostWords;
    if (!is_cut_) return words;
    words.pop_back();
    lost_.push_back(fmt::format("{} has a line of more than {} words; what the rest of it names is not copied",
                                quoted(own_name()), kMostWords));
    return words;
  }
  std::string own_name() const { return fs::path(file_).filename().string(); }
  bool add(std::string_view name, std::size_t begin, std::vector<Named>& names) {
    std::string slashed(name);
    std::replace(slashed.begin(), slashed.end(), '\\', '/');
    if (slashed.empty()) return false;
    std::string path = find_(slashed, file_, why_not_);
    if (path.empty()) return false;
    names.push_back({begin, name.size(), std::move(path)});
    return true;
  }
  void lose(std::string_view name) {
    lost_.push_back(fmt::format("{} names {}, which is not copied: {}", quoted(own_name()), quoted(name), why_not_));
  }

  const CopiedMeshes::Find& find_;
  const std::string& file_;
  std::size_t& left_;
  std::vector<std::string>& lost_;
  std::string why_not_;  // of the last one
  bool is_cut_ = false;  // the last line
};

/// Calls `found(keyword, rest of the line, its place in the text)` for each line that has both.
template <class Found>
void for_each_line(std::string_view text, Found found) {
  LineReader reader(text);
  for (Line line; reader.next(line);) {
    const std::string_view whole = trimmed(line.text);
    const std::size_t blank = whole.find_first_of(" \t");
    if (blank == std::string_view::npos) continue;
    const std::string_view rest = trimmed(whole.substr(blank));
    found(whole.substr(0, blank), rest, static_cast<std::size_t>(rest.data() - text.data()));
  }
}

/// With other names. @param names  in the order of the text, each with its new one
std::string renamed(std::string_view text, const std::vector<std::pair<Named, std::string>>& names) {
  std::string out;
  std::size_t done = 0;
  for (const auto& [named, name] : names) {
    out += text.substr(done, named.begin - done);
    out += name;
    done = named.begin + named.size;
  }
  out += text.substr(done);
  return out;
}

/// That a file that is there is not copied.
std::string unreadable(const std::string& file, const std::string& named, const IoError& error) {
  return fmt::format("{} names {}, which is not copied: {}", quoted(fs::path(file).filename().string()),
                     quoted(fs::path(named).filename().string()), error.cause());
}

/// How many folders a normalized name goes up.
std::size_t ups_of(const fs::path& name) {
  return static_cast<std::size_t>(std::count(name.begin(), name.end(), fs::path("..")));
}

}  // namespace

CopiedMeshes::CopiedMeshes(const std::string& output, const std::string& input, const std::string& root,
                           grasp::MeshFiles& files)
    : folder_(mesh_folder_of(output) + "/"),
      find_([input, root](const std::string& name, const std::string& from, std::string& why_not) {
        return scenario::find_mesh(input, file_kind::Kind::urdf, root, name, from, why_not);
      }),
      files_(files) {}

std::string CopiedMeshes::free_name(const std::string& path) const {
  const fs::path file = fs::path(path).filename();
  std::string name = folder_ + file.string();
  for (int i = 2; files_.contains(name); ++i)
    name = folder_ + fmt::format("{}_{}{}", file.stem().string(), i, file.extension().string());
  return name;
}

std::string CopiedMeshes::copy(const std::string& path, std::vector<std::string>& lost) {
  if (const auto known = names_.find(path); known != names_.end()) return known->second;
  left_ = kMostLines;
  const std::string suffix = lower_ascii(fs::path(path).extension().string());
  std::string name = suffix == ".obj" ? copy_obj(path, lost) : copy_scene(path, lost);
  return names_[path] = std::move(name);
}

std::string CopiedMeshes::copy_obj(const std::string& path, std::vector<std::string>& lost) {
  const Input input = Input::open_regular(path);
  std::vector<Named> named;
  LineNames lines(find_, path, left_, lost);
  for_each_line(input.text(), [&](std::string_view word, std::string_view rest, std::size_t at) {
    if (word == "mtllib") lines.whole_or_words(rest, at, named);
  });
  const std::string name = free_name(path);
  files_[name];  // its name is taken
  std::vector<std::pair<Named, std::string>> names;
  for (const Named& one : named) try {
      names.emplace_back(one, fs::path(copy_material(one.path, lost)).filename().string());
    } catch (const IoError& error) {
      lost.push_back(unreadable(path, one.path, error));
    }
  files_[name] = renamed(input.text(), names);
  return name;
}

std::string CopiedMeshes::copy_material(const std::string& path, std::vector<std::string>& lost) {
  if (const auto known = names_.find(path); known != names_.end()) return known->second;
  const Input input = Input::open_regular(path);
  std::vector<std::pair<Named, std::string>> names;
  std::vector<Named> named;
  LineNames lines(find_, path, left_, lost);
  for_each_line(input.text(), [&](std::string_view word, std::string_view rest, std::size_t at) {
    if (is_texture_keyword(lower_ascii(word))) lines.end_of(rest, at, named);
  });
  const std::string name = names_[path] = free_name(path);
  files_[name];
  for (const Named& one : named) try {
      names.emplace_back(one, fs::path(copy_texture(one.path)).filename().string());
    } catch (const IoError& error) {
      lost.push_back(unreadable(path, one.path, error));
    }
  files_[name] = renamed(input.text(), names);
  return name;
}

std::string CopiedMeshes::copy_texture(const std::string& path) {
  if (const auto known = names_.find(path); known != names_.end()) return known->second;
  const Input input = Input::open_regular(path);
  const std::string name = names_[path] = free_name(path);
  files_[name] = input.text();
  return name;
}

std::map<std::string, std::string> CopiedMeshes::named_in_scene(const std::string& path, std::string_view text,
                                                                std::vector<std::string>& lost) const {
  const std::string own = fs::path(path).filename().string(), suffix = lower_ascii(fs::path(path).extension().string());
  std::map<std::string, std::string> found;
  if (suffix == ".stl") return found;
  const auto lose = [&](const std::string& name, const std::string& why_not) {
    lost.push_back(fmt::format("{} names {}, which is not copied: {}", quoted(own), quoted(name), why_not));
  };
  std::set<std::string> known = {own};
  const auto add = [&](const std::string& name) {
    const std::string relative = fs::path(name).lexically_normal().generic_string();
    if (!known.insert(relative).second) return;
    std::string why_not;
    if (name.find("://") != std::string::npos || fs::path(name).is_absolute()) return lose(name, "its name is not relative");
    if (std::string file = find_(name, path, why_not); !file.empty())
      found[relative] = std::move(file);
    else
      lose(name, why_not);
  };
  const std::vector<std::string> names = names_in_scene(text, suffix, kMostLines);
  for (std::size_t i = 0; i < names.size() && i < kMostLines; ++i) add(names[i]);
  if (names.size() > kMostLines) lost.push_back(too_many(own));
  // Escapes of other kinds, and names in elements that are not known here.
  for (const std::string& beside : models::model_files({path, {}, path, {}})) add(fs::path(beside).filename().string());
  return found;
}

std::string CopiedMeshes::scene_name(const std::string& path, const std::map<std::string, std::string>& named) const {
  if (named.empty()) return free_name(path);
  // Their names stay. Where they go up, the mesh is in folders below the output's with the names of those above it.
  const fs::path file = fs::absolute(path).lexically_normal();
  std::size_t ups = 0;
  for (const auto& [name, from] : named) ups = std::max(ups, ups_of(name));
  fs::path below;
  fs::path above = file.parent_path();
  for (std::size_t i = 0; i < ups; ++i, above = above.parent_path())
    below = (above.has_filename() ? above.filename() : fs::path("up")) / below;
  // A folder of its own keeps those of different files apart.
  const auto is_free = [&](const std::string& folder) {
    if (files_.contains(folder + (below / file.filename()).generic_string())) return false;
    return std::all_of(named.begin(), named.end(), [&](const auto& one) {
      const std::string name = folder + (below / one.first).lexically_normal().generic_string();
      const auto same = sources_.find(name);
      return !files_.contains(name) || (same != sources_.end() && same->second == one.second);
    });
  };
  std::string folder = folder_;
  const std::string stem = folder_ + file.stem().string();
  for (int i = 1; !is_free(folder); ++i) folder = i == 1 ? stem + "/" : fmt::format("{}_{}/", stem, i);
  return folder + (below / file.filename()).generic_string();
}

std::string CopiedMeshes::copy_scene(const std::string& path, std::vector<std::string>& lost) {
  const Input input = Input::open_regular(path);
  const std::map<std::string, std::string> named = named_in_scene(path, input.text(), lost);
  std::string name = scene_name(path, named);
  files_[name] = input.text();
  for (const auto& [relative, from] : named) try {
      const std::string copy = (fs::path(name).parent_path() / relative).lexically_normal().generic_string();
      files_[copy] = Input::open_regular(from).text();
      sources_[copy] = from;
    } catch (const IoError& error) {
      lost.push_back(unreadable(path, from, error));
    }
  return name;
}

}  // namespace simbatch::objconv
