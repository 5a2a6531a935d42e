#pragma once
/// Which notes belong to another diagnostic.

#include "base/core/diagnostics.hpp"

namespace simbatch {

/// True if `note` adds to `head`, the error or warning that it follows: a note with the same code. Other notes stand alone.
bool adds_to(const Diagnostic& note, const Diagnostic& head);

}  // namespace simbatch
