#pragma once
/// Words of a command line.

#include <string>
#include <string_view>
#include <vector>

namespace simbatch::sim {

/// The words of a command, split as by /bin/sh, with quotes and backslashes removed: "python3 'my car.py' --fast" has three.
/// `;`, `|`, `&`, `<`, `>`, `(`, `)` end a word; variables, substitutions and patterns are left as they are written. In
/// `--file=car.py` the part after `=` is also a word.
std::vector<std::string> words_of_command(std::string_view command);

}  // namespace simbatch::sim
