#pragma once
/// Numbers separated by blanks in an attribute or a text, as robot formats write vectors, poses and colors.

#include <cstddef>
#include <string_view>
#include <vector>

namespace simbatch::xml {

struct NumberList {
  std::vector<double> values;  ///< up to the first fault; at most `max`
  std::string_view bad;        ///< the first word that is not a finite number, of the text; empty: none
  std::size_t bad_at = 0;      ///< its offset in the text
  std::size_t count = 0;       ///< of all words
};

/// Reads decimal numbers as parse_double() does, but with an optional leading '+', as strtod reads them. Words beyond `max` are
/// counted and not kept.
NumberList read_number_list(std::string_view text, std::size_t max);

}  // namespace simbatch::xml
