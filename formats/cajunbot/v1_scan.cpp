#include "formats/cajunbot/v1_scan.hpp"

#include <algorithm>
#include <cstring>

#include "base/core/number.hpp"
#include "base/core/text.hpp"

namespace simbatch::cajunbot::detail {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_no_break_space(const char* c, std::size_t left) { return *c == '\xC2' && left > 1 && c[1] == '\xA0'; }

constexpr std::int32_t kMaxInt = 2'147'483'647;

/// "4" or "0.20" or "onboard/x.conf": is the first word of this line a number?
bool starts_with_number(std::string_view line) {
  std::size_t n = 0;
  while (n < line.size() && !is_blank(line[n]) && !line.substr(n).starts_with("//")) ++n;
  double ignored = 0;
  return quick_double(line.substr(0, n), ignored);
}

}  // namespace

bool quick_double(std::string_view token, double& out) {
  // Up to 15 digits and a power of ten up to 10^15 are exact doubles, so one division rounds correctly (Clinger 1990).
  constexpr double kTen[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  if (token.empty()) return false;
  if (token.size() <= 16) {
    std::uint64_t digits = 0;
    std::size_t count = 0, decimals = 0;
    bool point = false, plain = true;
    const bool negative = token[0] == '-';
    for (const char c : token.substr(negative ? 1 : 0)) {
      if (c >= '0' && c <= '9') {
        digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
        ++count;
        if (point) ++decimals;
      } else if (c == '.' && !point) {
        point = true;
      } else {
        plain = false;
        break;
      }
    }
    if (plain && count > 0 && count <= 15) {
      const double value = static_cast<double>(digits) / kTen[decimals];
      out = negative ? -value : value;
      return true;
    }
  }
  const auto value = parse_double(token);
  out = value.value;
  return static_cast<bool>(value);
}

bool Scanner::at_line_end() const {
  std::size_t i = at_;
  while (i < end_ && data_[i] != '\n' && (is_blank(data_[i]) || is_no_break_space(data_ + i, end_ - i)))
    i += is_blank(data_[i]) ? 1 : 2;
  return i >= end_ || data_[i] == '\n' || (data_[i] == '/' && i + 1 < end_ && data_[i + 1] == '/');
}

bool Scanner::skip() {
  while (at_ < end_) {
    const char c = data_[at_];
    if (is_blank(c)) {
      ++at_;
    } else if (is_no_break_space(data_ + at_, end_ - at_)) {
      at_ += 2;
    } else if (c == '/' && at_ + 1 < end_ && data_[at_ + 1] == '/') {
      const void* line_end = std::memchr(data_ + at_, '\n', end_ - at_);
      at_ = line_end == nullptr ? end_ : static_cast<std::size_t>(static_cast<const char*>(line_end) - data_);
    } else {
      return true;
    }
  }
  return false;
}

std::string_view Scanner::token() {
  if (!skip()) return {};
  const std::size_t start = at_;
  while (at_ < end_ && !is_blank(data_[at_]) && !is_no_break_space(data_ + at_, end_ - at_) &&
         !(data_[at_] == '/' && at_ + 1 < end_ && data_[at_ + 1] == '/'))
    ++at_;
  return {data_ + start, at_ - start};
}

std::string_view Scanner::line() {
  if (!skip()) return {};
  const std::size_t start = at_, looked = std::min(end_ - at_, kMaxName + 1);
  const void* line_end = std::memchr(data_ + at_, '\n', looked);
  if (line_end == nullptr && looked > kMaxName) return {};
  at_ = line_end == nullptr ? end_ : static_cast<std::size_t>(static_cast<const char*>(line_end) - data_);
  std::string_view text(data_ + start, at_ - start);
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '/' && text[i + 1] == '/' && is_blank(text[i - 1])) {
      text = text.substr(0, i);
      break;
    }
  }
  text = trimmed(text);
  while (text.ends_with("\xC2\xA0")) text = trimmed(text.substr(0, text.size() - 2));
  return text;
}

std::int32_t peek_type(std::string_view text, std::size_t offset, std::size_t end, bool strict) {
  Scanner s(text, offset, end);
  const auto type = parse_integer<std::int32_t>(s.token());
  if (!type || type.value < 0) return -1;
  if (type.value <= 3) return type.value;
  if (strict) return -1;
  // The number of MESH is not given in any document: another one is a mesh if two file names follow. Its line may be the whole
  // file: it is read only if it does not begin with a number.
  if (!s.skip() || starts_with_number(text.substr(s.offset(), end - s.offset()))) return -1;
  const std::string_view first = s.line(), second = s.line();
  return first.empty() || second.empty() || starts_with_number(first) || starts_with_number(second) ? -1 : type.value;
}

bool ObjectParser::fail(std::size_t offset, std::string_view field, std::string_view expected, bool at_end, bool may_pass) {
  const Fault fault{offset, field, expected, at_end};
  if (may_pass && tolerant_ && !at_end && passed_.size() < kMaxPassed) {
    passed_.push_back(fault);
    return true;
  }
  if (furthest_.field.empty() || offset > furthest_.offset) furthest_ = fault;
  return false;
}

bool ObjectParser::integer(Scanner& s, std::string_view field, std::string_view expected, std::int32_t min, std::int32_t max,
                           std::int32_t& out, bool structural) {
  const std::string_view token = s.token();
  const std::size_t offset = token.empty() ? s.offset() : static_cast<std::size_t>(token.data() - text_.data());
  const auto value = parse_integer<std::int32_t>(token);
  if (!value || value.value < min || value.value > max) return fail(offset, field, expected, token.empty(), !structural);
  out = value.value;
  return alone(s, token.data(), field);
}

bool ObjectParser::number(Scanner& s, std::string_view field, bool not_negative, double& out) {
  const std::string_view token = s.token();
  const std::size_t offset = token.empty() ? s.offset() : static_cast<std::size_t>(token.data() - text_.data());
  double value = 0;
  if (!quick_double(token, value) || (not_negative && value < 0))
    return fail(offset, field, not_negative ? "a number >= 0" : "a number", token.empty(), true);
  out = value;
  return alone(s, token.data(), field);
}

/// A value is alone if only blanks precede it and only a comment follows on its line.
bool ObjectParser::alone(Scanner& s, const char* token, std::string_view field) {
  if (!by_lines_) return true;
  const char* first = token;
  while (first > text_.data() && first[-1] != '\n' && (first[-1] == ' ' || first[-1] == '\t')) --first;
  const bool starts = first == text_.data() || first[-1] == '\n' || static_cast<unsigned char>(first[-1]) >= 0x80;
  return (starts && s.at_line_end()) ||
         fail(static_cast<std::size_t>(token - text_.data()), field, "a line of its own", false, false);
}

bool ObjectParser::waypoint(Scanner& s, Waypoint& out) {
  constexpr std::string_view kExpected = "a whole number >= 0";
  const bool by_lines = by_lines_;
  by_lines_ = false;
  s.skip();
  const char* start = text_.data() + s.offset();
  const bool read = integer(s, "waypoint segment", kExpected, 0, kMaxInt, out.segment) &&
                    integer(s, "waypoint lane", kExpected, 0, kMaxInt, out.lane) &&
                    integer(s, "waypoint number", kExpected, 0, kMaxInt, out.point);
  by_lines_ = by_lines;
  if (!read) return false;
  const auto length = static_cast<std::size_t>(text_.data() + s.offset() - start);
  if (by_lines_ && std::memchr(start, '\n', length) != nullptr)
    return fail(static_cast<std::size_t>(start - text_.data()), "waypoint", "three numbers on one line", false, false);
  return alone(s, start, "waypoint");
}

bool ObjectParser::name(Scanner& s, std::string_view field, std::string& out) {
  const std::string_view text = s.line();
  if (text.empty() && s.skip()) return fail(s.offset(), field, "a file name of at most 4096 bytes", false, false);
  if (text.empty()) return fail(s.offset(), field, "a file name", true, false);
  out = text;
  return true;
}

/// "0 0 0 0 ", the shortest leg of a script.
constexpr std::size_t kMinLegBytes = 8;

bool ObjectParser::legs(Scanner& s, Object& object) {
  std::int32_t count = 0;
  if (!integer(s, "number of legs", "a whole number >= 0", 0, kMaxInt, count, true)) return false;
  // Room for what the text can hold, whatever the count says.
  const std::size_t room = std::min(static_cast<std::size_t>(count), (text_.size() - s.offset()) / kMinLegBytes);
  if (object.controller == Controller::script)
    object.script.reserve(room);
  else
    object.goals.reserve(room);
  for (std::int32_t i = 0; i < count; ++i) {
    if (object.controller == Controller::script) {
      ScriptLeg leg;
      if (!number(s, "leg speed", false, leg.speed) || !number(s, "leg pause", true, leg.pause) ||
          !number(s, "leg distance", false, leg.distance) || !number(s, "leg angle", false, leg.angle_deg))
        return false;
      object.script.push_back(leg);
    } else {
      Goal goal;
      if (!number(s, "leg speed", false, goal.speed) || !number(s, "leg pause", true, goal.pause) || !waypoint(s, goal.to))
        return false;
      object.goals.push_back(goal);
    }
  }
  return true;
}

bool ObjectParser::mesh(Scanner& s, Object& object) {
  if (!name(s, "vertices file", object.vertices->name) || !name(s, "indices file", object.indices->name) ||
      !waypoint(s, object.start))
    return false;
  object.vertices->full = is_absolute_path(object.vertices->name);
  object.indices->full = is_absolute_path(object.indices->name);
  return true;
}

bool ObjectParser::parse(std::size_t& offset, std::size_t end, Layout layout, Object& object) {
  Scanner s(text_, offset, end);
  const std::int32_t type = peek_type(text_, offset, end, strict_);
  const std::string_view type_token = s.token();
  if (type < 0) {
    const std::size_t at = type_token.empty() ? s.offset() : static_cast<std::size_t>(type_token.data() - text_.data());
    return fail(at, "object type", "0, 1, 2, or 3 and two mesh files", type_token.empty(), false);
  }
  if (type >= 3) {
    object.type = Type::mesh;
    object.mesh_type = type;
    if (!mesh(s, object)) return false;
    offset = s.offset();
    return true;
  }
  object.type = static_cast<Type>(type);
  if (object.type != Type::fixed) {
    auto controller = static_cast<std::int32_t>(Controller::waypoint);
    if (layout == Layout::explicit_controller && !integer(s, "controller", "0, 1, 2 or 3", 0, 3, controller, true))
      return false;
    object.controller = static_cast<Controller>(controller);
    if (object.controller >= Controller::script && !legs(s, object)) return false;
  }
  std::int32_t id = 0, shape = 0;
  if (!integer(s, "object id", "a whole number", -kMaxInt - 1, kMaxInt, id) ||
      !integer(s, "shape", "0, 1, 2, 3 or 4", 0, 4, shape) || !waypoint(s, object.start))
    return false;
  object.id = id;
  object.shape = static_cast<Shape>(shape);
  if (!number(s, "position x", false, object.position.x) || !number(s, "position y", false, object.position.y) ||
      !number(s, "position z", false, object.position.z) || !number(s, "size x", true, object.size.x) ||
      !number(s, "size y", true, object.size.y) || !number(s, "size z", true, object.size.z) ||
      !number(s, "orientation x", false, object.orientation_deg.x) ||
      !number(s, "orientation y", false, object.orientation_deg.y) ||
      !number(s, "orientation z", false, object.orientation_deg.z))
    return false;
  if (object.type == Type::autonomous) {
    std::int32_t sensors = 0;
    if (!integer(s, "wheel type", "0 or 1", 0, 1, object.wheel_type) || !number(s, "wheel radius", true, object.wheel_radius) ||
        !number(s, "wheel width", true, object.wheel_width) || !number(s, "throttle rate", false, object.throttle_rate) ||
        !number(s, "lever rate", false, object.lever_rate) ||
        !integer(s, "number of sensors", "a whole number >= 0", 0, kMaxInt, sensors, true))
      return false;
    for (std::int32_t i = 0; i < sensors; ++i) {
      Sensor sensor;
      if (!integer(s, "sensor type", "a whole number", -kMaxInt - 1, kMaxInt, sensor.type) ||
          !name(s, "sensor conf file", sensor.conf))
        return false;
      object.sensors.push_back(std::move(sensor));
    }
  }
  offset = s.offset();
  return true;
}

}  // namespace simbatch::cajunbot::detail
