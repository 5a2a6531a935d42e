#pragma once
/// check, info and fmt, for all kinds of files or for one of them.

#include <string>
#include <string_view>
#include <vector>

#include "apps/objconv/commands.hpp"

namespace simbatch::objconv {

/// @param kind  name of the only kind that the command reads; empty: --from, or the detected kind of each file
void add_check(cli::Command& group, const char* help, std::string_view kind, std::vector<std::string> examples);
void add_info(cli::Command& group, const char* help, std::string_view kind, std::vector<std::string> examples);
void add_fmt(cli::Command& group, const char* help, std::string_view kind, std::vector<std::string> examples);

}  // namespace simbatch::objconv
