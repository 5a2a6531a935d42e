#pragma once
/// Single variables of MAT-files of level 5, as Writer writes them: without reading the others.

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::mat {

/// A damaged file, or one that is not of this writer's kind.
struct ReadFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether a file starts as little-endian MAT-files of level 5 do.
bool is_mat(std::string_view file);

/// A variable of a file, unpacked; nothing if there is none of this name. @throws ReadFault
std::optional<std::string> variable(std::string_view file, std::string_view name);

/// The values of a column of numbers. @throws ReadFault
std::vector<double> numbers(std::string_view variable);
/// The row of a character matrix, as UTF-8. @throws ReadFault
std::string text(std::string_view variable);

}  // namespace simbatch::mat
