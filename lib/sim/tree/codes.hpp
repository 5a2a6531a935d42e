#pragma once
/// Diagnostic codes of the simulation tree.

#include "base/core/diagnostics.hpp"

namespace simbatch::sim::tree_code {

inline constexpr Code kDuplicate{"sim-name-duplicate", Severity::error,
                                 "two nodes of the simulation tree have the same fully qualified name"};
inline constexpr Code kName{"sim-name", Severity::error,
                            "a node's name is empty, or contains a character that fully qualified names cannot have"};
inline constexpr const Code* kAll[] = {&kDuplicate, &kName};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::sim::tree_code
