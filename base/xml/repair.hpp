#pragma once
/// Reads what TinyXML, the parser of Gazebo and GraspIt!, accepts: for readers of their formats.

#include <string>
#include <string_view>

#include "base/xml/xml.hpp"

namespace simbatch::xml {

/// Like Document::parse(), but if a comment contains `--`, or something precedes the XML declaration, that is a warning, and is
/// read as blanks, so that all positions stay the same.
Parsed<Document> parse_forgiving(std::string_view text, const std::string& file);

}  // namespace simbatch::xml
