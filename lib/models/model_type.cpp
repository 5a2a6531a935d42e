#include "lib/models/model_type.hpp"

#include <algorithm>

namespace simbatch::models {

std::string model_type(std::string_view file) {
  const std::size_t dot = file.rfind('.');
  if (dot == std::string_view::npos) return {};
  std::string suffix(file.substr(dot + 1));
  for (char& c : suffix)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return suffix;
}

bool has_model_type(std::string_view file) {
  return std::find(std::begin(kModelTypes), std::end(kModelTypes), model_type(file)) != std::end(kModelTypes);
}

}  // namespace simbatch::models
