/// Written directly rather than by xml::Writer: a file of a million objects is some 500 MB, and this is the inner loop of
/// bench/objconv.
#include <string>

#include "base/core/number.hpp"
#include "base/xml/xml.hpp"
#include "formats/cajunbot/cajunbot.hpp"

namespace simbatch::cajunbot {
namespace {

constexpr std::size_t kV2PartSize = 1 << 16;

class V2Writer {
 public:
  V2Writer(const WriteV2Options& options, const Sink& sink) : options_(options), sink_(sink) { out_.reserve(2 * kV2PartSize); }
  void file(const ObjectFile& file);

 private:
  void put(std::string_view text) { out_ += text; }
  void attribute(std::string_view name, double value) {
    start_attribute(name);
    // Most numbers are small integers, which print the same either way.
    const auto whole = static_cast<std::int32_t>(value > -1e6 && value < 1e6 ? value : 0);
    if (whole == value && whole != 0)
      append_integer(whole);
    else
      append_number(out_, value);
    out_ += '"';
  }
  void attribute(std::string_view name, std::int32_t value) {
    start_attribute(name);
    append_integer(value);
    out_ += '"';
  }
  void attribute(std::string_view name, std::string_view value) {
    start_attribute(name);
    xml::append_escaped(out_, value, true);
    out_ += '"';
  }
  void start_attribute(std::string_view name) {
    out_ += ' ';
    out_ += name;
    out_ += "=\"";
  }
  void append_integer(std::int32_t value) {
    char buffer[16];
    out_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  }
  void name(std::string_view indent, const std::optional<std::string>& name) {
    if (!name) return;
    out_ += indent;
    out_ += "<name>";
    xml::append_escaped(out_, *name, false);
    out_ += "</name>\n";
  }
  void waypoint(const Waypoint& w) {
    attribute("segment", w.segment);
    attribute("lane", w.lane);
    attribute("waypoint", w.point);
  }
  void vector(std::string_view element, const Vector& v) {
    out_ += "    <";
    out_ += element;
    attribute("x", v.x);
    attribute("y", v.y);
    attribute("z", v.z);
    out_ += "/>\n";
  }
  void mesh_file(std::string_view element, const MeshFile& file) {
    out_ += "    <";
    out_ += element;
    attribute("path", std::string_view(file.full ? "full" : "base"));
    out_ += '>';
    xml::append_escaped(out_, file.name, false);
    out_ += "</";
    out_ += element;
    out_ += ">\n";
  }
  void goal(std::string_view element, const Goal& g);
  void object(const Object& o);
  void extras(const Object& o);

  const WriteV2Options& options_;
  const Sink& sink_;
  std::string out_;
};

void V2Writer::goal(std::string_view element, const Goal& g) {
  put("<");
  put(element);
  attribute("speed", g.speed);
  attribute("pause", g.pause);
  attribute("segment", g.to.segment);
  attribute("lane", g.to.lane);
  if (!g.open) attribute("waypoint", g.to.point);
  put("/>\n");
}

void V2Writer::extras(const Object& o) {
  if (!options_.extras || (!has_v1_facts(o) && !o.id)) return;
  put("    <v1:extras");
  if (o.id) attribute("id", *o.id);
  const bool moves = o.type == Type::autonomous || o.type == Type::dynamic;
  if (moves && o.controller != implied_controller(o.type)) attribute("controller", static_cast<std::int32_t>(o.controller));
  if (o.type != Type::mesh && o.shape == Shape::mesh) attribute("shape", static_cast<std::int32_t>(o.shape));
  if (o.type == Type::mesh && o.mesh_type != 3) attribute("type", o.mesh_type);
  if (o.type == Type::mesh && !o.start.is_disabled()) waypoint(o.start);
  bool sensor_types = false;
  for (const Sensor& sensor : o.sensors) sensor_types = sensor_types || sensor.type != 0;
  const bool goals = o.type == Type::autonomous && !o.goals.empty();
  if (!sensor_types && !goals && o.script.empty()) {
    put("/>\n");
    return;
  }
  put(">\n");
  if (sensor_types) {
    for (const Sensor& sensor : o.sensors) {
      put("      <v1:sensor");
      attribute("type", sensor.type);
      put("/>\n");
    }
  }
  if (goals) {
    for (const Goal& g : o.goals) {
      put("      ");
      goal("v1:goal", g);
    }
  }
  for (const ScriptLeg& leg : o.script) {
    put("      <v1:leg");
    attribute("speed", leg.speed);
    attribute("pause", leg.pause);
    attribute("distance", leg.distance);
    attribute("angle", leg.angle_deg);
    put("/>\n");
  }
  put("    </v1:extras>\n");
}

void V2Writer::object(const Object& o) {
  put("  <object type=\"");
  put(to_text(o.type));
  if (o.type == Type::mesh) {
    put("\">\n");
    name("    ", o.name);
    mesh_file("vertices", *o.vertices);
    mesh_file("indices", *o.indices);
    extras(o);
    put("  </object>\n");
    return;
  }
  put("\" shape=\"");
  put(to_text(o.shape == Shape::mesh ? Shape::box : o.shape));
  put("\">\n");
  name("    ", o.name);
  put("    <start_position");
  waypoint(o.start);
  put("/>\n");
  vector("position_offset", o.position);
  vector("orientation_offset", o.orientation_deg);
  vector("size", o.size);
  if (o.type == Type::autonomous) {
    put("    <wheels");
    attribute("type", o.wheel_type);
    attribute("radius", o.wheel_radius);
    attribute("width", o.wheel_width);
    put("/>\n    <steering");
    attribute("throttle_rate", o.throttle_rate);
    attribute("lever_rate", o.lever_rate);
    put("/>\n");
    for (const Sensor& sensor : o.sensors) {
      put("    <sensor");
      attribute("conf", std::string_view(sensor.conf));
      if (!sensor.description.empty()) attribute("description", std::string_view(sensor.description));
      put("/>\n");
    }
  } else if (o.type == Type::dynamic) {
    put("    <initial_pause>");
    append_number(out_, o.initial_pause);
    put("</initial_pause>\n");
    for (const Goal& g : o.goals) {
      put("    ");
      goal("goal", g);
    }
  }
  extras(o);
  put("  </object>\n");
}

void V2Writer::file(const ObjectFile& file) {
  put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<object_file");
  bool any_extras = false;
  if (options_.extras)
    for (const Object& o : file.objects) any_extras = any_extras || o.id || has_v1_facts(o);
  const bool implied = options_.extras && file.name && file.name_implied;
  if (any_extras || implied) attribute("xmlns:v1", kExtrasNamespace);
  if (implied) attribute("v1:unnamed", std::string_view("true"));
  if (!file.name && file.objects.empty()) {
    put("/>\n");
    sink_(out_);
    return;
  }
  put(">\n");
  name("  ", file.name);
  for (const Object& o : file.objects) {
    object(o);
    if (out_.size() >= kV2PartSize) {
      sink_(out_);
      out_.clear();
    }
  }
  put("</object_file>\n");
  sink_(out_);
}

}  // namespace

bool has_v1_facts(const Object& o) {
  const bool moves = o.type == Type::autonomous || o.type == Type::dynamic;
  if (moves && o.controller != implied_controller(o.type)) return true;
  if (!o.script.empty() || (o.type == Type::autonomous && !o.goals.empty())) return true;
  if (o.type == Type::mesh) return o.mesh_type != 3 || !o.start.is_disabled();
  if (o.shape == Shape::mesh) return true;
  for (const Sensor& sensor : o.sensors)
    if (sensor.type != 0) return true;
  return false;
}

void write_v2(const ObjectFile& file, const WriteV2Options& options, const Sink& sink) { V2Writer(options, sink).file(file); }

std::string write_v2(const ObjectFile& file, const WriteV2Options& options) {
  std::string out;
  write_v2(file, options, [&](std::string_view part) { out += part; });
  return out;
}

}  // namespace simbatch::cajunbot
