#pragma once
/// Makes well-formed what TinyXML accepts, which Gazebo and GraspIt! read with: for readers of their formats.

#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"

namespace simbatch::xml {

/// If a comment contains `--`, or something precedes the XML declaration: a copy of the text with blanks there, so that all
/// positions stay, and a warning for each. @return whether there was such a place
bool repair_comments(std::string_view text, std::string& repaired, Diagnostics& problems);

}  // namespace simbatch::xml
