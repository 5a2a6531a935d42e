// The header of a trace, and its hashes, as JSON has them.
#include "formats/trace/read_header.hpp"

#include <set>

#include "base/core/text.hpp"
#include "formats/trace/codes.hpp"

namespace simbatch::trace::detail {
namespace {

Field read_field(JsonCursor& in) {
  Field field;
  in.object([&](const std::string& name) {
    if (name == "name") {
      field.name = in.string();
    } else if (name == "unit") {
      field.unit = in.string();
    } else if (name == "frame") {
      field.frame = in.string();
    } else if (name == "type") {
      const std::string type = in.string();
      if (type == "number")
        field.type = FieldType::number;
      else if (type == "integer")
        field.type = FieldType::integer;
      else if (type == "text")
        field.type = FieldType::text;
      else
        in.fail(code::kSchema, simbatch::quoted(type) + " is not a field's type: number, integer or text");
    } else {
      in.skip();
    }
  });
  return field;
}

Device read_device(JsonCursor& in) {
  Device device;
  in.object([&](const std::string& name) {
    if (name == "name")
      device.name = in.string();
    else if (name == "kind")
      device.kind = in.string();
    else if (name == "fields")
      in.array([&] { device.fields.push_back(read_field(in)); });
    else
      in.skip();
  });
  std::set<std::string_view> names;
  for (const Field& field : device.fields)
    if (!names.insert(field.name).second)
      in.fail(code::kSchema, "device " + simbatch::quoted(device.name) + " has two fields " + simbatch::quoted(field.name));
  return device;
}

ScriptSetting read_setting(JsonCursor& in) {
  ScriptSetting setting;
  in.object([&](const std::string& part) {
    if (part == "step")
      setting.step = in.integer();
    else if (part == "device")
      setting.device = in.string();
    else if (part == "input")
      setting.input = in.string();
    else if (part == "value")
      setting.value = in.number();
    else
      in.skip();
  });
  if (setting.step < 0) in.fail(code::kSchema, "the step of a setting must not be negative");
  return setting;
}

}  // namespace

bool read_header_member(JsonCursor& in, const std::string& name, Header& header, bool& schema_seen) {
  if (name == "schema") {
    const std::string schema = in.string();
    if (schema != kSchema)
      in.fail(code::kSchema, "schema " + simbatch::quoted(schema) + ", expected " + simbatch::quoted(kSchema));
    schema_seen = true;
  } else if (name == "generator") {
    header.generator = in.string();
  } else if (name == "scenario") {
    header.scenario = in.string();
  } else if (name == "seed") {
    header.seed = in.unsigned_integer();
  } else if (name == "dt") {
    header.dt = in.number();
    if (!(header.dt > 0)) in.fail(code::kSchema, "dt must be greater than 0");
  } else if (name == "steps") {
    header.steps = in.integer();
    if (header.steps < 0 || header.steps > kMaxSteps) in.fail(code::kSchema, "steps is out of range");
  } else if (name == "every") {
    header.every = in.integer();
    if (header.every < 1) in.fail(code::kSchema, "every must be at least 1");
  } else if (name == "hash_every") {
    header.hash_every = in.integer();
    if (header.hash_every < 0) in.fail(code::kSchema, "hash_every must not be negative");
  } else if (name == "engine") {
    header.engine = in.string();
  } else if (name == "mathematics") {
    header.mathematics = in.string();
  } else if (name == "float_mode") {
    header.float_mode = in.string();
  } else if (name == "inputs") {
    in.array([&] {
      InputFile& input = header.inputs.emplace_back();
      in.object([&](const std::string& part) {
        if (part == "name")
          input.name = in.string();
        else if (part == "digest")
          input.digest = in.string();
        else
          in.skip();
      });
    });
  } else if (name == "settings") {
    in.array([&] {
      FileChange& change = header.settings.emplace_back();
      in.object([&](const std::string& part) {
        if (part == "at")
          change.at = in.string();
        else if (part == "value")
          change.value = in.string();
        else
          in.skip();
      });
    });
  } else if (name == "script") {
    in.array([&] { header.script.push_back(read_setting(in)); });
  } else if (name == "devices") {
    if (!header.devices.empty()) in.fail(code::kSchema, "duplicate member \"devices\"");
    in.array([&] { header.devices.push_back(read_device(in)); });
  } else {
    return false;
  }
  return true;
}

HashPoint read_hash_point(JsonCursor& in) {
  HashPoint point;
  in.object([&](const std::string& name) {
    if (name == "step")
      point.step = in.integer();
    else if (name == "hash")
      point.hash = in.hash();
    else
      in.skip();
  });
  return point;
}

void read_hashes(JsonCursor& in, std::vector<HashPoint>& hashes) {
  std::vector<std::int64_t> steps;
  std::vector<std::uint64_t> values;
  in.object([&](const std::string& name) {
    if (name == "step")
      in.array([&] { steps.push_back(in.integer()); });
    else if (name == "hash")
      in.array([&] { values.push_back(in.hash()); });
    else
      in.skip();
  });
  if (steps.size() != values.size()) in.fail(code::kShape, "hashes: as many steps as hashes are needed");
  for (std::size_t i = 0; i < steps.size(); ++i) hashes.push_back({steps[i], values[i]});
}

}  // namespace simbatch::trace::detail
