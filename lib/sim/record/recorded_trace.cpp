#include "lib/sim/record/recorded_trace.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/core/diagnostics.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "lib/sim/device/nmea.hpp"
#include "lib/sim/record/codes.hpp"

namespace simbatch::sim {
namespace {

/// The sentence of a GPS receiver, made from its numbers: latitude, longitude, speed, course, utc.
std::string sentence(const std::vector<trace::Column>& columns, std::size_t row) {
  const auto number = [&](std::size_t field) { return columns[field].numbers[row]; };
  constexpr double kLatest = 1e11;  // s, in the year 5138; the sentence has two digits of the year
  std::string text;
  if (std::abs(number(0)) > 90 || std::abs(number(1)) > 180 || !(number(4) >= 0 && number(4) < kLatest)) return text;
  append_rmc(text, {number(4), {number(0), number(1)}, number(2), number(3)});
  while (text.ends_with('\r') || text.ends_with('\n')) text.pop_back();  // as in traces
  return text;
}

bool is_gps(const trace::Device& device) {
  constexpr std::size_t kFields = 6;
  if (device.kind != "GPSSensor" || device.fields.size() != kFields) return false;
  for (std::size_t f = 0; f < kFields; ++f)
    if ((device.fields[f].type == trace::FieldType::text) != (f + 1 == kFields)) return false;
  return true;
}

/// A column of numbers, and where in a frame they are.
struct NumberSource {
  trace::Column* column;
  std::size_t place;
  std::string name;
};

/// Copies the frames from `begin` to before `end` into columns. @return the first source with a value that is not finite, or
/// their number
std::size_t copy_numbers(const RecordingView& view, const std::vector<NumberSource>& sources, std::int64_t begin,
                         std::int64_t end) {
  constexpr std::int64_t kTogether = 256;  // frames, which are then in the processor's cache
  for (const NumberSource& source : sources) source.column->numbers.reserve(static_cast<std::size_t>(end - begin));
  for (std::int64_t first = begin; first < end; first += kTogether) {
    const std::int64_t last = std::min(end, first + kTogether);
    for (std::size_t s = 0; s < sources.size(); ++s)
      for (std::int64_t frame = first; frame < last; ++frame) {
        double value = 0;
        std::memcpy(&value, view.frame(static_cast<std::uint64_t>(frame)).data() + sizeof value * sources[s].place,
                    sizeof value);
        if (!std::isfinite(value)) return s;
        sources[s].column->numbers.push_back(value);
      }
  }
  return sources.size();
}

/// The columns of numbers, and where in a frame their numbers are.
std::vector<NumberSource> number_sources(const RecordingView& view, trace::Trace& trace) {
  trace.columns.clear();
  for (const trace::Device& device : trace.header.devices) trace.columns.emplace_back(device.fields.size());
  std::vector<NumberSource> sources;
  for (std::size_t d = 0; d < trace.header.devices.size(); ++d) {
    const trace::Device& device = trace.header.devices[d];
    std::size_t place = view.description->places[d];
    for (std::size_t f = 0; f < device.fields.size(); ++f)
      if (device.fields[f].type != trace::FieldType::text)
        sources.push_back({&trace.columns[d][f], place++, device.name + "." + device.fields[f].name});
  }
  return sources;
}

void make_texts(trace::Trace& trace) {
  for (std::size_t d = 0; d < trace.header.devices.size(); ++d) {
    const trace::Device& device = trace.header.devices[d];
    std::vector<trace::Column>& columns = trace.columns[d];
    for (std::size_t f = 0; f < device.fields.size(); ++f) {
      if (device.fields[f].type != trace::FieldType::text) continue;
      columns[f].texts.assign(trace.steps.size(), {});
      for (std::size_t row = 0; is_gps(device) && row < trace.steps.size(); ++row)
        columns[f].texts[row] = sentence(columns, row);
    }
  }
}

/// Frames from `first` to before `last`.
struct Frames {
  std::int64_t first = 0, last = 0;
};
Frames frames_of(const RecordingView& view, std::int64_t first, std::int64_t last) {
  const std::int64_t every = view.header.every;
  const auto frames = view.header.frame_bytes == 0 ? 0 : static_cast<std::int64_t>(view.frames);  // of nothing: no rows
  const std::int64_t end = last < 0 ? 0 : last / every < frames ? last / every + 1 : frames;
  return {first <= 0 ? 0 : std::min(end, (first - 1) / every + 1), end};
}

/// @return false after a problem, which was reported
bool read_frames(const RecordingView& view, const std::vector<NumberSource>& sources, Frames frames, trace::Trace& trace,
                 Diagnostics& diagnostics) {
  trace.steps.clear();
  for (std::int64_t frame = frames.first; frame < frames.last; ++frame) trace.steps.push_back(frame * view.header.every);
  if (const std::size_t broken = copy_numbers(view, sources, frames.first, frames.last); broken < sources.size()) {
    diagnostics.report(record_code::kFormat, {}, quoted(sources[broken].name) + " has a value that is not finite");
    return false;
  }
  make_texts(trace);
  return true;
}

}  // namespace

Parsed<trace::Trace> trace_of(const RecordingView& view, const std::string& file_name, std::int64_t first, std::int64_t last) {
  Parsed<trace::Trace> result{view.description->head, Diagnostics(file_name)};
  const std::vector<NumberSource> sources = number_sources(view, *result.value);
  if (!read_frames(view, sources, frames_of(view, first, last), *result.value, result.diagnostics)) result.value.reset();
  return result;
}

trace::PartsRead trace_parts(const RecordingView& view, const std::string& file_name, trace::PartReceiver& receiver,
                             const trace::ReleaseBytes& release) {
  constexpr std::uint64_t kPartBytes = std::uint64_t{2} << 20;
  trace::PartsRead result{{view.description->head, Diagnostics(file_name)}};
  trace::Trace& trace = *result.trace.value;
  const std::vector<NumberSource> sources = number_sources(view, trace);
  const Frames all = frames_of(view, 0, INT64_MAX);
  result.extent = {all.last, 0, std::max<std::int64_t>(all.last - 1, 0) * view.header.every};
  const std::optional<trace::StepRange> range = receiver.begin(trace);
  if (!range) {
    result.trace.value.reset();
    return result;
  }
  const Frames wanted = range->empty() ? Frames{} : frames_of(view, range->first, range->last);
  const auto together = static_cast<std::int64_t>(kPartBytes / (view.header.frame_bytes + 1) + 16);
  for (Frames part = wanted; part.first < wanted.last; part.first = part.last) {
    part.last = std::min(wanted.last, part.first + together);
    for (const NumberSource& source : sources) source.column->numbers.clear();
    if (!read_frames(view, sources, part, trace, result.trace.diagnostics)) {
      result.trace.value.reset();
      return result;
    }
    receiver.rows(trace);
    if (release)
      release(static_cast<std::size_t>(part.first) * view.header.frame_bytes,
              static_cast<std::size_t>(part.last - part.first) * view.header.frame_bytes);
  }
  trace.steps.clear();
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
