#pragma once
/// Files that Collada and glTF files name.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::objconv {

/// The names of textures and buffers in a text: of `<init_from>` in images of Collada (1.4.1, 5-44; 1.5, with `<ref>` in it), of
/// "uri" of glTF or GLB (2.0, 3.6.1), each once, in the order of the text. Escapes are decoded, and backslashes are slashes. Data that
/// is in the text itself has no name. Whether the text is valid does not matter.
/// @param suffix  .dae; otherwise it is glTF  @param most  names; there may be one more
/// Cost: linear.
std::vector<std::string> names_in_scene(std::string_view text, std::string_view suffix, std::size_t most);

}  // namespace simbatch::objconv
