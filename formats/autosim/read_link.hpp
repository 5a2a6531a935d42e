#pragma once
/// Reads one link of a Robot file. Internal to formats/autosim.

#include <array>
#include <optional>

#include "formats/autosim/block.hpp"
#include "formats/autosim/robot.hpp"

namespace simbatch::autosim::detail {

inline constexpr std::array<std::string_view, 3> kLinkElements = {"SphericalLink", "RevoluteLink", "PrismaticLink"};
inline constexpr std::array<std::string_view, 3> kMotorModes = {"force", "position", "speed"};

/// Nothing if the element is not a link.
std::optional<Link::Kind> link_kind(std::string_view element_name);
/// Nothing after an error.
std::optional<Link> read_link(const xml::Element& element, Link::Kind kind, NameTable& names, Diagnostics& diagnostics);

/// The noise sources among an element's children; allows them in `reader`.
std::vector<Noise> read_noise(xml::ElementReader& reader, Diagnostics& diagnostics);
void write_noise(xml::Writer& writer, const std::vector<Noise>& noise);
void write_link(xml::Writer& writer, const Link& link);

}  // namespace simbatch::autosim::detail
