#pragma once
/// The kinds of files that `check`, `info` and `fmt` know.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/objconv/network.hpp"
#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/grasp/load.hpp"

namespace simbatch::objconv {

/// One line of `info`: a key and a value, which is printed as it is, and in JSON as a number if it is one.
struct Fact {
  std::string key;
  std::string value;
  bool is_number = false;
};
Fact fact(std::string key, std::string value);
Fact fact(std::string key, std::size_t value);
Fact fact(std::string key, double value);

/// How to read files: what options say about it.
struct Reading {
  bool strict = false;
  grasp::GraspOptions grasp;                  ///< --as, --graspit-root, --bare-unit
  const traffic::Network* network = nullptr;  ///< of --rndf
  std::string cbconf, cbbotname;              ///< --cbconf, --cbbotname
};

struct FileKind {
  std::string_view name;                 ///< for --from, as "object1"
  std::string_view meaning;              ///< one line
  std::array<file_kind::Kind, 2> kinds;  ///< whose files it handles: a text and an XML dialect, or twice the same
  /// Reports everything that is wrong.
  void (*check)(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics);
  /// Null: `info` does not know this kind.
  std::vector<Fact> (*info)(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics);
  /// The canonical text, empty when there are errors. Null: there is no canonical form.
  std::optional<std::string> (*format)(std::string_view text, const std::string& file, const Reading& reading,
                                       Diagnostics& diagnostics);
};

/// For FileKind::kinds, where there is one dialect.
constexpr std::array<file_kind::Kind, 2> twice(file_kind::Kind kind) { return {kind, kind}; }

// One function for each family of files.
std::span<const FileKind> autosim_kinds();
std::span<const FileKind> cajunbot_kinds();
std::span<const FileKind> rndf_kinds();
std::span<const FileKind> grasp_kinds();

/// All kinds, by family.
std::vector<const FileKind*> all_kinds();
/// The kind called `name`, or, if that is empty, that of the input by its name and content. Reports if there is none.
const FileKind* kind_of(std::string_view name, const Input& input, Diagnostics& diagnostics);
/// For a command that is for one kind of file ("rndf" or "mdf"): false, and an error with the program that reads the input, if
/// that is not of this kind but of another.
bool is_expected(std::string_view name, const Input& input, Diagnostics& diagnostics);

}  // namespace simbatch::objconv
