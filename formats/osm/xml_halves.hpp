#pragma once
/// Where a text can be read in two halves. Private to the room.

#include <cstddef>
#include <string_view>

namespace simbatch::osm::detail {

/// The `<` of what looks like the start of a node or way near the middle of the text; npos if there is none. It may yet stand
/// in a comment: only who has read all that is before it knows.
std::size_t cut_of(std::string_view text);

}  // namespace simbatch::osm::detail
