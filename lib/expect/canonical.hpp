#pragma once
/// The text of an expectation as it is shown.

#include <optional>
#include <string>
#include <string_view>

#include "lib/expect/expectation.hpp"
#include "lib/expect/lexer.hpp"

namespace simbatch::expect::detail {

/// What a token compares by: a sign, or lt, le, gt, ge, eq, ne. Empty for any other token.
std::optional<Comparison> comparison_of(const Token& token);

/// Canonical text: without comments, with single blanks, and with operators instead of lt, le, ...
std::string canonical_text(std::string_view text);

}  // namespace simbatch::expect::detail
