#pragma once
/// Standard output and standard error.

#include <string>
#include <string_view>

#include "apps/common/options.hpp"

namespace simbatch::cli {

/// True if standard error is a terminal that understands more than text (TERM is not "dumb").
bool on_terminal();
/// Writes text to standard output. A reader that has gone (`| head`) is not an error. @throws IoError
void print(std::string_view text);
/// The text with control characters as \xNN, except its line ends: for names and messages that come from elsewhere.
std::string printable_lines(std::string_view text);
/// Writes a line to standard error as it is; what cannot be written is lost.
void print_error(std::string_view line);
/// Writes a line to standard error, through printable_lines(), unless --quiet.
void status(const CommonOptions& common, std::string_view line);

}  // namespace simbatch::cli
