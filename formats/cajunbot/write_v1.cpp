#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <stdexcept>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/cajunbot/v1_extras.hpp"
#include "formats/cajunbot/v1_scan.hpp"

namespace simbatch::cajunbot {
namespace {

constexpr std::size_t kV1PartSize = 1 << 16;

class V1Writer {
 public:
  V1Writer(const WriteV1Options& options, const Sink& sink) : options_(options), sink_(sink) { out_.reserve(2 * kV1PartSize); }
  void file(const ObjectFile& file);

 private:
  template <class... T>
  void line(std::string_view comment, T... values) {
    bool first = true;
    const auto put = [&](auto value) {
      if (!first) out_ += ' ';
      first = false;
      if constexpr (std::is_same_v<decltype(value), double>) {
        append_number(out_, value);
      } else {
        char buffer[16];
        out_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
      }
    };
    (put(values), ...);
    out_ += " // ";
    out_ += comment;
    out_ += '\n';
  }
  void extra(std::string_view key, std::string_view value) {
    out_ += "//!";
    out_ += key;
    out_ += ' ';
    out_ += value;
    out_ += '\n';
  }
  void waypoint(const Waypoint& w, std::string_view comment) { line(comment, w.segment, w.lane, w.point); }
  void object(const Object& o, std::int32_t id);
  void extras(const Object& o);
  void legs(const Object& o);
  void name(const std::optional<std::string>& name);

  const WriteV1Options& options_;
  const Sink& sink_;
  std::string out_;
};

void V1Writer::name(const std::optional<std::string>& name) {
  if (!name) return;
  if (options_.extras)
    extra("name", detail::escaped(*name));
  else
    // A comment must not look like one of ours, and stays on its line.
    out_ += "// name: " + detail::escaped(*name) + "\n";
}

void V1Writer::extras(const Object& o) {
  name(o.name);
  if (!options_.extras) return;
  if (o.initial_pause != 0) extra("initial_pause", number_text(o.initial_pause));
  for (std::size_t i = 0; i < o.sensors.size(); ++i)
    if (!o.sensors[i].description.empty())
      extra("description", number_text(i) + " " + detail::escaped(o.sensors[i].description));
  if (o.type == Type::mesh) {
    if (o.vertices->full != is_absolute_path(o.vertices->name)) extra("vertices", o.vertices->full ? "full" : "base");
    if (o.indices->full != is_absolute_path(o.indices->name)) extra("indices", o.indices->full ? "full" : "base");
  }
  if (o.controller != Controller::waypoint) return;
  for (std::size_t i = 0; i < o.goals.size(); ++i) {
    const Goal& g = o.goals[i];
    if (g.open)
      extra("goal", number_text(i) + " " + number_text(g.speed) + " " + number_text(g.pause) + " " + number_text(g.to.segment) +
                        " " + number_text(g.to.lane));
  }
}

void V1Writer::legs(const Object& o) {
  if (o.controller == Controller::script) {
    line("number of script legs to follow", o.script.size());
    for (const ScriptLeg& leg : o.script) {
      line("speed (m/s)", leg.speed);
      line("pause (s)", leg.pause);
      line("distance (m)", leg.distance);
      line("angle (degrees, global)", leg.angle_deg);
    }
  } else if (o.controller == Controller::waypoint) {
    std::size_t count = 0;
    for (const Goal& goal : o.goals) count += goal.open ? 0 : 1;
    line("number of waypoints to follow", count);
    for (const Goal& goal : o.goals) {
      if (goal.open) continue;
      line("speed (m/s)", goal.speed);
      line("pause (s)", goal.pause);
      waypoint(goal.to, "waypoint");
    }
  }
}

void V1Writer::object(const Object& o, std::int32_t id) {
  out_ += '\n';
  if (o.type == Type::mesh) {
    line("object type: mesh", o.mesh_type);
    extras(o);
    out_ += o.vertices->name + " // vertices file\n" + o.indices->name + " // indices file\n";
    waypoint(o.start, "waypoint");
    return;
  }
  constexpr std::string_view kTypes[] = {"object type: dyn_sim", "object type: dyn_no_sim", "object type: static"};
  constexpr std::string_view kControllers[] = {"controller: sensor", "controller: manual", "controller: script",
                                               "controller: waypoint"};
  constexpr std::string_view kShapes[] = {"shape: box", "shape: sphere", "shape: cylinder", "shape: wheel", "shape: mesh"};
  line(kTypes[static_cast<int>(o.type)], static_cast<int>(o.type));
  extras(o);
  if (o.type != Type::fixed) {
    line(kControllers[static_cast<int>(o.controller)], static_cast<int>(o.controller));
    legs(o);
  }
  line("object id", o.id.value_or(id));
  line(kShapes[static_cast<int>(o.shape)], static_cast<int>(o.shape));
  waypoint(o.start, "start waypoint");
  line("position x", o.position.x);
  line("position y", o.position.y);
  line("position z", o.position.z);
  line("size x", o.size.x);
  line("size y", o.size.y);
  line("size z", o.size.z);
  line("orientation x", o.orientation_deg.x);
  line("orientation y", o.orientation_deg.y);
  line("orientation z", o.orientation_deg.z);
  if (o.type != Type::autonomous) return;
  line(o.wheel_type == 0 ? "wheel type: skid" : "wheel type: conventional", o.wheel_type);
  line("wheel radius", o.wheel_radius);
  line("wheel width", o.wheel_width);
  line("throttle rate", o.throttle_rate);
  line("lever rate", o.lever_rate);
  line("number of sensors", o.sensors.size());
  for (const Sensor& sensor : o.sensors) {
    line("sensor type", sensor.type);
    out_ += sensor.conf + " // sensor conf file\n";
  }
}

void V1Writer::file(const ObjectFile& file) {
  line("number of objects", file.objects.size());
  name(file.name);
  std::int32_t id = 0;
  for (const Object& o : file.objects) {
    object(o, ++id);
    if (out_.size() >= kV1PartSize) {
      sink_(out_);
      out_.clear();
    }
  }
  sink_(out_);
}

bool readable_name(const std::string& name) {
  return detail::Scanner(name, 0, name.size()).line() == name && name.find('\n') == std::string::npos && !name.empty();
}

bool looks_like_number(const std::string& name) {
  double ignored = 0;
  return detail::quick_double(detail::Scanner(name, 0, name.size()).token(), ignored);
}

bool all_finite(std::initializer_list<double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

bool has_finite_numbers(const Object& o) {
  const auto is_finite = [](const Vector& v) { return all_finite({v.x, v.y, v.z}); };
  return is_finite(o.position) && is_finite(o.size) && is_finite(o.orientation_deg) &&
         all_finite({o.wheel_radius, o.wheel_width, o.throttle_rate, o.lever_rate, o.initial_pause}) &&
         std::all_of(o.goals.begin(), o.goals.end(),
                     [](const Goal& goal) {
                       return all_finite({goal.speed, goal.pause});
                     }) &&
         std::all_of(o.script.begin(), o.script.end(), [](const ScriptLeg& leg) {
           return all_finite({leg.speed, leg.pause, leg.distance, leg.angle_deg});
         });
}

}  // namespace

std::string v1_fault(const Object& o) {
  if (o.type == Type::mesh) {
    for (const MeshFile* file : {&*o.vertices, &*o.indices}) {
      if (!readable_name(file->name)) return "file name " + quoted(file->name) + " would not read back";
      if (o.mesh_type != 3 && looks_like_number(file->name))
        return "file name " + quoted(file->name) + " looks like a number, which only mesh type 3 allows";
    }
    return {};
  }
  if (!has_finite_numbers(o)) return "a number is not finite";
  for (const Sensor& sensor : o.sensors)
    if (!readable_name(sensor.conf)) return "sensor file name " + quoted(sensor.conf) + " would not read back";
  return {};
}

void write_v1(const ObjectFile& file, const WriteV1Options& options, const Sink& sink) {
  for (const Object& object : file.objects)
    if (const std::string fault = v1_fault(object); !fault.empty()) throw std::invalid_argument("write_v1: " + fault);
  V1Writer(options, sink).file(file);
}

std::string write_v1(const ObjectFile& file, const WriteV1Options& options) {
  std::string out;
  write_v1(file, options, [&](std::string_view part) { out += part; });
  return out;
}

}  // namespace simbatch::cajunbot
