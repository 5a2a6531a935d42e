#include "apps/simrun/trust.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <sys/stat.h>
#include <unistd.h>

#include "apps/simrun/codes.hpp"
#include "base/core/input.hpp"
#include "base/core/paths.hpp"
#include "base/core/text.hpp"
#include "lib/file_kind/file_kind.hpp"

namespace simbatch::simrun {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxList = 1u << 20;  // bytes

fs::path real_path_of(const std::string& path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  return error ? fs::path() : real;
}

// Who else can write a file, or replace it because they can write a folder above. Empty: no one but us and root.
// @param real  without links
std::string other_writer(const fs::path& real) {
  fs::path path;
  for (const fs::path& part : real) {
    path /= part;
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return quoted(path.string()) + " cannot be looked at";
    if (status.st_uid != 0 && status.st_uid != ::geteuid())
      return fmt::format("{} belongs to user {}", quoted(path.string()), status.st_uid);
    // In a folder like /tmp, others can neither delete nor rename what is not theirs.
    const bool keeps_ours = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0 && path != real;
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !keeps_ours)
      return fmt::format("others can write {} (mode {:04o})", quoted(path.string()), status.st_mode & 07777u);
  }
  return {};
}

std::string remedy(const std::string& writer) {
  return writer.starts_with("others") ? "; the remedy is chmod go-w" : std::string();
}

struct Listed {
  fs::path folder;
  Position at;
};

// The folders of the list, with links followed.
std::vector<Listed> folders_of(std::string_view text, Diagnostics& problems) {
  std::vector<Listed> folders;
  LineReader lines(text);
  for (Line line; lines.next(line);) {
    std::string_view word = line.text;
    const std::size_t first = word.find_first_not_of(" \t");
    if (first == std::string_view::npos || word[first] == '#') continue;
    word = word.substr(first, word.find_last_not_of(" \t\r") + 1 - first);
    const Position at{line.number, static_cast<std::uint32_t>(first + 1)};
    const fs::path path(word);
    std::error_code error;
    if (!path.is_absolute()) {
      problems.report(code::kTrust, at, "expected an absolute folder, found " + quoted(word));
    } else if (!fs::exists(path, error)) {
      problems.report_as(Severity::warning, code::kTrust, at, "the folder " + quoted(word) + " does not exist");
    } else if (!fs::is_directory(path, error)) {
      problems.report(code::kTrust, at, quoted(word) + " is not a folder");
    } else if (fs::path real = real_path_of(path.string()); real == "/") {
      problems.report(code::kTrust, at, "the folder / would trust everything");
    } else {
      folders.push_back({std::move(real), at});
    }
  }
  return folders;
}

}  // namespace

std::string trusted_list() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  fs::path folder;
  if (config != nullptr && fs::path(config).is_absolute())
    folder = config;
  else if (home != nullptr && fs::path(home).is_absolute())
    folder = fs::path(home) / ".config";
  return folder.empty() ? std::string() : (folder / "simbatch" / "trusted_folders").string();
}

std::string trusted_by(const std::vector<std::string>& files, Diagnostics& problems) {
  const std::string list = trusted_list();
  const fs::path real_list = list.empty() ? fs::path() : real_path_of(list);
  if (real_list.empty()) return {};
  Diagnostics found(list);
  std::string by;
  try {
    const Input input = Input::open_regular(real_list.string(), kMaxList);
    if (const std::string writer = other_writer(real_list); !writer.empty()) {
      found.report(code::kTrust, {}, writer + ", so that the list trusts nothing" + remedy(writer));
      problems.append(std::move(found));
      return {};
    }
    std::vector<fs::path> real;
    for (const std::string& file : files) real.push_back(real_path_of(file));
    for (const Listed& listed : folders_of(input.text(), found)) {
      const auto is_below = [&](const fs::path& file) { return file != listed.folder && is_inside(file, listed.folder); };
      if (!by.empty() || !std::all_of(real.begin(), real.end(), is_below)) continue;
      std::string writer;
      for (const fs::path& file : real)
        if (writer.empty()) writer = other_writer(file);
      if (writer.empty())
        by = fmt::format("{}:{}", list, listed.at.line);
      else
        found.report(code::kTrust, listed.at, writer + ", so that what is there is not trusted" + remedy(writer));
    }
  } catch (const IoError& error) {
    found.report(code::kTrust, {}, std::string("cannot be read: ") + error.cause());
  }
  problems.append(std::move(found));
  return by;
}

std::function<bool(const std::string&, const std::string&, std::string_view, Diagnostics&)> trusting(
    std::vector<std::string> also) {
  return [also = std::move(also)](const std::string& scenario, const std::string& library, std::string_view bytes,
                                  Diagnostics& problems) {
    std::vector<std::string> files{scenario, library};
    files.insert(files.end(), also.begin(), also.end());
    if (trusted_by(files, problems).empty()) return false;
    // The bytes were read before, through links that may have changed since.
    return bytes.empty() || Input::open_regular(real_path_of(library).string()).text() == bytes;
  };
}

std::vector<std::string> permissions_of(const std::string& scenario, bool allowed) {
  std::error_code error;
  if (!fs::is_regular_file(scenario, error)) return {};  // a pipe cannot be read twice
  const Input input = Input::open(scenario);
  if (file_kind::kind_of(input.text()) != file_kind::Kind::autosim_world) return {};
  const auto world = autosim::read_world(input.text(), scenario);
  return world.value ? permissions_of(*world.value, scenario, allowed) : std::vector<std::string>();
}

std::vector<std::string> permissions_of(const autosim::World& world, const std::string& scenario, bool allowed) {
  std::vector<std::string> lines;
  const std::string list = trusted_list();
  for (const autosim::RobotEntry& robot : world.robots)
    for (const autosim::UserProgram& program : robot.programs) {
      const std::string library = (fs::path(scenario).parent_path() / program.path).lexically_normal().string();
      Diagnostics ignored;
      std::string line = library + ": ";
      if (allowed)
        line += "may run: --allow-programs";
      else if (const std::string by = trusted_by({scenario, library}, ignored); !by.empty())
        line += "may run: " + by + " trusts its folder";
      else
        line += "needs --allow-programs" + (list.empty() ? std::string() : ": " + list + " does not trust its folder");
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
    }
  return lines;
}

}  // namespace simbatch::simrun
