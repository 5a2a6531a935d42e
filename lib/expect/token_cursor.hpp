#pragma once
/// The position of the parser in a text of expectations.

#include <cstddef>
#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "lib/expect/codes.hpp"
#include "lib/expect/lexer.hpp"

namespace simbatch::expect::detail {

/// Thrown where the text is wrong; ends the item being parsed.
struct Problem {
  const Code* code;
  std::size_t at;
  std::string message;
};

/// The current token, and checks for the words and signs that the grammar requires.
class TokenCursor {
 public:
  TokenCursor(std::string_view text, std::size_t begin) : text_(text), token_(next_token(text, begin)) {}

  const Token& token() const { return token_; }
  Token following() const { return next_token(text_, token_.end); }
  std::size_t last_end() const { return last_end_; }  ///< of the token before the current one
  std::string_view text(std::size_t begin, std::size_t end) const { return text_.substr(begin, end - begin); }

  void advance() {
    last_end_ = token_.end;
    token_ = next_token(text_, token_.end);
  }
  bool is_sign(std::string_view sign) const { return token_.kind == TokenKind::sign && token_.text == sign; }
  bool is_word(std::string_view word) const { return token_.kind == TokenKind::name && !token_.quoted && token_.text == word; }
  bool take_sign(std::string_view sign) {
    if (!is_sign(sign)) return false;
    advance();
    return true;
  }
  void need_sign(std::string_view sign, std::string_view what) {
    if (!take_sign(sign)) fail_here("expected " + quoted(sign) + " " + std::string(what));
  }
  [[noreturn]] void fail_here(const std::string& message) const {
    if (token_.kind == TokenKind::bad) throw Problem{&code::kSyntax, token_.begin, token_.text};
    const std::string found =
        token_.kind == TokenKind::end ? "the text ends" : "found " + quoted(text(token_.begin, token_.end));
    throw Problem{&code::kSyntax, token_.begin, found + ", " + message};
  }

 private:
  std::string_view text_;
  Token token_;
  std::size_t last_end_ = 0;
};

}  // namespace simbatch::expect::detail
