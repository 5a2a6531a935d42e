#pragma once
/// Shared libraries with user programs: validation, and private copies in this process.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "sdk/runtime/host.h"

namespace simbatch::sim {

struct LibraryProblem {
  const Code* code = nullptr;  ///< of program_code
  std::string message;         ///< one clause
};

/// Properties known without running any of its code.
struct LibraryCheck {
  std::optional<LibraryProblem> problem;  ///< not to be loaded
  bool unique_symbols = false;            ///< some symbols (STB_GNU_UNIQUE) would be one for all copies
};
/// @param bytes  the whole file; any bytes at all
LibraryCheck check_library(std::string_view bytes);

/// A copy of a library in this process, with its own static variables: the bytes are written to an anonymous file, which is
/// then opened as a library. Never closed: threads that the program started may still run in it.
struct LoadedLibrary {
  using Main = int (*)(int, char**);
  Main main = nullptr;
  simbatch_bind_function bind = nullptr;
  std::uintptr_t begin = 0, end = 0;  ///< addresses of its segments
};
/// Runs the constructors of the library's static objects. May change the floating-point mode.
/// @param name     for messages
/// @param problem  set if nothing is returned
std::optional<LoadedLibrary> load_library(std::string_view bytes, const std::string& name, LibraryProblem& problem);

/// Binds a copy to its host. @return a problem if the copy has a different interface version
std::optional<LibraryProblem> bind_library(const LoadedLibrary& library, const simbatch_host& host, simbatch_runtime& runtime);

}  // namespace simbatch::sim
