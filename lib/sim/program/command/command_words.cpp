// Source: POSIX.1-2017, Shell Command Language, sections 2.2 (Quoting) and 2.3 (Token Recognition); without expansions.

#include "lib/sim/program/command/command_words.hpp"

namespace simbatch::sim {

std::vector<std::string> words_of_command(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;  // a word has begun, perhaps an empty one
  const auto end = [&] {
    if (open && !word.empty()) {
      words.push_back(word);
      if (const std::size_t equals = word.find('='); equals != std::string::npos && equals + 1 < word.size())
        words.push_back(word.substr(equals + 1));
    }
    word.clear();
    open = false;
  };
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < command.size();
    if (escapes) {
      word += command[++i];
      open = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      open = true;
    } else if (std::string_view(" \t\n;|&<>()").find(c) != std::string_view::npos) {
      end();
    } else {
      word += c;
      open = true;
    }
  }
  end();
  return words;
}

}  // namespace simbatch::sim
