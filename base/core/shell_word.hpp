#pragma once
/// Words of command lines that people paste into a shell.

#include <string>

namespace simbatch {

/// Quotes a word for a POSIX shell if necessary.
std::string shell_word(const std::string& word);

}  // namespace simbatch
