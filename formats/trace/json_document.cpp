#include "formats/trace/json_document.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <future>
#include <map>
#include <utility>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "formats/trace/fast_number.hpp"
#include "formats/trace/head.hpp"
#include "formats/trace/json_text.hpp"
#include "formats/trace/trace_file.hpp"
#include "formats/trace/writers.hpp"

namespace simbatch::trace::detail {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;

// How many columns to fetch from the rows at once. A row is wide, so that each visit to one costs a miss of cache and TLB: at
// least a cache line (8 numbers) is taken along, and up to 128 as long as all of it stays within 4 MB.
std::size_t columns_together(std::size_t rows) {
  return std::clamp<std::size_t>((std::size_t{1} << 19) / std::max<std::size_t>(rows, 1), 8, 128);
}

// Text output in blocks.
class Buffer {
 public:
  explicit Buffer(const TextSink& sink) : sink_(sink) { text_.reserve(kBlock + 4096); }
  std::string& text() {
    if (text_.size() >= kBlock) flush();
    return text_;
  }
  void flush() {
    sink_(text_);
    text_.clear();
  }
  // Text of any length, bypassing the block.
  void append(std::string_view text) { sink_(text); }
  // Numbers with commas between them.
  void numbers(const double* values, std::size_t n) {
    constexpr std::size_t kLongest = 24;  // "-2.2250738585072014e-308"
    for (std::size_t i = 0; i < n;) {
      std::string& out = text();
      const std::size_t count = std::min<std::size_t>(n - i, 1024);
      const std::size_t at = out.size();
      out.resize(at + count * (kLongest + 1) + kNumberChars);
      char* p = out.data() + at;
      const char* last = p;  // start of the number before
      std::size_t length = 0;
      std::uint64_t bits = ~std::uint64_t{0};  // no finite number has these
      for (const std::size_t stop = i + count; i < stop; ++i) {
        if (i > 0) *p++ = ',';
        // Many values of a trace do not change (actuator settings, wheels in the air): identical bits are not converted again.
        if (const auto now = std::bit_cast<std::uint64_t>(values[i]); now != bits) {
          bits = now;
          length = static_cast<std::size_t>(write_number(p, values[i]) - p);
        } else {
          std::memmove(p, last, kLongest);  // a fixed length is a few moves
        }
        last = p;
        p += length;
      }
      out.resize(static_cast<std::size_t>(p - out.data()));
    }
  }

 private:
  const TextSink& sink_;
  std::string text_;
};

// Devices of a kind often show the same numbers (clocks, times of GPS fixes): the text of the last column of each field is
// kept, and reused if the next one has the same bits.
class ColumnTexts {
 public:
  explicit ColumnTexts(std::size_t rows) : keep_(rows <= kMaxRows) {}
  void write(Buffer& out, const std::string& field, const double* values, std::size_t n) {
    if (!keep_ || n == 0 || (kept_.size() >= kMaxFields && !kept_.contains(field))) {
      out.numbers(values, n);
      return;
    }
    Kept& kept = kept_[field];
    if (kept.values.size() == n && std::memcmp(kept.values.data(), values, n * sizeof *values) == 0) {
      if (kept.text.empty()) kept.text = text_of(values, n);
      out.text() += kept.text;
      return;
    }
    out.numbers(values, n);
    kept.values.assign(values, values + n);
    kept.text.clear();  // made when it is wanted for the first time
  }

 private:
  static constexpr std::size_t kMaxRows = 16384, kMaxFields = 64;  // at most 30 MB
  struct Kept {
    std::vector<double> values;
    std::string text;
  };
  static std::string text_of(const double* values, std::size_t n) {
    std::string text;
    const TextSink sink = [&text](std::string_view part) { text += part; };
    Buffer buffer(sink);
    buffer.numbers(values, n);
    buffer.flush();
    return text;
  }
  const bool keep_;
  std::map<std::string, Kept> kept_;
};

// Neighboring devices and where their columns begin among all number and text columns.
struct DeviceRange {
  std::size_t first = 0, last = 0;  // devices
  std::size_t number = 0, text = 0;
};

void write_devices(Buffer& out, ColumnTexts& texts, const Header& header, const Rows& rows, DeviceRange range) {
  std::vector<double> values;  // of the columns fetched last
  std::size_t fetched = 0, fetched_end = 0;
  const std::size_t all = row_shape(header).numbers;
  const std::size_t together = columns_together(rows.size());
  for (std::size_t d = range.first; d < range.last; ++d) {
    const Device& device = header.devices[d];
    out.text() += d == 0 ? "\n" : ",\n";
    append_json_string(out.text(), device.name);
    out.text() += ":{";
    for (std::size_t f = 0; f < device.fields.size(); ++f) {
      if (f > 0) out.text() += ",";
      append_json_string(out.text(), device.fields[f].name);
      out.text() += ":[";
      if (device.fields[f].type == FieldType::text) {
        bool is_first = true;
        rows.each_text(range.text, [&](std::string_view text) {
          if (!std::exchange(is_first, false)) out.text() += ',';
          append_json_string(out.text(), text);
        });
        ++range.text;
      } else {
        if (range.number >= fetched_end) {
          fetched = range.number;
          fetched_end = std::min(all, fetched + together);
          rows.numbers(fetched, fetched_end - fetched, values);
        }
        texts.write(out, device.fields[f].name, values.data() + (range.number - fetched) * rows.size(), rows.size());
        ++range.number;
      }
      out.text() += ']';
    }
    out.text() += '}';
  }
}

// Devices in groups of about `values` values.
std::vector<DeviceRange> device_groups(const Header& header, std::size_t rows, std::size_t values) {
  std::vector<DeviceRange> groups;
  DeviceRange group;
  std::size_t number = 0, text = 0, held = 0;
  for (std::size_t d = 0; d < header.devices.size(); ++d) {
    for (const Field& field : header.devices[d].fields) ++(field.type == FieldType::text ? text : number);
    held += header.devices[d].fields.size() * rows;
    if (held < values && d + 1 < header.devices.size()) continue;
    group.last = d + 1;
    groups.push_back(group);
    group = {d + 1, d + 1, number, text};
    held = 0;
  }
  return groups;
}

// Converting numbers to text is nearly all of the work, so a second thread formats every other group of devices. The output is
// the same as with one thread.
void write_columns(Buffer& out, const Header& header, const Rows& rows) {
  constexpr std::size_t kGroup = std::size_t{1} << 17;  // values: about 2 MB of text
  const std::vector<DeviceRange> groups = device_groups(header, rows.size(), kGroup);
  ColumnTexts own(rows.size()), other(rows.size());
  for (std::size_t g = 0; g < groups.size(); g += 2) {
    std::string text;
    std::future<void> second;
    if (g + 1 < groups.size()) {
      second = std::async(std::launch::async, [&] {
        const TextSink sink = [&text](std::string_view part) { text += part; };
        Buffer buffer(sink);
        write_devices(buffer, other, header, rows, groups[g + 1]);
        buffer.flush();
      });
    }
    write_devices(out, own, header, rows, groups[g]);
    if (!second.valid()) continue;
    second.get();
    out.flush();
    out.append(text);
  }
}

class JsonWriter final : public Writer {
 public:
  JsonWriter(const std::string& path, Header header)
      : file_(path, Lines::at_the_end), header_(std::move(header)), rows_(row_shape(header_), spill_folder(path)) {}
  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    rows_.add(step, numbers, texts);
  }
  void hash(HashPoint point) override { hashes_.push_back(point); }
  void finish(const End& end) override {
    write_document([this](std::string_view text) { file_.write(text); }, header_, &rows_, nullptr, hashes_, end);
    file_.finish();
  }

 private:
  TraceFile file_;
  Header header_;
  Rows rows_;
  std::vector<HashPoint> hashes_;
};

// Only for to_json.
class CollectingWriter final : public Writer {
 public:
  explicit CollectingWriter(const Header& header) : header_(header), rows_(row_shape(header)) {}
  void row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) override {
    rows_.add(step, numbers, texts);
  }
  void hash(HashPoint point) override { hashes_.push_back(point); }
  void finish(const End& end) override {
    write_document([this](std::string_view text) { text_ += text; }, header_, &rows_, nullptr, hashes_, end);
  }
  std::string text_;

 private:
  const Header& header_;
  Rows rows_;
  std::vector<HashPoint> hashes_;
};

}  // namespace

void write_document(const TextSink& sink, const Header& header, const Rows* rows, const std::vector<std::string>* files,
                    const std::vector<HashPoint>& hashes, const End& end) {
  Buffer out(sink);
  out.text() += "{\n";
  append_header(out.text(), header, "\n");
  if (files != nullptr) {
    out.text() += ",\n\"files\":[";
    for (std::size_t i = 0; i < files->size(); ++i) {
      if (i > 0) out.text() += ',';
      out.text() += '\n';
      append_json_string(out.text(), (*files)[i]);
    }
    out.text() += ']';
  }
  if (rows != nullptr) {
    out.text() += ",\n\"step\":[";
    std::vector<double> times;
    times.reserve(rows->size());
    for (const std::int64_t step : rows->steps()) {
      if (!times.empty()) out.text() += ',';
      out.text() += number_text(step);
      times.push_back(static_cast<double>(step) * header.dt);
    }
    out.text() += "],\n\"time\":[";
    out.numbers(times.data(), times.size());
    out.text() += "],\n\"data\":{";
    write_columns(out, header, *rows);
    out.text() += '}';
  }
  out.text() += ",\n\"hashes\":";
  append_hashes(out.text(), hashes);
  out.text() += ",\n\"end\":";
  append_end(out.text(), end);
  out.text() += "\n}\n";
  out.flush();
}

std::unique_ptr<Writer> make_json_writer(const std::string& path, Header header) {
  return std::make_unique<JsonWriter>(path, std::move(header));
}

}  // namespace simbatch::trace::detail

namespace simbatch::trace {

std::string head_document(const Header& header, const std::vector<HashPoint>& hashes, const End& end) {
  std::string text;
  detail::write_document([&text](std::string_view part) { text += part; }, header, nullptr, nullptr, hashes, end);
  return text;
}

std::string to_json(const Trace& trace) {
  detail::CollectingWriter writer(trace.header);
  write_trace(trace, writer);
  return std::move(writer.text_);
}

}  // namespace simbatch::trace
