// The document by parts: its columns follow each other, so a first pass finds where each begins, without reading its numbers; then
// a cursor on each column reads the values of some rows at a time.
#include <algorithm>

#include "base/core/number.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/json_reading.hpp"
#include "formats/trace/part_feed.hpp"
#include "formats/trace/parts.hpp"

namespace simbatch::trace {
namespace {

using namespace detail;

constexpr std::size_t kParts = 4;  // read as one: columns are far apart

class ColumnFinder final : public DataReader {
 public:
  ColumnFinder(std::string_view text, const PartFeed& feed) : text_(text), feed_(feed) {}

  void field(JsonCursor& in, Trace& trace, std::size_t device, std::size_t field) override {
    const std::size_t start = in.offset();
    found_.push_back({JsonCursor(text_, start), device, field, 0});
    Found& found = found_.back();
    if (is_text(trace, found))
      in.array([&] {
        (void)in.string();
        ++found.values;
      });
    else
      found.values = in.skip_numbers();
    feed_.release(start, in.offset() - start);
  }
  void check(const JsonCursor& in, const Trace& trace) override {
    std::vector<std::vector<std::size_t>> values;
    for (const Device& device : trace.header.devices) values.emplace_back(device.fields.size());
    for (const Found& found : found_) values[found.device][found.field] = found.values;
    for (std::size_t d = 0; d < values.size(); ++d)
      for (std::size_t f = 0; f < values[d].size(); ++f) {
        const Device& device = trace.header.devices[d];
        check_count(in, device, device.fields[f], values[d][f], trace.steps.size());
      }
  }

  /// The next values of all columns go to the trace. @param keep  false: they are skipped
  void read(Trace& trace, std::size_t rows, bool keep) {
    constexpr std::size_t kMapped = std::size_t{1} << 16;  // what the system maps around a page that is read
    for (Found& found : found_) {
      Column& column = trace.columns[found.device][found.field];
      const bool text = is_text(trace, found);
      const std::size_t start = found.in.offset();
      for (std::size_t row = 0; row < rows; ++row) {
        found.in.expect(found.read++ == 0 ? '[' : ',');
        if (text)
          keep ? column.texts.push_back(found.in.string()) : void(found.in.string());
        else
          keep ? column.numbers.push_back(found.in.number()) : void(found.in.number());
      }
      const std::size_t from = start - std::min(start, kMapped);
      feed_.release(from, found.in.offset() + kMapped - from);
    }
  }

 private:
  struct Found {
    JsonCursor in;
    std::size_t device, field, values;
    std::size_t read = 0;
  };
  static bool is_text(const Trace& trace, const Found& found) {
    return trace.header.devices[found.device].fields[found.field].type == FieldType::text;
  }

  std::string_view text_;
  const PartFeed& feed_;
  std::vector<Found> found_;
};

}  // namespace

PartsRead json_parts(std::string_view text, const std::string& file_name, PartReceiver& receiver, const ReleaseBytes& release) {
  PartFeed feed(&receiver, release);
  const auto read = [&](Trace& trace, Diagnostics& diagnostics) {
    ColumnFinder columns(text, feed);
    read_document(text, trace, nullptr, columns);
    warn_if_cut(trace, diagnostics, {1, 1});
    const std::vector<std::int64_t> steps = std::move(trace.steps);
    trace.steps.clear();
    for (const std::int64_t step : steps) feed.count(step);
    const StepRange range = feed.begin(trace);
    auto step = std::lower_bound(steps.begin(), steps.end(), range.first);
    const auto end = std::upper_bound(step, steps.end(), range.last);
    if (step == end) return;
    columns.read(trace, static_cast<std::size_t>(step - steps.begin()), false);
    while (step != end) {
      const auto next = step + std::min<std::ptrdiff_t>(end - step, static_cast<std::ptrdiff_t>(kParts * feed.rows_a_part()));
      trace.steps.assign(step, next);
      step = next;
      columns.read(trace, trace.steps.size(), true);
      feed.hand_over(trace);
    }
  };
  PartsRead result{guarded(text, file_name, read), Format::json};
  result.extent = feed.extent();
  return result;
}

}  // namespace simbatch::trace
