#pragma once
/// The thesis' listings, cut out of its text: the text has blanks inside words, line numbers and page heads between tags.

#include <optional>
#include <string>
#include <string_view>

namespace simbatch::autosim::test {

/// All tags of `text`, repaired: everything between tags and in comments is dropped, blanks inside tags are removed, and the
/// blank between element name and first attribute is put back.
std::string repaired(std::string_view text);

/// The reference's text from the first `begin` after `after` up to and with `end`; empty if the reference is not there.
std::optional<std::string> listing(std::string_view after, std::string_view begin, std::string_view end);

std::optional<std::string> robot_listing();        ///< C.1, a whole Robot file
std::optional<std::string> small_robot_listing();  ///< figure 4.2, a whole Robot file
std::optional<std::string> full_robot_listing();   ///< C.2 and C.3, put together to a Robot file
std::optional<std::string> setup_listing();        ///< C.4 to C.8, closed
std::optional<std::string> houses_listing();       ///< C.9 and C.10, closed

}  // namespace simbatch::autosim::test
