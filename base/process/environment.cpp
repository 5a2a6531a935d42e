#include "base/process/environment.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <unistd.h>

namespace simbatch {
namespace {

constexpr std::string_view kHarmless[] = {"PATH",  "LANG",  "LANGUAGE",       "TZ",          "TERM",         "COLUMNS",
                                          "LINES", "SHELL", "GLIBC_TUNABLES", "VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH"};
// Of Python, of locales, and of libraries that compute with threads.
constexpr std::string_view kHarmlessFamilies[] = {"LC_", "PYTHON", "OMP_", "OPENBLAS_", "MKL_"};

std::string_view name_of(std::string_view entry) { return entry.substr(0, entry.find('=')); }

}  // namespace

bool is_harmless_variable(std::string_view name) {
  return std::find(std::begin(kHarmless), std::end(kHarmless), name) != std::end(kHarmless) ||
         std::any_of(std::begin(kHarmlessFamilies), std::end(kHarmlessFamilies),
                     [&](std::string_view family) { return name.starts_with(family); });
}

std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  std::vector<std::string> all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view name = name_of(*entry);
    if (std::none_of(changes.begin(), changes.end(), [&](const std::string& change) { return name_of(change) == name; }))
      all.emplace_back(*entry);
  }
  all.insert(all.end(), changes.begin(), changes.end());
  return all;
}

std::string value_of(std::string_view name, const std::vector<std::string>& environment) {
  for (const std::string& entry : environment)
    if (name_of(entry) == name && entry.size() > name.size()) return entry.substr(name.size() + 1);
  return {};
}

std::vector<std::string> harmless_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> all = environment_with(changes);
  const auto changed = all.end() - static_cast<std::ptrdiff_t>(changes.size());
  all.erase(
      std::remove_if(all.begin(), changed, [](const std::string& entry) { return !is_harmless_variable(name_of(entry)); }),
      changed);
  return all;
}

void forget_environment() {
  char** kept = environ;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (is_harmless_variable(name_of(*entry)))
      *kept++ = *entry;
    else
      ::explicit_bzero(*entry, std::strlen(*entry));
  if (kept != nullptr) *kept = nullptr;
}

}  // namespace simbatch
