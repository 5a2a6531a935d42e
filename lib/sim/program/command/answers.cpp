#include "lib/sim/program/command/answers.hpp"

#include <cstring>

#include "base/core/number.hpp"
#include "base/core/text.hpp"

namespace simbatch::sim {
namespace {

constexpr std::size_t kMaxFieldsShown = 64;

void append_member(std::string& out, std::string_view key, std::string_view text) {
  out += ",\"";
  out += key;
  out += "\":";
  append_json_string(out, text);
}

bool has_text(const DeviceNode& node) {
  for (const Field& field : node.type().fields)
    if (field.type == FieldType::text) return true;
  return false;
}

void append_device(std::string& out, const DeviceNode& node) {
  out += "{\"name\":";
  append_json_string(out, node.name());
  append_member(out, "kind", node.type().kind);
  out += node.inputs().empty() ? ",\"settable\":false" : ",\"settable\":true";
  if (has_text(node)) {
    out += ",\"text\":true}";
    return;
  }
  const std::size_t count = node.data_size() / sizeof(float);
  out += ",\"count\":" + number_text(count) + ",\"fields\":[";
  for (std::size_t i = 0; i < std::min({count, node.type().fields.size(), kMaxFieldsShown}); ++i) {
    const Field& field = node.type().fields[i];
    out += i == 0 ? "{\"name\":" : ",{\"name\":";
    append_json_string(out, field.name);
    append_member(out, "unit", field.unit);
    append_member(out, "frame", field.frame);
    if (i < node.inputs().size()) {
      out += ",\"lower\":" + number_text(node.inputs()[i].lower);
      out += ",\"upper\":" + number_text(node.inputs()[i].upper);
    }
    out += '}';
  }
  out += "]}";
}

// Devices of all robots whose names match.
void append_devices(std::string& out, const SimulationTree& tree, std::string_view pattern) {
  out += "\"devices\":[";
  bool first = true;
  for (const TreeNode* node : tree.nodes()) {
    const auto* device = dynamic_cast<const DeviceNode*>(node);
    if (device == nullptr || !glob_matches(pattern, device->name())) continue;
    if (!first) out += ',';
    first = false;
    append_device(out, *device);
  }
  out += ']';
}

// Devices of one robot, without visiting the others.
void append_devices(std::string& out, const TreeNode* robot) {
  out += "\"devices\":[";
  bool first = true;
  if (robot != nullptr)
    robot->visit([&](const TreeNode& node) {
      const auto* device = dynamic_cast<const DeviceNode*>(&node);
      if (device == nullptr) return;
      if (!first) out += ',';
      first = false;
      append_device(out, *device);
    });
  out += ']';
}

std::string_view name_of(DeviceError error) {
  switch (error) {
    case DeviceError::none: return "NO_DEVICE_ERROR";
    case DeviceError::unknown_robot: return "UNKNOWN_ROBOT";
    case DeviceError::unknown_device: return "UNKNOWN_DEVICE";
    case DeviceError::invalid_device: return "INVALID_DEVICE";
    case DeviceError::invalid_operation: return "INVALID_OPERATION";
    case DeviceError::data_size_mismatch: return "DATA_SIZE_MISMATCH";
  }
  return "?";
}

void append_error(std::string& out, DeviceError error) {
  out += "{\"error\":" + number_text(static_cast<unsigned>(error));
  if (error != DeviceError::none) append_member(out, "name", name_of(error));
}

void append_data(std::string& out, ProgramPort& port, const std::string& name) {
  const auto* node = dynamic_cast<const DeviceNode*>(port.simulation().tree().find(name));
  std::string data(node == nullptr ? 0 : node->data_size(), '\0');
  const DeviceError error = port.get_data(name, data.data(), static_cast<std::int64_t>(data.size()));
  append_error(out, error);
  if (error == DeviceError::none && has_text(*node)) {
    append_member(out, "text", std::string_view(data).substr(0, data.find('\0')));
  } else if (error == DeviceError::none) {
    // The double equal to the float returned by getData: exact whatever the reader's number type is.
    out += ",\"values\":[";
    for (std::size_t at = 0; at < data.size(); at += sizeof(float)) {
      float value = 0;
      std::memcpy(&value, data.data() + at, sizeof value);
      if (at > 0) out += ',';
      if (value - value == 0)
        append_number(out, static_cast<double>(value));
      else
        out += "null";
    }
    out += ']';
  }
  out += '}';
}

void set_data(std::string& out, ProgramPort& port, const Request& request) {
  std::vector<float> values;
  values.reserve(request.values.size());
  for (const double value : request.values) values.push_back(static_cast<float>(value));
  const DeviceError error =
      port.set_data(request.text, values.data(), static_cast<std::int64_t>(values.size() * sizeof(float)));
  append_error(out, error);
  if (error == DeviceError::data_size_mismatch) {
    const auto* node = dynamic_cast<const DeviceNode*>(port.simulation().tree().find(request.text));
    out += ",\"expected\":" + number_text(node->inputs().size()) + ",\"found\":" + number_text(values.size());
  }
  out += '}';
}

// RFC 4648, section 4.
void append_base64(std::string& out, std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out.reserve(out.size() + bytes.size() / 3 * 4 + 8);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < have ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= have ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
  }
}

void append_image(std::string& out, ProgramPort& port, const std::string& camera) {
  const TreeNode* node = port.simulation().tree().find(camera);
  const std::uint32_t* pixels = port.get_image(camera);
  if (pixels == nullptr) {
    DeviceError error = DeviceError::invalid_device;  // not a camera, or there is no renderer
    if (node == nullptr)
      error = port.simulation().tree().find(std::string_view(camera).substr(0, camera.find('.'))) == nullptr
                  ? DeviceError::unknown_robot
                  : DeviceError::unknown_device;
    else if (port.simulation().images() != nullptr && port.simulation().images()->image_size(*node))
      error = DeviceError::invalid_operation;  // it is held
    append_error(out, error);
    out += '}';
    return;
  }
  const ImageSize size = port.image_size();
  append_error(out, DeviceError::none);
  out += ",\"width\":" + number_text(size.width) + ",\"height\":" + number_text(size.height) + ",\"rgba\":\"";
  // Alpha, blue, green, red from the highest byte: red first in memory.
  std::string bytes;
  bytes.reserve(size.pixels() * 4);
  for (std::size_t i = 0; i < size.pixels(); ++i)
    for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(pixels[i] >> shift & 0xFF);
  append_base64(out, bytes);
  out += "\"}";
}

}  // namespace

void append_time(std::string& out, double time) {
  out += "{\"time\":";
  append_number(out, time);
  out += '}';
}

const RunInput* find_input(const ProgramPort& port, std::string_view name) {
  for (const RunInput& input : port.board().inputs())
    if (input.name == name) return &input;
  return nullptr;
}

std::string token_line(std::string_view token) {
  std::string out = "{\"token\":";
  append_json_string(out, token);
  return out + "}";
}

std::string hello_line(ProgramPort& port, std::string_view generator, const std::vector<std::string>& arguments) {
  std::string out = "{\"hello\":{\"protocol\":" + number_text(kProtocolVersion);
  append_member(out, "simulator", generator);
  append_member(out, "robot", port.robot());
  out += ",\"arguments\":[";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) out += ',';
    append_json_string(out, arguments[i]);
  }
  out += "],\"dt\":" + number_text(port.simulation().settings().physics.dt) + ",\"time\":" + number_text(port.time());
  // What a clock and a camera of a program elsewhere begin with.
  out += ",\"start_unix\":" + number_text(port.start_unix());
  const ImageSize image = port.image_size();
  out += ",\"image_size\":[" + number_text(image.width) + "," + number_text(image.height) + "]";
  append_member(out, "scenario", port.board().scenario());
  append_member(out, "seed", number_text(port.simulation().settings().seed));  // of 64 bits: a text, which no reader rounds
  out += ",\"inputs\":[";
  for (const RunInput& input : port.board().inputs()) {
    out += &input == &port.board().inputs().front() ? "{\"name\":" : ",{\"name\":";
    append_json_string(out, input.name);
    append_member(out, "digest", input.digest);
    out += '}';
  }
  out += "],";
  append_devices(out, port.simulation().tree().find(port.robot()));
  return out + "}}\n";
}

void append_answer(std::string& out, ProgramPort& port, const Request& request,
                   const std::function<void(std::string_view)>& log) {
  switch (request.verb) {
    case Verb::get: append_data(out, port, request.text); return;
    case Verb::set: set_data(out, port, request); return;
    case Verb::status: out += "{\"status\":" + number_text(port.status(request.text)) + "}"; return;
    case Verb::list:
      out += '{';
      append_devices(out, port.simulation().tree(), request.text);
      out += '}';
      return;
    case Verb::image: append_image(out, port, request.text); return;
    case Verb::unlock:
      port.unlock_image();
      append_error(out, DeviceError::none);
      out += '}';
      return;
    case Verb::log:
      if (log) log(request.text);
      out += "{}";
      return;
    case Verb::input:
      append_error(out, DeviceError::none);
      out += find_input(port, request.text) != nullptr ? ",\"known\":true}" : ",\"known\":false}";
      return;
    case Verb::time:
    case Verb::sleep:
    case Verb::sleep_until:
    case Verb::end: append_time(out, port.time()); return;
  }
}

}  // namespace simbatch::sim
