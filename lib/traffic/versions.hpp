#pragma once
/// CajunBot object files from one version to the other, with what is lost.
///
/// Source: the two format sections of the reference; the table of losses is in docs/formats/cajunbot.md.

#include <string>

#include "base/core/diagnostics.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/rndf/rndf.hpp"

namespace simbatch::traffic {

struct VersionOptions {
  /// Go on where facts are lost that cannot be guessed: such losses are warnings instead of errors.
  bool lossy = false;
  /// The target is written with `extras`: nothing that these carry is a loss (differences hidden in extras are still reported,
  /// as warnings).
  bool keep_extras = false;
  /// To version 2: name of a file that has none ("" leaves it without).
  std::string file_name;
  /// To version 1: expands goals without a waypoint.
  const rndf::Index* network = nullptr;
};

/// The model as a version 2 file holds it. Every difference is a diagnostic at the object's place; with an error the result
/// should not be written. Objects without a name are called "Object <id>".
cajunbot::ObjectFile to_v2(cajunbot::ObjectFile file, const VersionOptions& options, Diagnostics& diagnostics);

/// The model as a version 1 file holds it, names apart (they are written as comments). Objects without an id get their
/// place in the file (1, 2, ...), or the next free number.
cajunbot::ObjectFile to_v1(cajunbot::ObjectFile file, const VersionOptions& options, Diagnostics& diagnostics);

/// The name that objects without one get.
std::string default_name(const cajunbot::Object& object, std::size_t number);

/// True for a diagnostic for something that the target cannot represent.
bool is_loss(std::string_view code);

}  // namespace simbatch::traffic
