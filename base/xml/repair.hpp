#pragma once
/// Reads what TinyXML accepts, the parser of Gazebo and GraspIt!: for readers of their formats.

#include <string>
#include <string_view>

#include "base/xml/xml.hpp"

namespace simbatch::xml {

/// As Document::parse(). If a comment contains `--`, or something precedes the XML declaration, that is a warning, and read as
/// blanks, so that all positions stay.
Parsed<Document> parse_forgiving(std::string_view text, const std::string& file);

}  // namespace simbatch::xml
