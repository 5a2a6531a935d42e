#include "lib/sim/record/recorded_trace.hpp"

#include <algorithm>
#include <cmath>

#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "lib/sim/device/nmea.hpp"
#include "lib/sim/record/codes.hpp"
#include "lib/sim/tree/bit_stream.hpp"

namespace simbatch::sim {
namespace {

/// The sentence that a GPS receiver shows, of its numbers: latitude, longitude, speed, course, utc.
std::string sentence(const std::vector<trace::Column>& columns, std::size_t row) {
  const auto number = [&](std::size_t field) { return columns[field].numbers[row]; };
  constexpr double kLatest = 1e11;  // s, in the year 5138; the sentence has two digits of the year
  std::string text;
  if (std::abs(number(0)) > 90 || std::abs(number(1)) > 180 || !(number(4) >= 0 && number(4) < kLatest)) return text;
  append_rmc(text, {number(4), {number(0), number(1)}, number(2), number(3)});
  return text;
}

bool is_gps(const trace::Device& device) {
  constexpr std::size_t kFields = 6;
  if (device.kind != "GPSSensor" || device.fields.size() != kFields) return false;
  for (std::size_t f = 0; f < kFields; ++f)
    if ((device.fields[f].type == trace::FieldType::text) != (f + 1 == kFields)) return false;
  return true;
}

/// The numbers of a field in the frames from `begin` to before `end`. @return false if one is not finite
bool read_numbers(const RecordingView& view, std::size_t place, std::int64_t begin, std::int64_t end,
                  std::vector<double>& out) {
  out.reserve(static_cast<std::size_t>(end - begin));
  for (std::int64_t frame = begin; frame < end; ++frame) {
    double value = 0;
    BitReader(view.frame(static_cast<std::uint64_t>(frame)).substr(sizeof value * place)).number(value);
    if (!std::isfinite(value)) return false;
    out.push_back(value);
  }
  return true;
}

}  // namespace

Parsed<trace::Trace> trace_of(const RecordingView& view, const std::string& file_name, std::int64_t first, std::int64_t last) {
  Parsed<trace::Trace> result{view.description->head, Diagnostics(file_name)};
  trace::Trace& trace = *result.value;
  const std::int64_t every = view.header.every;
  const auto frames = view.header.frame_bytes == 0 ? 0 : static_cast<std::int64_t>(view.frames);  // of nothing: no rows
  const std::int64_t end = last < 0 ? 0 : last / every < frames ? last / every + 1 : frames;
  const std::int64_t begin = first <= 0 ? 0 : std::min(end, (first - 1) / every + 1);
  for (std::int64_t frame = begin; frame < end; ++frame) trace.steps.push_back(frame * every);
  trace.columns.clear();
  for (std::size_t d = 0; d < trace.header.devices.size(); ++d) {
    const trace::Device& device = trace.header.devices[d];
    std::vector<trace::Column>& columns = trace.columns.emplace_back(device.fields.size());
    std::size_t place = view.description->places[d];
    for (std::size_t f = 0; f < device.fields.size(); ++f) {
      if (device.fields[f].type == trace::FieldType::text) continue;
      if (read_numbers(view, place++, begin, end, columns[f].numbers)) continue;
      result.value.reset();
      result.diagnostics.report(record_code::kFormat, {},
                                quoted(device.name + "." + device.fields[f].name) + " has a value that is not finite");
      return result;
    }
    for (std::size_t f = 0; f < device.fields.size(); ++f) {
      if (device.fields[f].type != trace::FieldType::text) continue;
      columns[f].texts.resize(trace.steps.size());
      for (std::size_t row = 0; is_gps(device) && row < trace.steps.size(); ++row)
        columns[f].texts[row] = sentence(columns, row);
    }
  }
  return result;
}

std::string row_json(const trace::Trace& trace, std::size_t row) {
  std::string out = "{";
  for (std::size_t d = 0; d < trace.header.devices.size(); ++d) {
    const trace::Device& device = trace.header.devices[d];
    out += d == 0 ? "\n" : ",\n";
    append_json_string(out, device.name);
    out += ":{\"kind\":";
    append_json_string(out, device.kind);
    out += ",\"values\":{";
    for (std::size_t f = 0; f < device.fields.size(); ++f) {
      if (f > 0) out += ',';
      append_json_string(out, device.fields[f].name);
      out += ':';
      if (device.fields[f].type == trace::FieldType::text)
        append_json_string(out, trace.columns[d][f].texts[row]);
      else
        append_number(out, trace.columns[d][f].numbers[row]);
    }
    out += "}}";
  }
  out += "\n}";
  return out;
}

}  // namespace simbatch::sim
