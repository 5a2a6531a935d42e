// A header, rows and hashes, and the end: a line each, read in order.
#include <optional>

#include "formats/trace/codes.hpp"
#include "formats/trace/json_reading.hpp"
#include "formats/trace/part_feed.hpp"
#include "formats/trace/parts.hpp"
#include "formats/trace/read_end.hpp"
#include "formats/trace/read_header.hpp"

namespace simbatch::trace {
namespace {

using namespace detail;

class LineReader {
 public:
  LineReader(Trace& trace, PartFeed& feed) : trace_(trace), feed_(feed) {}

  void line(std::string_view text) {
    JsonCursor in(text);
    ++lines_;
    if (trace_.end) in.fail(code::kSchema, "a line after the end");
    std::int64_t step = -1;
    in.object([&](const std::string& name) {
      if (name == "header") {
        header(in);
      } else if (!places_) {
        in.fail(code::kSchema, "no header in the first line: not a trace");
      } else if (name == "step") {
        step = in.integer();
      } else if (name == "hash") {
        trace_.hashes.push_back(read_hash_point(in));
      } else if (name == "end") {
        trace_.end = read_end(in);
      } else if (name == "data") {
        if (step < 0) in.fail(code::kSchema, "no step before the data");
        row(in, step);
      } else {
        in.skip();
      }
    });
    in.end();
    feed_.added(trace_);
  }
  bool has_header() const { return places_.has_value(); }
  std::uint32_t lines() const { return lines_; }

 private:
  void header(JsonCursor& in) {
    if (lines_ != 1 || places_) in.fail(code::kSchema, "the header must be in the first line");
    bool schema = false;
    in.object([&](const std::string& part) {
      if (!read_header_member(in, part, trace_.header, schema)) in.skip();
    });
    if (!schema) in.fail(code::kSchema, "no member \"schema\": not a trace");
    if (!(trace_.header.dt > 0)) in.fail(code::kSchema, "no member \"dt\"");
    make_columns(trace_);
    places_.emplace(trace_.header, in);
    feed_.begin(trace_);
  }

  void row(JsonCursor& in, std::int64_t step) {
    check_step(in, last_step_, step);
    last_step_ = step;
    trace_.steps.push_back(step);
    in.object([&](const std::string& device) {
      const std::size_t d = places_->of(device, in);
      const std::vector<Field>& fields = trace_.header.devices[d].fields;
      std::size_t f = 0;
      in.array([&] {
        if (f == fields.size()) in.fail(code::kShape, "more values than fields");
        if (fields[f].type == FieldType::text)
          trace_.columns[d][f].texts.push_back(in.string());
        else
          trace_.columns[d][f].numbers.push_back(in.number());
        ++f;
      });
    });
    check_columns(in, trace_);
    feed_.count(step);
    if (!feed_.wants(step)) drop_row();
  }

  void drop_row() {
    trace_.steps.pop_back();
    for (std::vector<Column>& columns : trace_.columns)
      for (Column& column : columns) {
        if (!column.numbers.empty()) column.numbers.pop_back();
        if (!column.texts.empty()) column.texts.pop_back();
      }
  }

  Trace& trace_;
  PartFeed& feed_;
  std::optional<Places> places_;
  std::int64_t last_step_ = -1;
  std::uint32_t lines_ = 0;
};

void read_lines(std::string_view text, Trace& trace, Diagnostics& diagnostics, PartFeed& feed, std::uint32_t& lines) {
  // A last line without a line end is still being written.
  const std::size_t whole = text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1;
  constexpr std::size_t kRelease = std::size_t{4} << 20;
  std::size_t released = 0;
  LineReader reader(trace, feed);
  for (std::size_t base = 0; base < whole;) {
    const std::size_t length = text.substr(base, whole - base).find('\n');
    try {
      reader.line(text.substr(base, length));
    } catch (ReadFailure& failure) {
      failure.offset += base;
      throw;
    }
    base += length + 1;
    if (base - released < kRelease) continue;
    feed.release(released, base - released);
    released = base;
  }
  if (!reader.has_header()) throw ReadFailure{&code::kSchema, 0, "no header: not a trace"};
  feed.hand_over(trace);
  lines = reader.lines();
  warn_if_cut(trace, diagnostics, {lines, 1});
}

}  // namespace

Parsed<Trace> read_ndjson(std::string_view text, const std::string& file_name) {
  PartFeed feed(nullptr);
  std::uint32_t lines = 0;
  return guarded(text, file_name,
                 [&](Trace& trace, Diagnostics& diagnostics) { read_lines(text, trace, diagnostics, feed, lines); });
}

PartsRead ndjson_parts(std::string_view text, const std::string& file_name, PartReceiver& receiver,
                       const ReleaseBytes& release) {
  PartFeed feed(&receiver, release);
  std::uint32_t lines = 0;
  PartsRead result{guarded(text, file_name,
                           [&](Trace& trace, Diagnostics& diagnostics) { read_lines(text, trace, diagnostics, feed, lines); }),
                   Format::ndjson};
  result.extent = feed.extent();
  if (result.trace.value && !result.trace.value->end)
    result.cut = "no line with the end; " + std::to_string(lines) + " whole lines";
  return result;
}

}  // namespace simbatch::trace
