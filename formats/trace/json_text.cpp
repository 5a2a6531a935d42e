#include "formats/trace/json_text.hpp"

#include <cstdint>
#include <cstring>
#include <string>

#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"

namespace simbatch::trace::detail {
namespace {

// Number of leading bytes that are printable ASCII and need no escape: the bulk of most texts. Eight at a time, by the usual
// tests for a byte below n and a byte equal to n (Warren, Hacker's Delight, 6-1).
std::size_t plain_length(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u, kHigh = 0x8080808080808080u;
  const auto has_zero = [](std::uint64_t x) { return (x - kOnes) & ~x & kHigh; };
  std::size_t n = 0;
  for (; n + 8 <= text.size(); n += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + n, 8);
    const std::uint64_t special = (word & kHigh) | ((word - kOnes * 0x20) & ~word & kHigh) | has_zero(word ^ (kOnes * '"')) |
                                  has_zero(word ^ (kOnes * '\\')) | has_zero(word ^ (kOnes * 0x7f));
    if (special != 0) break;
  }
  for (; n < text.size(); ++n) {
    const auto byte = static_cast<unsigned char>(text[n]);
    if (byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\') break;
  }
  return n;
}

// Appends bytes that are valid UTF-8.
void append_clean(std::string& out, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (byte < 0x20 || byte == 0x7f) {
          out += "\\u00";
          out += "0123456789abcdef"[byte >> 4];
          out += "0123456789abcdef"[byte & 15];
        } else {
          out += c;
        }
    }
  }
}

void member(std::string& out, std::string_view name, std::string_view value, std::string_view newline) {
  append_string(out, name);
  out += ':';
  append_string(out, value);
  out += ',';
  out += newline;
}
void member(std::string& out, std::string_view name, const std::string& number_of, std::string_view newline, int) {
  append_string(out, name);
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
  append_string(out, outcome.name);
  out += ",\"text\":";
  append_string(out, outcome.text);
  out += ",\"verdict\":";
  append_string(out, outcome.verdict);
  number("margin", outcome.margin);
  if (!outcome.unit.empty()) {
    out += ",\"unit\":";
    append_string(out, outcome.unit);
  }
  if (outcome.step) {
    number("step", outcome.step);
    number("time", std::optional(outcome.time));
    out += ",\"condition\":";
    append_string(out, outcome.condition);
    number("left", outcome.left);
    number("right", outcome.right);
  }
  number("decided", outcome.decided);
  out += '}';
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  out += '"';
  const std::size_t plain = plain_length(text);
  out += text.substr(0, plain);
  text.remove_prefix(plain);
  // The ends of an NMEA sentence, and other ASCII.
  while (!text.empty() && static_cast<unsigned char>(text[0]) < 0x80) {
    append_clean(out, text.substr(0, 1));
    text.remove_prefix(1);
  }
  while (!text.empty()) {
    const std::size_t bad = find_invalid_utf8(text);
    append_clean(out, text.substr(0, bad));
    if (bad == std::string_view::npos) break;
    out += "\xef\xbf\xbd";
    text.remove_prefix(bad + 1);
  }
  out += '"';
}

static void append_script(std::string& out, const std::vector<ScriptSetting>& script, std::string_view newline) {
  out += "\"script\":[";
  for (const ScriptSetting& setting : script) {
    if (&setting != &script.front()) out += ',';
    out += newline;
    out += "{\"step\":" + number_text(setting.step) + ",\"device\":";
    append_string(out, setting.device);
    out += ",\"input\":";
    append_string(out, setting.input);
    out += ",\"value\":" + number_text(setting.value) + "}";
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
    append_string(out, input.name);
    out += ",\"digest\":";
    append_string(out, input.digest);
    out += '}';
  }
  out += "],";
  out += newline;
  if (!header.script.empty()) append_script(out, header.script, newline);
  out += "\"devices\":[";
  for (const Device& device : header.devices) {
    if (&device != &header.devices.front()) out += ',';
    out += newline;
    out += "{\"name\":";
    append_string(out, device.name);
    out += ",\"kind\":";
    append_string(out, device.kind);
    out += ",\"fields\":[";
    for (const Field& field : device.fields) {
      if (&field != &device.fields.front()) out += ',';
      out += "{\"name\":";
      append_string(out, field.name);
      out += ",\"unit\":";
      append_string(out, field.unit);
      out += ",\"frame\":";
      append_string(out, field.frame);
      out += ",\"type\":";
      append_string(out, to_text(field.type));
      out += '}';
    }
    out += "]}";
  }
  out += ']';
}

void append_end(std::string& out, const End& end) {
  out += "{\"outcome\":";
  append_string(out, end.outcome);
  if (!end.message.empty()) {
    out += ",\"message\":";
    append_string(out, end.message);
  }
  out += ",\"steps\":" + number_text(end.steps) + ",\"time\":" + number_text(end.time) + ",\"state_hash\":\"" +
         hex64(end.state_hash) + '"';
  if (!end.expectations.empty()) out += ",\"expectations\":[";
  for (const ExpectationOutcome& outcome : end.expectations) {
    if (&outcome != &end.expectations.front()) out += ',';
    append_outcome(out, outcome);
  }
  if (!end.expectations.empty()) out += ']';
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
