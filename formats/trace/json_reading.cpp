// Outline: a JsonCursor walks the text; the header precedes the data, so that columns can be assigned; sizes are checked at the
// end.
#include "formats/trace/json_reading.hpp"

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/part_feed.hpp"
#include "formats/trace/read_end.hpp"
#include "formats/trace/read_header.hpp"

namespace simbatch::trace::detail {

void check_step(const JsonCursor& in, std::int64_t last, std::int64_t step) {
  if (step < 0 || step <= last) in.fail(code::kShape, "step " + number_text(step) + " does not come after the one before it");
}

Places::Places(const Header& header, const JsonCursor& in) {
  for (std::size_t i = 0; i < header.devices.size(); ++i)
    if (!by_name_.emplace(header.devices[i].name, i).second)
      in.fail(code::kSchema, "two devices are called " + quoted(header.devices[i].name));
}

std::size_t Places::of(const std::string& name, const JsonCursor& in) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) in.fail(code::kShape, "data of a device that the header does not list: " + quoted(name));
  return found->second;
}

namespace {

class KeepingReader final : public DataReader {
 public:
  void field(JsonCursor& in, Trace& trace, std::size_t device, std::size_t field) override {
    Column& column = trace.columns[device][field];
    if (trace.header.devices[device].fields[field].type == FieldType::text)
      in.array([&] { column.texts.push_back(in.string()); });
    else
      in.array([&] { column.numbers.push_back(in.number()); });
  }
  void check(const JsonCursor& in, const Trace& trace) override { check_columns(in, trace); }
};

void read_data(JsonCursor& in, Trace& trace, DataReader& reader) {
  const Places places(trace.header, in);
  std::vector<std::vector<bool>> seen;
  for (const Device& device : trace.header.devices) seen.emplace_back(device.fields.size());
  in.object([&](const std::string& name) {
    const std::size_t d = places.of(name, in);
    const std::vector<Field>& fields = trace.header.devices[d].fields;
    in.object([&](const std::string& field_name) {
      std::size_t f = 0;
      while (f < fields.size() && fields[f].name != field_name) ++f;
      if (f == fields.size()) in.fail(code::kShape, quoted(name) + " has no field " + quoted(field_name));
      if (seen[d][f]) in.fail(code::kShape, quoted(name + "." + field_name) + " occurs twice");
      seen[d][f] = true;
      reader.field(in, trace, d, f);
    });
  });
}

}  // namespace

void check_count(const JsonCursor& in, const Device& device, const Field& field, std::size_t values, std::size_t rows) {
  if (values != rows)
    in.fail(code::kShape, quoted(device.name + "." + field.name) + " has " + number_text(values) + " values, the trace " +
                              number_text(rows) + " rows");
}

void check_columns(const JsonCursor& in, const Trace& trace) {
  for (std::size_t d = 0; d < trace.columns.size(); ++d)
    for (std::size_t f = 0; f < trace.columns[d].size(); ++f) {
      const Column& column = trace.columns[d][f];
      const Device& device = trace.header.devices[d];
      const bool text = device.fields[f].type == FieldType::text;
      check_count(in, device, device.fields[f], text ? column.texts.size() : column.numbers.size(), trace.steps.size());
    }
}

Parsed<Trace> guarded(std::string_view text, const std::string& name, const std::function<void(Trace&, Diagnostics&)>& body) {
  Parsed<Trace> result{Trace{}, Diagnostics(name)};
  try {
    body(*result.value, result.diagnostics);
  } catch (const ReadFailure& failure) {
    result.value.reset();
    result.diagnostics.report(*failure.code, position_at(text, failure.offset), failure.message);
  } catch (const Stopped&) {
    result.value.reset();
  }
  return result;
}

void read_document(std::string_view text, Trace& trace, std::vector<std::string>* files, DataReader& reader) {
  JsonCursor in(text);
  bool schema = false, data = false, steps = false;
  in.object([&](const std::string& name) {
    if (read_header_member(in, name, trace.header, schema)) {
      if (data) in.fail(code::kSchema, "the header must come before the data");
    } else if (name == "step") {
      steps = true;
      in.array([&] {
        const std::int64_t step = in.integer();
        check_step(in, trace.steps.empty() ? -1 : trace.steps.back(), step);
        trace.steps.push_back(step);
      });
    } else if (name == "data") {
      if (data) in.fail(code::kSchema, "duplicate member \"data\"");
      data = true;
      make_columns(trace);
      read_data(in, trace, reader);
    } else if (name == "files" && files != nullptr) {
      in.array([&] { files->push_back(in.string()); });
    } else if (name == "hashes") {
      read_hashes(in, trace.hashes);
    } else if (name == "end") {
      trace.end = read_end(in);
    } else {
      in.skip();
    }
  });
  in.end();
  if (!schema) in.fail(code::kSchema, "no member \"schema\": not a trace");
  if (!(trace.header.dt > 0)) in.fail(code::kSchema, "no member \"dt\"");
  if (files == nullptr) {
    if (!data || !steps) in.fail(code::kSchema, "no members \"step\" and \"data\": not a trace");
    reader.check(in, trace);
  } else {
    (void)Places(trace.header, in);  // names are unique in every form
  }
}

void read_document(std::string_view text, Trace& trace, std::vector<std::string>* files) {
  KeepingReader keeping;
  read_document(text, trace, files, keeping);
}

void warn_if_cut(const Trace& trace, Diagnostics& diagnostics, Position at) {
  if (!trace.end) diagnostics.report(code::kCut, at, "the trace has no end: its run was killed or is still running");
}

}  // namespace simbatch::trace::detail
