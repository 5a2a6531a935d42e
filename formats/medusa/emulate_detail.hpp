#pragma once
/// Shared by the emulations of both readers. Private to the room.

#include <cstring>
#include <string_view>

#include "formats/medusa/emulate.hpp"

namespace simbatch::medusa::detail {

/// Calls use(line, number) for each piece between '\n'; a '\r' stays. As getline: no line after a final '\n'.
template <class Use>
void for_each_raw_line(std::string_view text, Use use) {
  std::uint32_t number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const void* found = std::memchr(text.data() + start, '\n', text.size() - start);
    const std::size_t end =
        found == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    use(text.substr(start, end - start), ++number);
    start = end + 1;
  }
}

/// True if a line begins with a primitive's keyword, ignoring case, leading blanks and fused characters.
bool looks_like_section(std::string_view line);

Reading emulate_vehicle(std::string_view text, const EmulateOptions& options);
Reading emulate_console(std::string_view text);

}  // namespace simbatch::medusa::detail
