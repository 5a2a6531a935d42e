#include "formats/cajunbot/v1_extras.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/cajunbot/codes.hpp"

namespace simbatch::cajunbot::detail {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\\\";
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else
      out += c;
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    out += c == 'n' ? '\n' : c == 'r' ? '\r' : c;
  }
  return out;
}

namespace {

/// Removes the first word and one blank after it.
std::string_view take_word(std::string_view& text) {
  const std::size_t n = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, n);
  text.remove_prefix(std::min(n + 1, text.size()));
  return word;
}

bool apply(std::string_view line, ObjectFile& file, Object* object) {
  const std::string_view key = take_word(line);
  if (key == "name") {
    (object != nullptr ? object->name : file.name) = unescaped(line);
    return true;
  }
  if (object == nullptr) return false;
  if (key == "initial_pause") {
    const auto pause = parse_double(line);
    if (!pause || pause.value < 0 || object->type != Type::dynamic) return false;
    object->initial_pause = pause.value;
    return true;
  }
  if (key == "description") {
    const auto index = parse_integer<std::size_t>(take_word(line));
    if (!index || index.value >= object->sensors.size()) return false;
    object->sensors[index.value].description = unescaped(line);
    return true;
  }
  if ((key == "vertices" || key == "indices") && object->type == Type::mesh && (line == "full" || line == "base")) {
    (key == "vertices" ? object->vertices : object->indices)->full = line == "full";
    return true;
  }
  if (key == "goal" && object->controller == Controller::waypoint) {
    const auto index = parse_integer<std::size_t>(take_word(line));
    const auto speed = parse_double(take_word(line)), pause = parse_double(take_word(line));
    const auto segment = parse_integer<std::int32_t>(take_word(line)), lane = parse_integer<std::int32_t>(take_word(line));
    if (!index || !speed || !pause || !segment || !lane || !line.empty() || index.value > object->goals.size() ||
        pause.value < 0 || segment.value < 0 || lane.value < 0)
      return false;
    object->goals.insert(object->goals.begin() + static_cast<std::ptrdiff_t>(index.value),
                         Goal{speed.value, pause.value, {segment.value, lane.value, 0}, true});
    return true;
  }
  return false;
}

}  // namespace

void read_extras(std::string_view text, const std::vector<std::size_t>& offsets, ObjectFile& file, Diagnostics& diagnostics) {
  LineReader lines(text);
  Line line;
  std::size_t next = 0;  // first object that begins after the line
  std::size_t inserted = 0;
  while (lines.next(line)) {
    std::string_view rest = line.text;
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (!rest.starts_with("//!")) continue;
    const auto at = static_cast<std::size_t>(rest.data() - text.data());
    while (next < offsets.size() && offsets[next] < at) ++next;
    Object* object = next == 0 ? nullptr : &file.objects[next - 1];
    rest.remove_prefix(3);
    // Insertion moves the following elements; a text consisting only of goals must not cost quadratic time.
    const bool too_many = rest.starts_with("goal ") && ++inserted > 100'000;
    if (too_many || !apply(rest, file, object))
      diagnostics.report(code::kExtra, {line.number, static_cast<std::uint32_t>(rest.data() - line.text.data() + 1)},
                         fmt::format("//!{} is not understood here and ignored", quoted(rest, 40)));
  }
}

}  // namespace simbatch::cajunbot::detail
