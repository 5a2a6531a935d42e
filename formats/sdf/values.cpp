#include "formats/sdf/values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/core/text.hpp"
#include "base/geo/euler.hpp"
#include "base/geo/geo.hpp"
#include "base/xml/number_list.hpp"
#include "formats/sdf/codes.hpp"

namespace simbatch::sdf::file {
namespace {

// Elements that do not affect a simulation.
constexpr std::string_view kLooks[] = {
    "audio", "cast_shadows", "gui",          "lens",  "light",       "material",         "meta",
    "scene", "visual",       "transparency", "state", "laser_retro", "visibility_flags", "projector"};

}  // namespace

void Values::report(const Code& code, const xml::Element& at, std::string message) {
  problems_.report(code, at.position(), std::move(message), at.path());
}

std::string Values::text(const xml::Element& parent, std::string_view name) const {
  const xml::Element element = parent.first_child(name);
  return element ? std::string(trimmed(element.text())) : std::string();
}

std::optional<std::vector<double>> Values::numbers(const xml::Element& element, std::size_t count) {
  if (!element) return std::nullopt;
  const std::string text = element.text();
  const xml::NumberList list = xml::read_number_list(text, count);
  if (list.bad.empty() && list.count == count) return list.values;
  const std::string wanted = count == 1 ? "a number" : fmt::format("{} numbers", count);
  report(code::kNumber, element,
         fmt::format("<{}> holds {}, expected {}{}", element.name(), quoted(trimmed(text)), wanted,
                     list.bad.empty() ? "" : fmt::format(": {} is not one", quoted(list.bad))));
  return std::nullopt;
}

std::optional<double> Values::number(const xml::Element& parent, std::string_view name, const xml::Range& range) {
  const xml::Element element = parent.first_child(name);
  const auto values = numbers(element, 1);
  if (!values) return std::nullopt;
  const double v = values->front();
  if (v < range.min || v > range.max || (range.min_excluded && v == range.min)) {
    report(code::kRange, element,
           fmt::format("<{}> is {}, expected a number {} {}", name, v, range.min_excluded ? ">" : ">=", range.min));
    return std::nullopt;
  }
  return v;
}

std::optional<geo::Vec3> Values::vector(const xml::Element& parent, std::string_view name) {
  const auto v = numbers(parent.first_child(name), 3);
  if (!v) return std::nullopt;
  return geo::Vec3{(*v)[0], (*v)[1], (*v)[2]};
}

bool Values::flag(const xml::Element& parent, std::string_view name, bool fallback) {
  const xml::Element element = parent.first_child(name);
  if (!element) return fallback;
  const std::string word = text(parent, name);
  for (const std::string_view yes : {"true", "1"})
    if (equal_ignoring_case(word, yes)) return true;
  for (const std::string_view no : {"false", "0"})
    if (equal_ignoring_case(word, no)) return false;
  report(code::kFlag, element, fmt::format("<{}> holds {}, expected true or false", name, quoted(word)));
  return fallback;
}

Placement Values::pose(const xml::Element& parent) {
  Placement to;
  const xml::Element element = parent.first_child("pose");
  to.place = element ? element.position() : parent.position();
  if (!element) return to;
  to.given = true;
  // `frame` is what SDF 1.5 and 1.6 had; never implemented, it is read as relative_to.
  if (const auto frame = element.attribute("relative_to")) to.relative_to = *frame;
  const auto format = element.attribute("rotation_format");
  const bool quaternion = format && *format == "quat_xyzw";
  if (format && !quaternion && *format != "euler_rpy")
    report(code::kNumber, element, fmt::format("rotation_format={}, expected euler_rpy or quat_xyzw", quoted(*format)));
  if (trimmed(element.text()).empty()) return to;
  const auto values = numbers(element, quaternion ? 7 : 6);
  if (!values) return to;
  const std::vector<double>& v = *values;
  to.pose.p = {v[0], v[1], v[2]};
  if (quaternion) {
    const geo::Quat q{v[6], v[3], v[4], v[5]};
    if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0)
      report(code::kNumber, element, "the quaternion of <pose> is 0 0 0 0, expected one of length 1");
    to.pose.q = geo::normalized(q);
    to.written.reset();
  } else {
    const auto degrees = element.attribute("degrees");
    const double unit = degrees && (*degrees == "true" || *degrees == "1") ? geo::radians(1) : 1;
    to.written = geo::EulerPose{{v[0], v[1], v[2]}, {unit * v[3], unit * v[4], unit * v[5]}};
    to.pose.q = geo::from_roll_pitch_yaw(to.written->rpy);
  }
  return to;
}

std::string Values::name(const xml::Element& element, std::map<std::string, Position>& taken) {
  std::string found(element.attribute("name").value_or(""));
  if (found.empty()) {
    report(code::kName, element, fmt::format("<{}> has no name", element.name()));
    return found;
  }
  if (found == "world" || (found.size() > 4 && found.starts_with("__") && found.ends_with("__")))
    report(code::kName, element, fmt::format("the name {} of <{}> is reserved", quoted(found), element.name()));
  const auto [first, fresh] = taken.try_emplace(found, element.position());
  if (!fresh) {
    report(code::kName, element, fmt::format("the name {} is used twice", quoted(found)));
    problems_.note(code::kName, first->second, "the first one is here");
  }
  return found;
}

void Values::ignore(const xml::Element& element, std::string detail) {
  Ignored& entry = ignored_[std::string(element.parent().name()) + "/" + std::string(element.name())];
  if (entry.count++ == 0) entry.first = element.position();
  if (!detail.empty() && entry.detail.size() < 200 && entry.detail.find(detail) == std::string::npos)
    entry.detail += (entry.detail.empty() ? "" : ", ") + std::move(detail);
}

void Values::ignore_others(const xml::Element& parent, std::initializer_list<std::string_view> known) {
  for (xml::Element child = parent.first_child(); child; child = child.next_sibling()) {
    if (std::find(known.begin(), known.end(), child.name()) != known.end()) continue;
    std::string detail;
    if (child.name() == "plugin") detail = std::string(child.attribute("name").value_or(""));
    if (child.name() == "sensor") detail = std::string(child.attribute("type").value_or(""));
    ignore(child, std::move(detail));
  }
}

void Values::report_ignored() {
  for (const auto& [key, entry] : ignored_) {
    const std::size_t slash = key.find('/');
    const std::string element = key.substr(slash + 1);
    const bool look = std::find(std::begin(kLooks), std::end(kLooks), element) != std::end(kLooks);
    problems_.report(look ? code::kLook : code::kIgnored, entry.first,
                     fmt::format("<{}> in <{}> is not read{}{}", element, key.substr(0, slash),
                                 entry.count == 1 ? "" : fmt::format(", {} of them", entry.count),
                                 entry.detail.empty() ? "" : fmt::format(": {}", printable(entry.detail))));
  }
}

}  // namespace simbatch::sdf::file
