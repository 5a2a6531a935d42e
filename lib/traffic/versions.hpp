#pragma once
/// Converts CajunBot object files between versions, and reports losses.
///
/// Source: the two format sections of the reference; the table of losses is in docs/formats/cajunbot.md.

#include <string>

#include "base/core/diagnostics.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/rndf/rndf.hpp"

namespace simbatch::traffic {

struct VersionOptions {
  /// Continue when information is lost that cannot be guessed: such losses are warnings instead of errors.
  bool lossy = false;
  /// The target is written with `extras`: data preserved by them is not a loss (differences hidden in extras are still
  /// reported, as warnings).
  bool keep_extras = false;
  /// To version 2: name for a file without one ("": none).
  std::string file_name;
  /// To version 1: expands goals without a waypoint.
  const rndf::Index* network = nullptr;
};

/// The model converted to version 2. Every difference is a diagnostic at the object's place; with an error the result should
/// not be written. Objects without a name are named "Object <id>".
cajunbot::ObjectFile to_v2(cajunbot::ObjectFile file, const VersionOptions& options, Diagnostics& diagnostics);

/// The model converted to version 1, except names (they are written as comments). Objects without an id get their index in the
/// file (1, 2, ...), or the next free number.
cajunbot::ObjectFile to_v1(cajunbot::ObjectFile file, const VersionOptions& options, Diagnostics& diagnostics);

/// Default name of objects.
std::string default_name(const cajunbot::Object& object, std::size_t number);

/// True for a diagnostic about a loss in the target.
bool is_loss(std::string_view code);

}  // namespace simbatch::traffic
