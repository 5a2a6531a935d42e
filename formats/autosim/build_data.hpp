#pragma once
/// The generic layer under all AutoSim configuration files (thesis 5.4, C.1): sections that hold BuildData blocks, which
/// hold parameters with attributes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/xml/xml.hpp"
#include "formats/autosim/common.hpp"

namespace simbatch::autosim {

/// An attribute of a parameter: a double or a string, kept as it was written.
struct Attribute {
  std::string name, text;
  /// The value as a double, if the whole text is one.
  std::optional<double> number() const;
  friend bool operator==(const Attribute&, const Attribute&) = default;
};

/// An element of a configuration file. Its position in the tree determines its role, as in the thesis: a parameter has no
/// children, a BuildData block has only parameters as children ("last XML tag in the hierarchy containing child elements"), a
/// section has blocks or sections. An empty section looks like a parameter.
struct BuildData {
  enum class Role { section, block, parameter };

  std::string type;  ///< element name: Robot, Parts, Box, Position
  SourcePlace place;
  std::vector<Attribute> attributes;  ///< in file order
  std::vector<BuildData> children;    ///< in file order
  friend bool operator==(const BuildData&, const BuildData&) = default;

  Role role() const;
  /// Its name attribute; empty if there is none.
  std::string_view name() const;
  const Attribute* find(std::string_view attribute) const;
  /// The first parameter (or child) of that type, or nullptr.
  const BuildData* parameter(std::string_view tag) const;
  /// All of that type: a list, such as a device's noise sources.
  std::vector<const BuildData*> parameters(std::string_view tag) const;

  /// BuildData's access functions of listing 5.1. A parameter that is absent, or not a double, gives nothing.
  std::optional<double> get_double(std::string_view tag, std::string_view attribute = "value") const;
  std::optional<std::string_view> get_string(std::string_view tag, std::string_view attribute = "value") const;
};

/// Reads any configuration file of the general syntax. Character data and more than 256 levels are errors; a block without
/// a name is a warning, because the thesis demands one and its own house list breaks that rule for `houses`.
Parsed<BuildData> read_build_data(std::string_view text, const std::string& file_name);

/// The canonical text; read_build_data(write_build_data(d)) == d. Comments of the original are not kept.
std::string write_build_data(const BuildData& root);

/// An element and all below it; the element's attributes and children in file order.
BuildData build_data_of(const xml::Element& element);
/// Writes it into a document being written.
void write_build_data(xml::Writer& writer, const BuildData& data);

}  // namespace simbatch::autosim
