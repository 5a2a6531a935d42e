#include "lib/session/session.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include "base/core/number.hpp"
#include "base/json/write_json.hpp"
#include "lib/sim/device/device_node.hpp"
#include "lib/sim/device/image_source.hpp"
#include "simbatch_version.hpp"

namespace simbatch::session {
namespace {

constexpr std::int64_t kStepsBetweenLooks = 16;  // between two calls of keep_going

std::string_view type_word(sim::FieldType type) {
  return type == sim::FieldType::text ? "text" : type == sim::FieldType::integer ? "integer" : "number";
}

Answer of(const json::Writer& out) { return {out.text() + "\n", {}, false}; }

Answer problem(const std::string& text) {
  json::Writer out;
  out.open_object().member("problem", text).close();
  return of(out);
}

void write_node(json::Writer& out, const sim::TreeNode& node, const sim::ImageSource* images) {
  out.open_object().member("name", node.name()).member("kind", node.type().kind).member("at", node.values_offset());
  out.key("fields").open_array();
  for (const sim::Field& field : node.type().fields)
    out.open_array().value(field.name).value(field.unit).value(field.frame).value(type_word(field.type)).close();
  out.close();
  if (const auto* device = dynamic_cast<const sim::DeviceNode*>(&node); device != nullptr && !device->inputs().empty()) {
    out.key("inputs").open_array();
    for (const sim::DeviceInput& input : device->inputs()) out.open_array().value(input.lower).value(input.upper).close();
    out.close();
  }
  if (images != nullptr)
    if (const auto size = images->image_size(node))
      out.key("image").open_array().value(size->width).value(size->height).close();
  out.close();
}

}  // namespace

Session::Session(sim::Simulation& simulation, sim::ScriptPlayer& script, Duties duties)
    : simulation_(simulation), script_(script), duties_(std::move(duties)) {}

std::string Session::hello(std::string_view scenario, const std::vector<InputName>& inputs) const {
  json::Writer out;
  out.open_object().key("hello").open_object();
  out.member("protocol", kProtocol)
      .member("simulator", std::string("simbatch ") + SIMBATCH_VERSION)
      .member("scenario", scenario);
  // 64 bits, written as a text: JSON readers would round a number.
  out.member("seed", number_text(simulation_.settings().seed)).member("dt", simulation_.clock().dt);
  out.member("step", simulation_.clock().step).member("memory", memory_.size());
  out.key("inputs").open_array();
  for (const InputName& each : inputs) out.open_object().member("name", each.name).member("digest", each.digest).close();
  out.close().key("nodes").open_array();
  for (const sim::TreeNode* node : simulation_.tree().nodes())
    if (!node->type().fields.empty()) write_node(out, *node, simulation_.images());
  out.close().close().close();
  return out.text() + "\n";
}

std::string Session::branch_hello() const {
  json::Writer out;
  out.open_object().key("hello").open_object().member("protocol", kProtocol);
  out.member("step", simulation_.clock().step).member("memory", memory_.size()).close().close();
  return out.text() + "\n";
}

std::size_t Session::memory_size() const { return sizeof(std::int64_t) + simulation_.tree().bank().size_bytes(); }

void Session::publish_to(std::span<std::byte> memory) {
  memory_ = memory;
  publish();
}

void Session::publish() const {
  if (memory_.empty()) return;
  const std::int64_t step = simulation_.clock().step;
  const std::span<const double> bank = std::as_const(simulation_).tree().bank();
  std::memcpy(memory_.data(), &step, sizeof step);
  if (!bank.empty()) std::memcpy(memory_.data() + sizeof step, bank.data(), bank.size_bytes());
}

Answer Session::answer(std::string_view line) {
  auto parsed = parse_request(line);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) return problem(*wrong);
  const Request& request = std::get<Request>(parsed);
  json::Writer out;
  switch (request.verb) {
    case Verb::step: return step(request);
    case Verb::get: return get(request.name);
    case Verb::image: return image(request.name);
    case Verb::hash: out.open_object().member("state_hash", hex64(simulation_.state_hash())).close(); return of(out);
    case Verb::save:
    case Verb::fork: {
      const std::string wrong = request.verb == Verb::save ? duties_.save(request) : duties_.make_branch();
      if (!wrong.empty()) return problem(wrong);
      break;
    }
    case Verb::end: return {{}, {}, true};
  }
  return {"{}\n", {}, false};
}

Answer Session::step(const Request& request) {
  // All or nothing: a request with one wrong setting changes nothing.
  std::vector<sim::ScriptSetting> settings;
  for (const Setting& each : request.settings) {
    sim::ScriptSetting setting{simulation_.clock().step, each.device, each.input, each.value, {}};
    if (const std::string wrong = script_.problem_of(setting); !wrong.empty()) return problem(wrong);
    settings.push_back(std::move(setting));
  }
  if (!settings.empty() && !script_.settings().empty() && script_.settings().back().step > simulation_.clock().step)
    return problem("the script has settings until step " + number_text(script_.settings().back().step));
  for (sim::ScriptSetting& setting : settings) script_.add(std::move(setting));
  for (std::int64_t i = 0; i < request.steps && !simulation_.failure(); ++i) {
    if (i % kStepsBetweenLooks == kStepsBetweenLooks - 1 && !duties_.keep_going()) return {{}, {}, true};
    if (simulation_.step()) duties_.stepped();
  }
  publish();
  if (!simulation_.failure()) return {"{\"step\":" + number_text(simulation_.clock().step) + "}\n", {}, false};
  json::Writer out;
  out.open_object().member("step", simulation_.clock().step).key("failed").open_array();
  const Diagnostics failure = duties_.failure();
  for (const Diagnostic& each : failure.items()) out.raw(to_json(each));
  out.close().close();
  return of(out);
}

Answer Session::get(const std::string& name) const {
  const sim::TreeNode* node = simulation_.tree().find(name);
  if (node == nullptr) return problem("there is no node " + simbatch::quoted(name));
  json::Writer out;
  out.open_object().key("values").open_array();
  for (const double value : node->values()) out.value(value);
  out.close().key("texts").open_object();
  const auto& fields = node->type().fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].type != sim::FieldType::text) continue;
    std::string text;
    node->text(i, node->values(), text);
    out.member(fields[i].name, text);
  }
  out.close().close();
  return of(out);
}

Answer Session::image(const std::string& name) const {
  sim::ImageSource* images = simulation_.images();
  const sim::TreeNode* node = simulation_.tree().find(name);
  const auto size = node != nullptr && images != nullptr ? images->image_size(*node) : std::nullopt;
  if (!size) return problem(simbatch::quoted(name) + " is not a camera");
  std::vector<std::uint32_t> pixels(size->pixels());
  images->render(*node, pixels);
  json::Writer out;
  out.open_object().member("width", size->width).member("height", size->height).member("bytes", 4 * pixels.size()).close();
  Answer answer = of(out);
  // Alpha, blue, green, red from the highest byte: red first in memory.
  answer.bytes.reserve(4 * pixels.size());
  for (const std::uint32_t pixel : pixels)
    for (unsigned shift = 0; shift < 32; shift += 8) answer.bytes += static_cast<char>(pixel >> shift & 0xFF);
  return answer;
}

}  // namespace simbatch::session
