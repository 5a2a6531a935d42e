#pragma once
/// What a command line names.

#include <string>
#include <string_view>
#include <vector>

namespace simbatch::sim {

/// The words of a command as /bin/sh would split it, quotes and backslashes removed: "python3 'my car.py' --fast" has three. `;`, `|`, `&`,
/// `<`, `>`, `(`, `)` end a word; variables, substitutions and patterns are left as they are written. Of `--file=car.py` the part
/// after `=` is a word as well.
std::vector<std::string> words_of_command(std::string_view command);

}  // namespace simbatch::sim
