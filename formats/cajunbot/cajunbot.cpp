#include "formats/cajunbot/cajunbot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/core/text.hpp"
#include "base/xml/xml.hpp"
#include "formats/cajunbot/codes.hpp"

namespace simbatch::cajunbot {

std::string_view to_text(Type type) {
  constexpr std::string_view kWords[] = {"autonomous", "dynamic", "static", "mesh"};
  return kWords[static_cast<int>(type)];
}
std::string_view to_text(Shape shape) {
  constexpr std::string_view kWords[] = {"box", "sphere", "cylinder", "wheel", "mesh"};
  return kWords[static_cast<int>(shape)];
}
std::string_view to_text(Controller controller) {
  constexpr std::string_view kWords[] = {"sensor", "manual", "script", "waypoint"};
  return kWords[static_cast<int>(controller)];
}
std::string to_text(const Waypoint& w) { return fmt::format("{}.{}.{}", w.segment, w.lane, w.point); }

Controller implied_controller(Type type) { return type == Type::dynamic ? Controller::waypoint : Controller::sensor; }

bool is_absolute_path(std::string_view name) {
  if (name.starts_with('/') || name.starts_with('\\')) return true;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return name.size() > 2 && letter(name[0]) && name[1] == ':' && (name[2] == '/' || name[2] == '\\');
}

Version guess_version(std::string_view text) {
  return trimmed(without_byte_order_mark(text).substr(0, 4096)).starts_with('<') ? Version::v2 : Version::v1;
}

std::optional<Version> detect_version(std::string_view text) {
  text = without_byte_order_mark(text);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::string_view data = trimmed(line.substr(0, line.find("//")));
    if (data.starts_with('<')) return xml::root_name(text) == "object_file" ? std::optional(Version::v2) : std::nullopt;
    if (!data.empty()) return is_digits(data) ? std::optional(Version::v1) : std::nullopt;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

namespace {

class Checker {
 public:
  Checker(Version version, Diagnostics& diagnostics) : version_(version), diagnostics_(diagnostics) {}

  void object(const Object& o, std::size_t number) {
    if (is_plain(o)) return;  // no text is created for typical objects
    at_ = o.place.at;
    const std::string who = fmt::format("object {}", number);
    if (o.type == Type::mesh) {
      waypoint(o.start, who, "place");
      return;
    }
    waypoint(o.start, who, "start");
    if (o.shape == Shape::mesh)
      report(code::kShapeMesh, "{} has shape mesh (4), for which no field names the files", who);
    else if (version_ == Version::v2 && o.shape != Shape::box)
      report(code::kShape, "{} is a {}; the text of version 2 allows only boxes", who, to_text(o.shape));
    if (std::min({o.size.x, o.size.y, o.size.z}) < kLeastSize)
      report(code::kSizeZero, "{} has size {} x {} x {} m", who, o.size.x, o.size.y, o.size.z);
    if (o.type == Type::dynamic && o.controller <= Controller::manual)
      report(code::kControllerIdle, "{} is dynamic with controller {} and never moves", who, to_text(o.controller));
    if (o.type == Type::autonomous && o.controller >= Controller::script)
      report(code::kControllerVehicle, "{} is a simulated vehicle with controller {}", who, to_text(o.controller));
    if (has_odd_wheels(o))
      report(code::kWheel, "{} is a vehicle of {} x {} x {} m on wheels of radius {} m{}", who, o.size.x, o.size.y, o.size.z,
             o.wheel_radius, o.wheel_radius > 0 ? "" : ": it has no drive");
    if (o.type == Type::autonomous && (o.throttle_rate <= 0 || o.lever_rate <= 0))
      report(code::kRate, "{} has throttle rate {} and lever rate {}; rates must be positive for it to move", who,
             o.throttle_rate, o.lever_rate);
    for (std::size_t i = 0; i < o.goals.size(); ++i) {
      at_ = o.goals[i].at(o.place);
      speed(o.goals[i].speed, who, i);
      if (!o.goals[i].open) waypoint(o.goals[i].to, who, fmt::format("goal {}", i + 1));
    }
    at_ = o.place.at;
    for (std::size_t i = 0; i < o.script.size(); ++i) speed(o.script[i].speed, who, i);
  }

  template <class... T>
  void report(const Code& code, fmt::format_string<T...> format, T&&... arguments) {
    diagnostics_.report(code, at_, fmt::format(format, std::forward<T>(arguments)...));
  }

 private:
  static constexpr double kLeastSize = 1e-3;  // m
  /// No wheels, or such that are longer than their vehicle.
  static bool has_odd_wheels(const Object& o) {
    return o.type == Type::autonomous && (o.wheel_radius == 0 || 2 * o.wheel_radius > o.size.y);
  }
  /// True only if object() would find nothing.
  static bool is_plain(const Object& o) {
    const auto names_place = [](const Waypoint& w) { return w.segment > 0 && w.point > 0; };
    if (o.type == Type::mesh || o.shape != Shape::box || !names_place(o.start) || !o.script.empty() ||
        std::min({o.size.x, o.size.y, o.size.z}) < kLeastSize || has_odd_wheels(o))
      return false;
    if (o.type != Type::fixed && o.controller != implied_controller(o.type)) return false;
    if (o.type == Type::autonomous && (o.throttle_rate <= 0 || o.lever_rate <= 0)) return false;
    for (const Goal& goal : o.goals)
      if (goal.speed <= 0 || (!goal.open && !names_place(goal.to))) return false;
    return true;
  }
  void waypoint(const Waypoint& w, const std::string& who, std::string_view what) {
    // Lane 0 is a zone's perimeter; segment and point 0 do not exist.
    if (!w.is_disabled() && (w.segment == 0 || w.point == 0))
      report(code::kWaypointPartial, "{} of {} is waypoint {}; only 0 0 0 means none", what, who, to_text(w));
    else if (version_ == Version::v2 && w.is_disabled() && what != "place")
      report(code::kWaypointPartial, "{} of {} is waypoint 0.0.0, which only version 1 defines", what, who);
  }
  void speed(double value, const std::string& who, std::size_t leg) {
    if (value <= 0) report(code::kSpeed, "leg {} of {} has speed {} m/s", leg + 1, who, value);
  }

  Version version_;
  Diagnostics& diagnostics_;
  Position at_;
};

}  // namespace

void check(const ObjectFile& file, Version version, Diagnostics& diagnostics) {
  Checker checker(version, diagnostics);
  bool autonomous = false;
  for (std::size_t i = 0; i < file.objects.size(); ++i) {
    checker.object(file.objects[i], i + 1);
    autonomous = autonomous || file.objects[i].type == Type::autonomous;
  }
  if (file.objects.empty())
    diagnostics.report(code::kNoObjects, {}, "the file holds no object");
  else if (!autonomous)
    diagnostics.report(code::kNoAutonomous, {}, "there is no autonomous object; the simulator needs one");
  // Duplicate ids by sorting indices: (id, index).
  std::vector<std::pair<std::int32_t, std::size_t>> ids;
  for (std::size_t i = 0; i < file.objects.size(); ++i)
    if (file.objects[i].id) ids.emplace_back(*file.objects[i].id, i);
  std::sort(ids.begin(), ids.end());
  for (std::size_t i = 1; i < ids.size(); ++i) {
    if (ids[i].first != ids[i - 1].first) continue;
    diagnostics.report(code::kIdDuplicate, file.objects[ids[i].second].place.at,
                       fmt::format("object {} has id {} of object {}", ids[i].second + 1, ids[i].first, ids[i - 1].second + 1));
  }
}

}  // namespace simbatch::cajunbot
