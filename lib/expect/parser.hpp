#pragma once
/// One expectation as text.

#include <cstddef>
#include <string_view>

#include "lib/expect/expectation.hpp"
#include "lib/expect/token_cursor.hpp"

namespace simbatch::expect::detail {

/// Parses the item that begins at `begin`, up to a semicolon or the end. Names are not looked up. @throws Problem
Expectation parse_item(std::string_view text, std::size_t begin);

}  // namespace simbatch::expect::detail
