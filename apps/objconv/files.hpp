#pragma once
/// check, info and fmt, for all kinds of files or for one of them.

#include <string_view>

#include "apps/objconv/commands.hpp"

namespace simbatch::objconv {

/// @param kind  name of the only kind that the command reads; empty: --from, or what each file is
void add_check(CLI::App& app, Program& program, const char* meaning, std::string_view kind);
void add_info(CLI::App& app, Program& program, const char* meaning, std::string_view kind);
void add_fmt(CLI::App& app, Program& program, const char* meaning, std::string_view kind);

}  // namespace simbatch::objconv
