#include "formats/trace/json_text.hpp"

#include <string>

#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"

namespace simbatch::trace::detail {
namespace {

void member(std::string& out, std::string_view name, std::string_view value, std::string_view newline) {
  append_json_string(out, name);
  out += ':';
  append_json_string(out, value);
  out += ',';
  out += newline;
}
void member(std::string& out, std::string_view name, const std::string& number_of, std::string_view newline, int) {
  append_json_string(out, name);
  out += ':';
  out += number_of;
  out += ',';
  out += newline;
}

void append_outcome(std::string& out, const ExpectationOutcome& outcome) {
  const auto number = [&](std::string_view name, const auto& value) {
    if (value) out += ",\"" + std::string(name) + "\":" + number_text(*value);
  };
  out += "{\"name\":";
  append_json_string(out, outcome.name);
  out += ",\"text\":";
  append_json_string(out, outcome.text);
  out += ",\"verdict\":";
  append_json_string(out, outcome.verdict);
  number("margin", outcome.margin);
  if (!outcome.unit.empty()) {
    out += ",\"unit\":";
    append_json_string(out, outcome.unit);
  }
  if (outcome.step) {
    number("step", outcome.step);
    number("time", std::optional(outcome.time));
    out += ",\"condition\":";
    append_json_string(out, outcome.condition);
    number("left", outcome.left);
    number("right", outcome.right);
  }
  number("decided", outcome.decided);
  out += '}';
}

}  // namespace

static void append_script(std::string& out, const std::vector<ScriptSetting>& script, std::string_view newline) {
  out += "\"script\":[";
  for (const ScriptSetting& setting : script) {
    if (&setting != &script.front()) out += ',';
    out += newline;
    out += "{\"step\":" + number_text(setting.step) + ",\"device\":";
    append_json_string(out, setting.device);
    out += ",\"input\":";
    append_json_string(out, setting.input);
    out += ",\"value\":" + number_text(setting.value) + "}";
  }
  out += "],";
  out += newline;
}

static void append_changes(std::string& out, const std::vector<FileChange>& changes, std::string_view newline) {
  out += "\"settings\":[";
  for (const FileChange& change : changes) {
    if (&change != &changes.front()) out += ',';
    out += newline;
    out += "{\"at\":";
    append_json_string(out, change.at);
    out += ",\"value\":";
    append_json_string(out, change.value);
    out += '}';
  }
  out += "],";
  out += newline;
}

void append_header(std::string& out, const Header& header, std::string_view newline) {
  member(out, "schema", kSchema, newline);
  member(out, "generator", header.generator, newline);
  member(out, "scenario", header.scenario, newline);
  member(out, "seed", number_text(header.seed), newline, 0);
  member(out, "dt", number_text(header.dt), newline, 0);
  member(out, "steps", number_text(header.steps), newline, 0);
  member(out, "every", number_text(header.every), newline, 0);
  member(out, "hash_every", number_text(header.hash_every), newline, 0);
  member(out, "engine", header.engine, newline);
  member(out, "mathematics", header.mathematics, newline);
  member(out, "float_mode", header.float_mode, newline);
  out += "\"inputs\":[";
  for (const InputFile& input : header.inputs) {
    if (&input != &header.inputs.front()) out += ',';
    out += newline;
    out += "{\"name\":";
    append_json_string(out, input.name);
    out += ",\"digest\":";
    append_json_string(out, input.digest);
    out += '}';
  }
  out += "],";
  out += newline;
  if (!header.settings.empty()) append_changes(out, header.settings, newline);
  if (!header.script.empty()) append_script(out, header.script, newline);
  out += "\"devices\":[";
  for (const Device& device : header.devices) {
    if (&device != &header.devices.front()) out += ',';
    out += newline;
    out += "{\"name\":";
    append_json_string(out, device.name);
    out += ",\"kind\":";
    append_json_string(out, device.kind);
    out += ",\"fields\":[";
    for (const Field& field : device.fields) {
      if (&field != &device.fields.front()) out += ',';
      out += "{\"name\":";
      append_json_string(out, field.name);
      out += ",\"unit\":";
      append_json_string(out, field.unit);
      out += ",\"frame\":";
      append_json_string(out, field.frame);
      out += ",\"type\":";
      append_json_string(out, to_text(field.type));
      out += '}';
    }
    out += "]}";
  }
  out += ']';
}

static void append_collisions(std::string& out, const std::vector<Collision>& collisions) {
  out += ",\"collisions\":[";
  for (const Collision& each : collisions) {
    if (&each != &collisions.front()) out += ',';
    out += "{\"robot\":";
    append_json_string(out, each.robot);
    out += ",\"with\":";
    append_json_string(out, each.with);
    out += ",\"step\":" + number_text(each.step) + ",\"time\":" + number_text(each.time) +
           ",\"speed\":" + number_text(each.speed) + ",\"count\":" + number_text(each.count) +
           ",\"fastest\":" + number_text(each.fastest) + '}';
  }
  out += ']';
}

void append_end(std::string& out, const End& end) {
  out += "{\"outcome\":";
  append_json_string(out, end.outcome);
  if (!end.message.empty()) {
    out += ",\"message\":";
    append_json_string(out, end.message);
  }
  out += ",\"steps\":" + number_text(end.steps) + ",\"time\":" + number_text(end.time) + ",\"state_hash\":\"" +
         hex64(end.state_hash) + '"';
  if (!end.expectations.empty()) out += ",\"expectations\":[";
  for (const ExpectationOutcome& outcome : end.expectations) {
    if (&outcome != &end.expectations.front()) out += ',';
    append_outcome(out, outcome);
  }
  if (!end.expectations.empty()) out += ']';
  if (!end.collisions.empty()) append_collisions(out, end.collisions);
  out += '}';
}

void append_hashes(std::string& out, const std::vector<HashPoint>& hashes) {
  out += "{\"step\":[";
  for (const HashPoint& point : hashes) {
    if (&point != &hashes.front()) out += ',';
    out += number_text(point.step);
  }
  out += "],\"hash\":[";
  for (const HashPoint& point : hashes) {
    if (&point != &hashes.front()) out += ',';
    out += "\"" + hex64(point.hash) + "\"";
  }
  out += "]}";
}

}  // namespace simbatch::trace::detail
