// The primitives of a mission: LINE, ARC, POINT, DEPTH, ALT, and the offsets of FORMATION and BIAS.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/core/text.hpp"
#include "formats/medusa/codes.hpp"
#include "formats/medusa/read_detail.hpp"

namespace simbatch::medusa::detail {
namespace {
constexpr std::string_view kKeywords[] = {"POINT", "LINE", "ARC", "DEPTH", "ALT", "FORMATION", "BIAS"};
}

void MissionScanner::body(std::string_view raw, std::string_view line) {
  stage_ = Stage::body;
  std::size_t start = 0;
  while (start < line.size() && (line[start] == ' ' || (line[start] >= '\t' && line[start] <= '\r'))) ++start;
  std::size_t end = start;
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; };
  while (end < line.size() && is_letter(line[end])) ++end;
  const std::string_view word = line.substr(start, end - start);
  const Kind kind = kind_of(word);
  const bool known = kind != Kind::none || word == "FORMATION" || word == "BIAS";
  const Position at{line_, static_cast<std::uint32_t>(start) + 1};
  if (known && start == 0) {
    if (kind == Kind::none) return offsets(raw, line.substr(end), word == "BIAS");
    return section(line, end, kind);
  }
  odd_keyword(raw, line, start, end, at);
}

Kind MissionScanner::kind_of(std::string_view word) {
  switch (word.size()) {
    case 3: return word == "ARC" ? Kind::arc : word == "ALT" ? Kind::alt : Kind::none;
    case 4: return word == "LINE" ? Kind::line : Kind::none;
    case 5: return word == "POINT" ? Kind::point : word == "DEPTH" ? Kind::depth : Kind::none;
    default: return Kind::none;
  }
}

void MissionScanner::odd_keyword(std::string_view raw, std::string_view line, std::size_t start, std::size_t end, Position at) {
  const std::string_view word = line.substr(start, end - start);
  std::string_view meant;
  for (const std::string_view k : kKeywords)
    if (equal_ignoring_case(word, k)) meant = k;
  if (meant.empty()) {
    const std::string_view near = nearest(word.empty() ? trimmed(line).substr(0, 12) : word, kKeywords);
    const std::string_view shown = word.empty() ? trimmed(line) : word;
    error(code::kKeyword, at,
          fmt::format("expected a keyword, found {}{}", quoted(shown, 20),
                      near.empty() ? "" : fmt::format("; did you mean {}?", near)));
    sink_.lost(line_, outcome_elsewhere(line));
    return;
  }
  if (meant != word)
    lossy(code::kKeywordCase, at, fmt::format("{} for {}: the programs ignore the line", quoted(word), meant), true, true);
  else
    lossy(code::kIndent, at, fmt::format("blanks before {}: the vehicle ignores the line", meant), true, false);
  const Kind kind = kind_of(meant);
  if (kind == Kind::none) return offsets(raw, line.substr(end), meant == "BIAS");
  section(line, end, kind);
}

void MissionScanner::bad_number(const Field& field, const Fields& fields, std::string_view what) {
  const Position at{line_, fields.column(field.text.data())};
  switch (field.trouble) {
    case Trouble::dots:
      return error(code::kNumberDots, at,
                   fmt::format("{} {} has two dots: the vehicle reads it as two numbers", what, quoted(field.text)));
    case Trouble::comma:
      return error(code::kNumberComma, at, fmt::format("{} {} has a comma: use blanks and points", what, quoted(field.text)));
    case Trouble::range:
      return error(code::kNumberRange, at, fmt::format("{} {} is not a finite decimal number", what, quoted(field.text)));
    default: return error(code::kNumber, at, fmt::format("expected {} (a number), found {}", what, quoted(field.text)));
  }
}

void MissionScanner::section(std::string_view line, std::size_t keyword_end, Kind kind) {
  static constexpr std::array<std::string_view, 6> kPoint = {"x", "y", "radius", "velocity", "heading", "time"};
  static constexpr std::array<std::string_view, 5> kLine = {"start x", "start y", "end x", "end y", "velocity"};
  static constexpr std::array<std::string_view, 9> kArc = {"start x", "start y",  "center x",  "center y", "end x",
                                                           "end y",   "velocity", "direction", "radius"};
  static constexpr std::array<std::string_view, 2> kDepth = {"depth", "time"}, kAlt = {"altitude", "time"};
  const std::string_view* names = kPoint.data();
  std::size_t wanted = kPoint.size();
  if (kind == Kind::line) names = kLine.data(), wanted = kLine.size();
  if (kind == Kind::arc) names = kArc.data(), wanted = kArc.size();
  if (kind == Kind::depth || kind == Kind::alt) {
    names = kind == Kind::depth ? kDepth.data() : kAlt.data();
    wanted = kDepth.size();
  }
  if (line.find('\0') != std::string_view::npos)
    lossy(code::kEncoding, {line_, 1}, "a NUL byte, where the vehicle's line ends", true, false);
  if (keyword_end < line.size() && line[keyword_end] != ' ' && line[keyword_end] != '\t')
    lossy(code::kFused, {line_, static_cast<std::uint32_t>(keyword_end) + 1},
          fmt::format("no blank after {}: the console ignores the line", keyword(kind)), false, true);

  Fields walk = fields_behind(line, keyword_end);
  std::array<double, 9> v{};
  std::array<std::string_view, 9> texts;
  bool direction_dotted = false;
  Field field;
  for (std::size_t i = 0; i < wanted; ++i) {
    if (!walk.next(field)) {
      error(code::kFields, {line_, 1},
            fmt::format("{} has {} of at least {} fields: {} is missing", keyword(kind), i, wanted, names[i]));
      return lost(line);
    }
    if (field.trouble != Trouble::none) {
      field_error(field, line, names[i]);
      return lost(line);
    }
    v[i] = field.value;
    texts[i] = field.text;
    if (i == 7) direction_dotted = field.dotted;
  }
  Section& s = section_;
  s = Section{};
  s.kind = kind;
  s.line = line_;
  switch (kind) {
    case Kind::point: s.xe = v[0], s.ye = v[1], s.radius = v[2], s.velocity = v[3], s.heading = v[4], s.time = v[5]; break;
    case Kind::line: s.xi = v[0], s.yi = v[1], s.xe = v[2], s.ye = v[3], s.velocity = v[4]; break;
    case Kind::arc:
      s.xi = v[0], s.yi = v[1], s.xc = v[2], s.yc = v[3], s.xe = v[4], s.ye = v[5], s.velocity = v[6], s.radius = v[8];
      direction(v[7], texts[7], direction_dotted, line);
      break;
    default: s.depth = v[0], s.time = v[1]; break;
  }
  const bool simple = tail(kind, line, walk) && !(kind == Kind::arc && direction_dotted);
  ReaderOutcome outcome{true, !refused_by_console_ && kind != Kind::depth && kind != Kind::alt, !refused_by_vehicle_, false};
  if (!(simple && walk.plain() && !reported_)) outcome = odd_line(line);
  if (options_.audience == Reader::console && (kind == Kind::depth || kind == Kind::alt))
    lossy(code::kDepthConsole, {line_, 1}, fmt::format("the console does not know {}", keyword(kind)), false, true);
  sink_.section(s, outcome);
  ++index_;
}

void MissionScanner::direction(double value, std::string_view text, bool dotted, std::string_view line) {
  if (!(value == std::floor(value) && std::abs(value) < 1e9)) {
    error(code::kDirection, place(line, text), fmt::format("expected direction -1 or 1, found {}", quoted(text)));
    section_.direction = (value < 0) != (version_ == 2) ? -1 : 1;
    return;
  }
  // Version 2 has the opposite sign: in all known files the arcs join their lines only with this sign (docs/formats/medusa.md).
  section_.direction = static_cast<std::int32_t>(version_ == 2 ? -value : value);
  if (section_.direction != -1 && section_.direction != 1)
    error(code::kDirection, place(line, text),
          fmt::format("expected direction -1 or 1, found {}: the vehicle turns counter-clockwise", quoted(text)));
  else if (dotted && version_ != 2)
    lossy(code::kDirectionFloat, place(line, text),
          fmt::format("direction {} has a point: the vehicle takes the rest of it for the radius", quoted(text)), true, false);
}

bool MissionScanner::tail(Kind kind, std::string_view line, Fields& walk) {
  Section& s = section_;
  const bool path = kind == Kind::line || kind == Kind::arc;
  const std::string_view rest = walk.rest();
  if (version_ == 2) {
    s.user_data = rest;
    return rest.empty();
  }
  Field id;
  Fields after = walk;
  const bool has_id = after.next(id) && id.trouble == Trouble::none;
  if (!has_id) {
    s.user_data = rest;
    if (!path && kind != Kind::point)
      lossy(code::kDepthFields, {line_, 1},
            fmt::format("{} without vehicle id: the vehicle keeps it as a section that never ends", keyword(kind)), true,
            false);
    return rest.empty() && (path || kind == Kind::point);
  }
  if (!(id.value == std::floor(id.value) && id.value >= -1 && id.value <= 2147483647)) {
    error(code::kVehicle, place(line, id.text),
          fmt::format("expected a vehicle id (-1, or 0 and up), found {}", quoted(id.text)));
  } else {
    s.vehicle = static_cast<std::int32_t>(id.value);
    if (id.dotted)
      lossy(code::kVehicleFloat, place(line, id.text),
            fmt::format("vehicle id {} has a point: the vehicle {}", quoted(id.text),
                        path ? "takes the rest of it for a gamma and drops the line" : "reads the number before it"),
            path, false);
  }
  walk = after;
  const std::string_view following = walk.rest();
  if (following.empty()) return !id.dotted;
  Field gamma;
  if (after.next(gamma) && gamma.trouble == Trouble::none) {
    s.gamma = gamma.value;
    walk = after;
    s.user_data = walk.rest();
    if (path)
      lossy(code::kGamma, place(line, gamma.text),
            fmt::format("gamma {} after the vehicle id: the vehicle drops the line silently", quoted(gamma.text)), true, false);
    return false;
  }
  s.user_data = following;
  return false;
}

void MissionScanner::offsets(std::string_view raw, std::string_view list, bool is_bias) {
  const std::string_view name = is_bias ? "BIAS" : "FORMATION";
  const Position at{line_, 1};
  if (index_ > 0 && !late_reported_) {
    diagnostics_.report(code::kFormationLate, at, fmt::format("{} follows sections: write it before them", name));
    late_reported_ = true;
  }
  if (is_bias && options_.audience == Reader::console)
    lossy(code::kDepthConsole, at, "the console does not know BIAS", false, true);
  std::vector<Offset> found;
  std::vector<Field> values;
  Fields walk(list);
  Field field;
  bool clean = true;
  while (walk.next(field)) {
    if (field.trouble != Trouble::none) {
      bad_number(field, Fields({raw.data(), raw.size()}), name);
      clean = false;
    }
    values.push_back(field);
  }
  if (!clean) return;
  if (values.empty() || values.size() % 3 != 0)
    return error(code::kFormationCount, at,
                 fmt::format("{} has {} values, expected id, x, y for each vehicle", name, values.size()));
  const std::string_view inside = trimmed(list);
  if (inside.find("  ") != std::string_view::npos || list.starts_with("  ") ||
      (raw.ends_with('\r') && !list.empty() && list.back() == ' '))
    lossy(code::kFormationBlank, at,
          raw.ends_with('\r') && list.back() == ' '
              ? fmt::format("a blank before CR ends {}: the vehicle reads past its end", name)
              : fmt::format("two blanks in {}: the vehicle's list ends there", name),
          true, true);
  for (std::size_t i = 0; i < values.size(); i += 3) {
    const double id = values[i].value;
    if (!(id == std::floor(id) && id >= 0 && id <= 2147483647)) {
      error(code::kVehicle, place(raw, values[i].text),
            fmt::format("expected a vehicle id from 0 up, found {}", quoted(values[i].text)));
      continue;
    }
    const Offset offset{static_cast<std::int32_t>(id), values[i + 1].value, values[i + 2].value};
    if (!ids_[is_bias ? 1 : 0].insert(offset.vehicle).second)
      error(code::kFormationDuplicate, place(raw, values[i].text),
            fmt::format("duplicate vehicle {} in {}", offset.vehicle, name));
    else
      found.push_back(offset);
  }
  seen_formation_ = true;
  if (!found.empty()) sink_.formation(found, at, is_bias);
}

}  // namespace simbatch::medusa::detail
