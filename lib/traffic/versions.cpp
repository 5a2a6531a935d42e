#include "lib/traffic/versions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/core/text.hpp"
#include "base/xml/xml.hpp"
#include "lib/traffic/codes.hpp"
#include "lib/traffic/traffic.hpp"

namespace simbatch::traffic {

using namespace cajunbot;

namespace {

std::string replaced(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F ? '?' : c;
  return out;
}

class Losses {
 public:
  Losses(const VersionOptions& options, Diagnostics& diagnostics) : options_(options), diagnostics_(diagnostics) {}
  void at(const Object& object, std::size_t number) {
    object_ = &object;
    number_ = number;
  }
  /// A loss unless preserved by extras.
  template <class... T>
  void unless_kept(const Code& code, fmt::format_string<T...> format, T&&... arguments) {
    if (!options_.keep_extras) report(code, fmt::format(format, std::forward<T>(arguments)...));
  }
  /// A loss for plain readers of the target even if preserved by extras.
  template <class... T>
  void always(const Code& code, fmt::format_string<T...> format, T&&... arguments) {
    report(code, fmt::format(format, std::forward<T>(arguments)...) + (options_.keep_extras ? " (kept as an extra)" : ""));
  }
  void report(const Code& code, const std::string& message) {
    const bool soften =
        code.severity == Severity::error && (options_.lossy || (options_.keep_extras && &code != &code::kLossText));
    diagnostics_.report_as(soften ? Severity::warning : code.severity, code, object_->place.at,
                           fmt::format("object {}: {}", number_, message));
  }

 private:
  const VersionOptions& options_;
  Diagnostics& diagnostics_;
  const Object* object_ = nullptr;
  std::size_t number_ = 0;
};

void text_to_xml(std::string& text, std::string_view what, Losses& losses) {
  if (xml::find_forbidden(text) == std::string::npos) return;
  losses.report(code::kLossText, fmt::format("{} {} cannot be represented in XML", what, quoted(text)));
  text = replaced(text);
}

void mesh_to_v2(Object& o, bool keep, Losses& losses) {
  if (o.mesh_type != 3) losses.unless_kept(code::kLossMeshType, "type number {} becomes \"mesh\"", o.mesh_type);
  if (!o.start.is_disabled()) losses.unless_kept(code::kLossMeshPlace, "the mesh's waypoint {} is dropped", to_text(o.start));
  text_to_xml(o.vertices->name, "vertices file", losses);
  text_to_xml(o.indices->name, "indices file", losses);
  if (keep) return;
  o.mesh_type = 3;
  o.start = {};
}

void object_to_v2(Object& o, bool keep, std::size_t number, Losses& losses) {
  if (o.id && static_cast<std::size_t>(*o.id) != number) losses.unless_kept(code::kLossId, "id {} is dropped", *o.id);
  if (o.shape == Shape::mesh) losses.always(code::kLossShape, "shape mesh (4) becomes a box");
  if (o.start.is_disabled())
    losses.report(code::kLossOrigin, "start waypoint 0 0 0 is written, but version 2 does not define it");
  if (o.type == Type::autonomous || o.type == Type::dynamic) {
    const std::size_t legs = o.type == Type::autonomous ? o.goals.size() + o.script.size() : o.script.size();
    if (legs > 0)
      losses.always(code::kLossLegs, "{} {} legs {} cannot be written", legs,
                    o.controller == Controller::script ? "script" : "waypoint",
                    o.type == Type::autonomous ? "of a simulated vehicle" : "(distance and angle)");
    else if (o.controller != implied_controller(o.type))
      losses.always(code::kLossController, "controller {} becomes {}", to_text(o.controller),
                    o.type == Type::autonomous ? "that of an autonomous object" : "a dynamic object without goals");
  }
  for (std::size_t i = 0; i < o.sensors.size(); ++i) {
    if (o.sensors[i].type != 0)
      losses.unless_kept(code::kLossSensorType, "type {} of sensor {} is dropped", o.sensors[i].type, i + 1);
    text_to_xml(o.sensors[i].conf, "sensor file", losses);
  }
  if (keep) return;
  o.id.reset();
  if (o.shape == Shape::mesh) o.shape = Shape::box;
  o.controller = implied_controller(o.type);
  o.script.clear();
  if (o.type == Type::autonomous) o.goals.clear();
  for (Sensor& sensor : o.sensors) sensor.type = 0;
}

void mesh_to_v1(Object& o, bool keep, Losses& losses) {
  for (const auto& [file, what] : {std::pair{&*o.vertices, "vertices"}, std::pair{&*o.indices, "indices"}}) {
    const bool implied = is_absolute_path(file->name);
    if (file->full == implied) continue;
    losses.unless_kept(code::kLossMeshPath, "path=\"{}\" of {} is dropped", file->full ? "full" : "base", what);
    if (!keep) file->full = implied;
  }
}

void object_to_v1(Object& o, std::size_t number, const VersionOptions& options, Losses& losses, Diagnostics& diagnostics) {
  const bool keep = options.keep_extras;
  const bool open = std::any_of(o.goals.begin(), o.goals.end(), [](const Goal& g) { return g.open; });
  if (open && options.network != nullptr) {
    expand_goals(o, number, *options.network, diagnostics);
  } else if (open) {
    for (std::size_t i = 0; i < o.goals.size(); ++i)
      if (o.goals[i].open)
        losses.always(code::kLossOpenGoal, "goal {} along lane {}.{} has no waypoint; an RNDF is needed", i + 1,
                      o.goals[i].to.segment, o.goals[i].to.lane);
    if (!keep) std::erase_if(o.goals, [](const Goal& g) { return g.open; });
  }
  if (o.initial_pause > 0) {
    // Arriving at once at its own position and pausing there is the same motion, as far as possible without an id.
    const bool leg = options.lossy && !keep && !o.goals.empty() && !o.start.is_disabled();
    losses.unless_kept(code::kLossInitialPause, "initial pause of {} s {}", o.initial_pause,
                       leg ? "becomes a first leg to the start" : "is dropped");
    if (leg) o.goals.insert(o.goals.begin(), Goal{o.goals.front().speed, o.initial_pause, o.start, false});
    if (!keep) o.initial_pause = 0;
  }
  for (std::size_t i = 0; i < o.sensors.size(); ++i) {
    if (o.sensors[i].description.empty()) continue;
    losses.unless_kept(code::kLossDescription, "description {} of sensor {} is dropped", quoted(o.sensors[i].description, 30),
                       i + 1);
    if (!keep) o.sensors[i].description.clear();
  }
}

/// Drops or replaces file names not representable in version 1.
void names_to_v1(Object& o, Losses& losses) {
  const std::string fault = v1_fault(o);
  if (fault.empty()) return;
  losses.report(code::kLossText, fault);
  const auto safe = [](std::string name) {
    name = replaced(trimmed(name));
    for (std::size_t at = 0; (at = name.find("//", at)) != std::string::npos;) name.erase(at, 1);
    return name.empty() ? "?" : name;
  };
  for (Sensor& sensor : o.sensors) sensor.conf = safe(sensor.conf);
  o.vertices->name = safe(o.vertices->name);
  o.indices->name = safe(o.indices->name);
  o.mesh_type = 3;
}

void give_ids(ObjectFile& file) {
  std::vector<std::int32_t> taken;
  for (const Object& o : file.objects)
    if (o.id) taken.push_back(*o.id);
  std::sort(taken.begin(), taken.end());
  const auto is_taken = [&](std::int32_t id) { return std::binary_search(taken.begin(), taken.end(), id); };
  auto next = static_cast<std::int32_t>(file.objects.size());
  for (std::size_t i = 0; i < file.objects.size(); ++i) {
    Object& o = file.objects[i];
    if (o.type == Type::mesh || o.id) continue;
    auto id = static_cast<std::int32_t>(i + 1);
    while (is_taken(id)) id = ++next;
    o.id = id;
  }
}

}  // namespace

std::string default_name(const Object& object, std::size_t number) {
  if (object.type == Type::mesh) return "Mesh " + std::to_string(number);
  return "Object " + std::to_string(object.id ? *object.id : static_cast<std::int32_t>(number));
}

ObjectFile to_v2(ObjectFile file, const VersionOptions& options, Diagnostics& diagnostics) {
  Losses losses(options, diagnostics);
  if (!file.name && !options.file_name.empty()) {
    file.name = xml::find_forbidden(options.file_name) == std::string::npos ? options.file_name : replaced(options.file_name);
    file.name_implied = options.keep_extras;
  }
  for (std::size_t i = 0; i < file.objects.size(); ++i) {
    Object& o = file.objects[i];
    losses.at(o, i + 1);
    if (!o.name) o.name = default_name(o, i + 1);
    text_to_xml(*o.name, "name", losses);
    if (o.type == Type::mesh)
      mesh_to_v2(o, options.keep_extras, losses);
    else
      object_to_v2(o, options.keep_extras, i + 1, losses);
  }
  return file;
}

ObjectFile to_v1(ObjectFile file, const VersionOptions& options, Diagnostics& diagnostics) {
  if (options.network != nullptr && !check_expansion(file, *options.network, diagnostics)) return file;
  Losses losses(options, diagnostics);
  if (file.name_implied) {
    file.name.reset();
    file.name_implied = false;
  }
  if (file.name && !options.keep_extras)
    diagnostics.report(code::kLossFileName, {}, fmt::format("the file's name {} becomes a comment", quoted(*file.name, 40)));
  for (std::size_t i = 0; i < file.objects.size(); ++i) {
    Object& o = file.objects[i];
    losses.at(o, i + 1);
    if (o.name && *o.name == default_name(o, i + 1)) o.name.reset();
    if (o.name) losses.unless_kept(code::kLossName, "name {} becomes a comment", quoted(*o.name, 40));
    if (o.type == Type::mesh)
      mesh_to_v1(o, options.keep_extras, losses);
    else
      object_to_v1(o, i + 1, options, losses, diagnostics);
    names_to_v1(o, losses);
  }
  give_ids(file);
  return file;
}

bool is_loss(std::string_view code) { return code.find("-loss-") != std::string_view::npos; }

}  // namespace simbatch::traffic
