#include "lib/sim/program/command/readable.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "base/core/paths.hpp"
#include "lib/sim/program/command/command_words.hpp"

namespace simbatch::sim {
namespace {

namespace fs = std::filesystem;

// Folders that have, or may have, what a controller must not read.
bool is_shared(const fs::path& folder, const fs::path& home) {
  constexpr std::string_view kFolders[] = {"/",    "/home", "/media", "/mnt", "/opt",    "/root",
                                           "/srv", "/tmp",  "/usr",   "/var", "/var/tmp"};
  constexpr std::string_view kTrees[] = {"/boot", "/dev", "/etc", "/proc", "/run", "/sys"};
  if (!home.empty() && is_inside(home, folder)) return true;
  return std::find(std::begin(kFolders), std::end(kFolders), folder.string()) != std::end(kFolders) ||
         std::any_of(std::begin(kTrees), std::end(kTrees), [&](std::string_view tree) { return is_inside(folder, tree); });
}

fs::path real(const fs::path& path) {
  std::error_code error;
  fs::path found = fs::canonical(path, error);
  return error ? fs::path() : found;
}

class Readable {
 public:
  explicit Readable(const CommandPlace& place) : place_(place), home_(real(place.home)) {}

  void folder(const fs::path& path) {
    const fs::path found = real(path);
    if (!found.empty() && !is_shared(found, home_)) all_.push_back(found.string());
  }

  // The folder of a program, with the libraries that are installed beside it.
  void installation(const fs::path& folder_of_program) {
    folder(folder_of_program);
    const fs::path above = folder_of_program.parent_path(), name = folder_of_program.filename();
    if (name == "shims") folder(above);
    if (name != "bin") return;
    for (const char* beside : {"lib", "lib64", "libexec"}) folder(above / beside);
    file(above / "pyvenv.cfg");
  }

  void file(const fs::path& path) {
    std::error_code error;
    if (fs::symlink_status(path, error).type() == fs::file_type::regular) all_.push_back(real(path).string());
  }

  void word(std::string text) {
    if (text.starts_with("~/") && !place_.home.empty()) text = place_.home + text.substr(1);
    std::error_code error;
    const fs::path path = fs::absolute(text, error).lexically_normal();
    const fs::file_type type = error ? fs::file_type::none : fs::status(path, error).type();
    if (type == fs::file_type::directory) folder(path);
    if (type == fs::file_type::regular) {
      file(path);
      installation(path.parent_path());
    }
    if (text.find('/') == std::string::npos) program(text);
  }

  void each_in(std::string_view list, const std::function<void(const fs::path&)>& use) {
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t end = std::min(list.find(':', at), list.size());
      if (end > at) use(fs::path(list.substr(at, end - at)));
      at = end + 1;
    }
  }

  void python_path() {
    each_in(place_.python_path, [&](const fs::path& path) { folder(path); });
  }

  std::vector<std::string> take() { return std::move(all_); }

 private:
  // Links are followed here: PATH is the user's.
  void program(const std::string& name) {
    each_in(place_.path, [&](const fs::path& from) {
      std::error_code error;
      if (!from.is_absolute() || fs::status(from / name, error).type() != fs::file_type::regular) return;
      installation(from.lexically_normal());
      installation(real(from / name).parent_path());
    });
  }

  const CommandPlace& place_;
  fs::path home_;
  std::vector<std::string> all_;
};

}  // namespace

std::vector<std::string> readable_by(std::string_view command, const CommandPlace& place) {
  Readable readable(place);
  for (const std::string& word : words_of_command(command)) readable.word(word);
  readable.python_path();
  return readable.take();
}

}  // namespace simbatch::sim
