#pragma once
/// Standard output and standard error.

#include <string>
#include <string_view>

#include "apps/common/options.hpp"

namespace simbatch::cli {

/// True if standard error is a terminal with escape sequences (TERM is not "dumb").
bool on_terminal();
/// Writes text to standard output. A reader that has ended (`| head`) is not an error. @throws IoError
void print(std::string_view text);
/// The text with control characters as \xNN, except its line ends: for names and messages of foreign origin.
std::string printable_lines(std::string_view text);
/// Writes a line to standard error unchanged; write errors are ignored.
void print_error(std::string_view line);
/// Writes a line to standard error, through printable_lines(), unless --quiet.
void status(const CommonOptions& common, std::string_view line);

}  // namespace simbatch::cli
