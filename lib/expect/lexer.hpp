#pragma once
/// The words of an expectation. Internal to this room.

#include <cstddef>
#include <string>
#include <string_view>

namespace simbatch::expect::detail {

enum class TokenKind {
  end,
  number,  ///< `value`, and `unit` if one follows
  name,    ///< a word, dots included: "impreza.chassis", "always"; or a text between quotes (`quoted`)
  sign,    ///< "(", "<=", ...
  bad,     ///< `text` says what is wrong
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;
  double value = 0;
  std::string unit;
  bool quoted = false;
  std::size_t begin = 0, end = 0;
};

/// The token at or after `at`, past blanks and comments.
Token next_token(std::string_view text, std::size_t at);

}  // namespace simbatch::expect::detail
