#pragma once
/// The keyword lines of body headers, as recognized by GraspIt! 2.1.0. Internal to this room.

#include <algorithm>
#include <string_view>

namespace simbatch::graspit::detail {

inline constexpr std::string_view kKeywords[] = {"material", "mass", "cog", "inertia_matrix", "youngs", "useFlockOfBirds"};

inline bool is_keyword(std::string_view word) {
  return std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords);
}

/// A keyword line for the loader: '#' in column 0, then the keyword up to the first space.
struct Keyword {
  std::string_view name;
  std::string_view rest;  ///< after the first space
};
inline Keyword keyword_of(std::string_view line) {
  if (line.empty() || line[0] != '#') return {};
  line.remove_prefix(1);
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return {line, {}};
  return {line.substr(0, space), line.substr(space + 1)};
}

}  // namespace simbatch::graspit::detail
