#include "lib/study/csv.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/core/number.hpp"

namespace simbatch::study {

std::string csv_cell(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted_text = "\"";
  for (const char c : text) quoted_text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted_text + "\"";
}

std::string csv_number(const std::optional<double>& value) {
  if (!value || std::isnan(*value)) return {};
  if (std::isinf(*value)) return *value > 0 ? "inf" : "-inf";
  return number_text(*value + 0.0);  // 0 for -0
}

std::optional<double> read_csv_number(std::string_view cell) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (cell == "inf") return kInfinity;
  if (cell == "-inf") return -kInfinity;
  const auto number = parse_double(cell);
  return number ? std::optional(number.value) : std::nullopt;
}

namespace detail {

bool CsvReader::next(std::vector<std::string>& cells) {
  cells.clear();
  columns_.clear();
  if (rest_.empty()) return false;
  line_ = next_line_;
  std::size_t at = 0;
  while (true) {
    columns_.push_back(static_cast<std::uint32_t>(at + 1));
    std::string& cell = cells.emplace_back();
    if (at < rest_.size() && rest_[at] == '"') {
      for (++at; at < rest_.size(); ++at) {
        if (rest_[at] == '"' && (at + 1 == rest_.size() || rest_[at + 1] != '"')) break;
        if (rest_[at] == '"') ++at;
        next_line_ += rest_[at] == '\n';
        cell += rest_[at];
      }
      at = std::min(at + 1, rest_.size());
    }
    const std::size_t end = std::min(rest_.find_first_of(",\n", at), rest_.size());
    cell += rest_.substr(at, end - at);
    at = end;
    if (at == rest_.size() || rest_[at] == '\n') break;
    ++at;
  }
  if (!cells.back().empty() && cells.back().back() == '\r') cells.back().pop_back();
  rest_.remove_prefix(std::min(at + 1, rest_.size()));
  ++next_line_;
  return true;
}

}  // namespace detail
}  // namespace simbatch::study
