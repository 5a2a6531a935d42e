#pragma once
/// Readers of links and joints. Internal to formats/sdf.

#include <map>
#include <string>

#include "formats/sdf/values.hpp"

namespace simbatch::sdf::file {

/// @param names  of what the model has so far
Link read_link(const xml::Element& element, Values& values, std::map<std::string, Position>& names);
Joint read_joint(const xml::Element& element, Values& values, std::map<std::string, Position>& names);

}  // namespace simbatch::sdf::file
