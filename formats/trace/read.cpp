// Readers. Outline: a JsonCursor walks the text; the header precedes the data, so that columns can be assigned; sizes are
// checked at the end.

#include "formats/trace/read.hpp"

#include <filesystem>
#include <functional>
#include <set>
#include <unordered_map>

#include "base/compress/stream.hpp"
#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/mcap/read.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/csv_names.hpp"
#include "formats/trace/csv_table.hpp"
#include "formats/trace/head.hpp"
#include "formats/trace/json_cursor.hpp"
#include "formats/trace/read_end.hpp"

namespace simbatch::trace {
namespace {
namespace fs = std::filesystem;
using detail::JsonCursor;
using detail::read_end;
using detail::ReadFailure;

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

// Reads a member of a header; false if it is not one.
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

// Comparisons and replays walk rows in the order of steps.
void add_step(const JsonCursor& in, std::vector<std::int64_t>& steps, std::int64_t step) {
  if (step < 0 || (!steps.empty() && step <= steps.back()))
    in.fail(code::kShape, "step " + number_text(step) + " does not come after the one before it");
  steps.push_back(step);
}

// Where each device's columns are.
class Places {
 public:
  explicit Places(const Header& header, const JsonCursor& in) {
    for (std::size_t i = 0; i < header.devices.size(); ++i)
      if (!by_name_.emplace(header.devices[i].name, i).second)
        in.fail(code::kSchema, "two devices are called " + simbatch::quoted(header.devices[i].name));
  }
  std::size_t of(const std::string& name, const JsonCursor& in) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end())
      in.fail(code::kShape, "data of a device that the header does not list: " + simbatch::quoted(name));
    return found->second;
  }

 private:
  std::unordered_map<std::string_view, std::size_t> by_name_;
};

void make_columns(Trace& trace) {
  trace.columns.clear();
  for (const Device& device : trace.header.devices) trace.columns.emplace_back(device.fields.size());
}

void read_data(JsonCursor& in, Trace& trace) {
  const Places places(trace.header, in);
  in.object([&](const std::string& name) {
    const std::size_t d = places.of(name, in);
    const std::vector<Field>& fields = trace.header.devices[d].fields;
    in.object([&](const std::string& field_name) {
      std::size_t f = 0;
      while (f < fields.size() && fields[f].name != field_name) ++f;
      if (f == fields.size()) in.fail(code::kShape, simbatch::quoted(name) + " has no field " + simbatch::quoted(field_name));
      Column& column = trace.columns[d][f];
      if (!column.numbers.empty() || !column.texts.empty())
        in.fail(code::kShape, simbatch::quoted(name + "." + field_name) + " occurs twice");
      if (fields[f].type == FieldType::text)
        in.array([&] { column.texts.push_back(in.string()); });
      else
        in.array([&] { column.numbers.push_back(in.number()); });
    });
  });
}

void check_columns(const JsonCursor& in, const Trace& trace) {
  for (std::size_t d = 0; d < trace.columns.size(); ++d)
    for (std::size_t f = 0; f < trace.columns[d].size(); ++f) {
      const Column& column = trace.columns[d][f];
      const Device& device = trace.header.devices[d];
      const std::size_t n = device.fields[f].type == FieldType::text ? column.texts.size() : column.numbers.size();
      if (n != trace.steps.size())
        in.fail(code::kShape, simbatch::quoted(device.name + "." + device.fields[f].name) + " has " + number_text(n) +
                                  " values, the trace " + number_text(trace.steps.size()) + " rows");
    }
}

Parsed<Trace> guarded(std::string_view text, const std::string& name, const std::function<void(Trace&, Diagnostics&)>& body) {
  Parsed<Trace> result{Trace{}, Diagnostics(name)};
  try {
    body(*result.value, result.diagnostics);
  } catch (const ReadFailure& failure) {
    result.value.reset();
    result.diagnostics.report(*failure.code, position_at(text, failure.offset), failure.message);
  }
  return result;
}

// The document; a CSV folder's index has `files` in place of rows.
void read_document(std::string_view text, Trace& trace, std::vector<std::string>* files) {
  JsonCursor in(text);
  bool schema = false, data = false, steps = false;
  in.object([&](const std::string& name) {
    if (read_header_member(in, name, trace.header, schema)) {
      if (data) in.fail(code::kSchema, "the header must come before the data");
    } else if (name == "step") {
      steps = true;
      in.array([&] { add_step(in, trace.steps, in.integer()); });
    } else if (name == "data") {
      if (data) in.fail(code::kSchema, "duplicate member \"data\"");
      data = true;
      make_columns(trace);
      read_data(in, trace);
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
    check_columns(in, trace);
  } else {
    (void)Places(trace.header, in);  // names are unique in every form
  }
}

void warn_if_cut(const Trace& trace, Diagnostics& diagnostics, Position at) {
  if (!trace.end) diagnostics.report(code::kCut, at, "the trace has no end: its run was killed or is still running");
}

}  // namespace

Parsed<Trace> read_json(std::string_view text, const std::string& file_name) {
  return guarded(text, file_name, [&](Trace& trace, Diagnostics& diagnostics) {
    read_document(text, trace, nullptr);
    warn_if_cut(trace, diagnostics, {1, 1});
  });
}

Parsed<Trace> read_ndjson(std::string_view text, const std::string& file_name) {
  return guarded(text, file_name, [&](Trace& trace, Diagnostics& diagnostics) {
    // A last line without a line end is still being written.
    const std::size_t whole = text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1;
    std::string_view rest = text.substr(0, whole);
    std::size_t base = 0;
    bool schema = false;
    std::optional<Places> places;
    std::uint32_t number = 0;
    while (!rest.empty()) {
      const std::size_t length = rest.find('\n');
      JsonCursor in(rest.substr(0, length));
      ++number;
      try {
        if (trace.end) in.fail(code::kSchema, "a line after the end");
        std::int64_t step = -1;
        in.object([&](const std::string& name) {
          if (name == "header") {
            if (number != 1) in.fail(code::kSchema, "the header must be in the first line");
            in.object([&](const std::string& part) {
              if (!read_header_member(in, part, trace.header, schema)) in.skip();
            });
            if (!schema) in.fail(code::kSchema, "no member \"schema\": not a trace");
            if (!(trace.header.dt > 0)) in.fail(code::kSchema, "no member \"dt\"");
            make_columns(trace);
            places.emplace(trace.header, in);
          } else if (!places) {
            in.fail(code::kSchema, "no header in the first line: not a trace");
          } else if (name == "step") {
            step = in.integer();
          } else if (name == "hash") {
            trace.hashes.push_back(read_hash_point(in));
          } else if (name == "end") {
            trace.end = read_end(in);
          } else if (name == "data") {
            if (step < 0) in.fail(code::kSchema, "no step before the data");
            add_step(in, trace.steps, step);
            in.object([&](const std::string& device) {
              const std::size_t d = places->of(device, in);
              const std::vector<Field>& fields = trace.header.devices[d].fields;
              std::size_t f = 0;
              in.array([&] {
                if (f == fields.size()) in.fail(code::kShape, "more values than fields");
                if (fields[f].type == FieldType::text)
                  trace.columns[d][f].texts.push_back(in.string());
                else
                  trace.columns[d][f].numbers.push_back(in.number());
                ++f;
              });
            });
            check_columns(in, trace);
          } else {
            in.skip();
          }
        });
        in.end();
      } catch (ReadFailure& failure) {
        failure.offset += base;
        throw;
      }
      rest.remove_prefix(length + 1);
      base += length + 1;
    }
    if (!places) throw ReadFailure{&code::kSchema, 0, "no header: not a trace"};
    warn_if_cut(trace, diagnostics, {number, 1});
  });
}

Parsed<Trace> read_csv(const std::string& folder) {
  const std::string index_name = (fs::path(folder) / detail::kIndexName).string();
  const Input index = Input::open_regular(index_name);
  std::vector<std::string> files;
  Parsed<Trace> result = guarded(index.text(), index_name, [&](Trace& trace, Diagnostics& diagnostics) {
    read_document(index.text(), trace, &files);
    if (files != detail::csv_names(trace.header.devices))
      throw ReadFailure{&code::kShape, 0, "the files listed are not those of the devices"};
    make_columns(trace);
    warn_if_cut(trace, diagnostics, {1, 1});
  });
  if (!result.value) return result;
  Trace& trace = *result.value;
  std::vector<std::int64_t> steps;
  for (std::size_t d = 0; d < files.size(); ++d) {
    const Input table = Input::open_regular((fs::path(folder) / files[d]).string());
    steps.clear();
    if (!detail::read_table(table.text(), table.name(), trace.header.devices[d], steps, trace.columns[d], result.diagnostics)) {
      result.value.reset();
      return result;
    }
    if (d == 0) trace.steps = steps;
    if (steps != trace.steps) {
      Diagnostics problem(table.name());
      problem.report(code::kShape, {1, 1}, "its steps are not those of " + simbatch::quoted(files[0]));
      result.diagnostics.append(std::move(problem));
      result.value.reset();
      return result;
    }
  }
  return result;
}

Parsed<Trace> read_head(std::string_view text, const std::string& file_name) {
  return guarded(text, file_name, [&](Trace& trace, Diagnostics& diagnostics) {
    std::vector<std::string> no_files;
    read_document(text, trace, &no_files);
    make_columns(trace);
    warn_if_cut(trace, diagnostics, {});
  });
}

namespace {

ReadTrace read_text(std::string_view text, const std::string& name) {
  const std::string_view start = trimmed(text.substr(0, 64));
  const bool lines = start.starts_with('{') && trimmed(start.substr(1)).starts_with("\"header\"");
  if (lines) return {read_ndjson(text, name), Format::ndjson};
  return {read_json(text, name), Format::json};
}

ReadTrace read_packed(const Input& input) {
  constexpr std::size_t kMaxRatio = 1100, kFree = std::size_t{64} << 20;  // gzip packs to 1:1032 at best
  const std::optional<Unpacked> plain = unpacked(input.text(), kMaxRatio * input.text().size() + kFree);
  if (plain) return read_text(plain->bytes, input.name());
  ReadTrace result{{std::nullopt, Diagnostics(input.name())}, Format::json};
  result.trace.diagnostics.report(
      code::kSyntax, {},
      "the compressed file is damaged, or unpacks to more than " + number_text(kMaxRatio) + " times its size");
  return result;
}

}  // namespace

ReadTrace read_trace(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return {read_csv(path), Format::csv};
  const Input input = Input::open(path);
  if (container_of(input.text())) return read_packed(input);
  if (input.text().starts_with("PAR1")) return {read_parquet(input.text(), input.name()), Format::parquet};
  if (mcap::is_mcap(input.text())) return {read_mcap(input.text(), input.name()), Format::mcap};
  return read_text(input.text(), input.name());
}

}  // namespace simbatch::trace
