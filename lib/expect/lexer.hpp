#pragma once
/// Tokens of expectations. Internal to this room.

#include <cstddef>
#include <string>
#include <string_view>

namespace simbatch::expect::detail {

enum class TokenKind {
  end,
  number,  ///< `value`, and `unit` if one follows
  name,    ///< a word, including dots: "impreza.chassis", "always"; or quoted text (`quoted`)
  sign,    ///< "(", "<=", ...
  bad,     ///< `text` is the error message
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;
  double value = 0;
  std::string unit;
  bool quoted = false;
  std::size_t begin = 0, end = 0;
};

/// The next token at or after `at`; skips blanks and comments.
Token next_token(std::string_view text, std::size_t at);

}  // namespace simbatch::expect::detail
