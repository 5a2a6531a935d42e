#pragma once
/// What is in the files that a trace is written to, but not read back from: NPZ, MAT, wide tables, scenes.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "formats/trace/parts.hpp"

namespace simbatch::trace {

/// A trace without rows.
struct Outline {
  Parsed<Trace> trace;
  Format format = Format::npz;  ///< npz, mat or wide
  Extent extent = {};
  /// Wide tables have names, units and steps only: other members of the trace are empty, and numbers of fields that hold numbers
  /// in the first row.
  double first_time = 0, last_time = 0;  ///< s; of wide tables
};

/// Which of these formats a file is in; nothing if in none of them. Compressed tables are not recognized.
std::optional<Format> outlined_format(std::string_view bytes);
bool is_wide(std::string_view text);

Outline npz_outline(std::string_view bytes, const std::string& file_name);
Outline mat_outline(std::string_view bytes, const std::string& file_name);
Outline wide_outline(std::string_view text, const std::string& file_name);
/// That of a file; nothing if it is in another format. A compressed table is unpacked. @throws IoError
std::optional<Outline> read_outline(const std::string& path);

/// A scene with its motion.
struct SceneOutline {
  std::size_t nodes = 0, moving = 0;
  double seconds = 0;  ///< of the motion
};
Parsed<SceneOutline> glb_outline(std::string_view bytes, const std::string& file_name);

}  // namespace simbatch::trace
