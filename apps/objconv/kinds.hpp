#pragma once
/// The kinds of files supported by `check`, `info` and `fmt`.

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

/// One line of `info`: a key and a value, printed unchanged, and in JSON as a number if it is numeric.
struct Fact {
  std::string key;
  std::string value;
  bool is_number = false;
  std::string json = {};  ///< the value in JSON, if it is not only text: an object, a list
};
Fact fact(std::string key, std::string value);
Fact fact(std::string key, std::size_t value);
Fact fact(std::string key, double value);

/// Options for reading files.
struct Reading {
  bool strict = false;
  grasp::GraspOptions grasp;                  ///< --as, --graspit-root, --bare-unit
  const traffic::Network* network = nullptr;  ///< of --rndf
  std::string cbconf, cbbotname;              ///< --cbconf, --cbbotname
  bool planar = false;                        ///< --planar
  std::string root = {};                      ///< --root
};

struct FileKind {
  std::string_view name;                 ///< for --from, as "object1"
  std::string_view meaning;              ///< one line
  std::array<file_kind::Kind, 2> kinds;  ///< the kinds it handles: a text and an XML dialect, or the same twice
  /// Reports all errors.
  void (*check)(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics);
  /// Null if `info` does not support this kind.
  std::vector<Fact> (*info)(std::string_view text, const std::string& file, const Reading& reading, Diagnostics& diagnostics);
  /// The canonical text, empty if there are errors. Null if there is no canonical form.
  std::optional<std::string> (*format)(std::string_view text, const std::string& file, const Reading& reading,
                                       Diagnostics& diagnostics);
};

/// For FileKind::kinds, where there is one dialect.
constexpr std::array<file_kind::Kind, 2> twice(file_kind::Kind kind) { return {kind, kind}; }

// One function per family of files.
std::span<const FileKind> autosim_kinds();
std::span<const FileKind> cajunbot_kinds();
std::span<const FileKind> rndf_kinds();
std::span<const FileKind> grasp_kinds();
std::span<const FileKind> robot_kinds();
std::span<const FileKind> map_kinds();

/// All kinds, by family.
std::vector<const FileKind*> all_kinds();
/// The kind called `name`, or, if that is empty, that of the input by its name and content. Reports if there is none.
const FileKind* kind_of(std::string_view name, const Input& input, Diagnostics& diagnostics);
/// For a command for a single kind of file ("rndf" or "mdf"): false, with an error that names the right program, if the input
/// is of another kind.
bool is_expected(std::string_view name, const Input& input, Diagnostics& diagnostics);

}  // namespace simbatch::objconv
