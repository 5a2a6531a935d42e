#pragma once
/// Internal: version 2 facts in comments of version 1 files.
///
///   //!name TEXT                      the file's name (before the first object) or an object's
///   //!initial_pause SECONDS
///   //!description SENSOR TEXT        SENSOR counts from 0
///   //!vertices full|base             whether the name is a whole path, where its form says otherwise; same for indices
///   //!goal INDEX SPEED PAUSE SEGMENT LANE   an open goal, at INDEX (from 0) of all goals
/// In TEXT, `\n`, `\r` and `\\` denote those bytes. Programs that do not know them see comments.

#include "formats/cajunbot/cajunbot.hpp"

namespace simbatch::cajunbot::detail {

/// @param offsets  of each object's first byte in the text
void read_extras(std::string_view text, const std::vector<std::size_t>& offsets, ObjectFile& file, Diagnostics& diagnostics);

std::string escaped(std::string_view text);
std::string unescaped(std::string_view text);

}  // namespace simbatch::cajunbot::detail
