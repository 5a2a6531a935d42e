#include "formats/trace/parts.hpp"

#include <algorithm>
#include <numeric>

#include "formats/trace/part_feed.hpp"

namespace simbatch::trace {
namespace detail {

namespace {
constexpr std::size_t kPartBytes = std::size_t{2} << 20;
constexpr std::size_t kTextWithObject = 128;  // of a usual text with its object
}  // namespace

StepRange PartFeed::begin(const Trace& head) {
  if (receiver_ == nullptr) return range_;
  const RowShape shape = row_shape(head.header);
  rows_a_part_ = std::max<std::size_t>(16, kPartBytes / (8 * (1 + shape.numbers) + kTextWithObject * shape.texts));
  const std::optional<StepRange> range = receiver_->begin(head);
  if (!range) throw Stopped{};
  range_ = *range;
  return range_;
}

void PartFeed::hand_over(Trace& trace) {
  if (receiver_ == nullptr || trace.steps.empty()) return;
  receiver_->rows(trace);
  trace.steps.clear();
  for (std::vector<Column>& columns : trace.columns)
    for (Column& column : columns) {
      column.numbers.clear();
      column.texts.clear();
    }
}

void make_columns(Trace& trace) {
  trace.columns.clear();
  for (const Device& device : trace.header.devices) trace.columns.emplace_back(device.fields.size());
}

}  // namespace detail

namespace {
constexpr std::size_t kTile = 8;  // rows fetched from the columns at once: numbers of a cache line

std::vector<std::size_t> all_devices(const Header& header) {
  std::vector<std::size_t> all(header.devices.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}
}  // namespace

PartWriter::PartWriter(Writer& writer, const Header& header, const std::vector<std::size_t>& devices, std::int64_t every)
    : writer_(writer), dt_(header.dt), every_(every) {
  for (const std::size_t device : devices) {
    const std::vector<Field>& fields = header.devices[device].fields;
    for (std::size_t field = 0; field < fields.size(); ++field) {
      const bool text = fields[field].type == FieldType::text;
      places_.push_back({device, field, text});
      ++(text ? shape_.texts : shape_.numbers);
    }
  }
  numbers_.resize(kTile * shape_.numbers);
  texts_.resize(kTile * shape_.texts);
}

PartWriter::PartWriter(Writer& writer, const Header& header) : PartWriter(writer, header, all_devices(header)) {}

/// Rows of the part, column by column.
void PartWriter::load(const Trace& part, const std::vector<std::size_t>& rows) {
  std::size_t n = 0, t = 0;
  for (const Place& place : places_) {
    const Column& column = part.columns[place.device][place.field];
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (place.text)
        texts_[i * shape_.texts + t] = column.texts[rows[i]];
      else
        numbers_[i * shape_.numbers + n] = column.numbers[rows[i]];
    ++(place.text ? t : n);
  }
}

void PartWriter::rows(const Trace& part) {
  std::vector<std::size_t> tile;
  for (std::size_t row = 0; row < part.steps.size();) {
    tile.clear();
    for (; row < part.steps.size() && tile.size() < kTile; ++row)
      if (seen_++ % every_ == 0) tile.push_back(row);
    load(part, tile);
    for (std::size_t i = 0; i < tile.size(); ++i) {
      last_step_ = part.steps[tile[i]];
      // In the order of a run: a row precedes the hash of its step, with hashes of steps without a row in between.
      while (next_hash_ < part.hashes.size() && part.hashes[next_hash_].step < last_step_)
        writer_.hash(part.hashes[next_hash_++]);
      writer_.row(last_step_, std::span(numbers_).subspan(i * shape_.numbers, shape_.numbers),
                  std::span(texts_).subspan(i * shape_.texts, shape_.texts));
      ++written_;
    }
  }
}

void PartWriter::finish(const Trace& trace) {
  while (next_hash_ < trace.hashes.size()) writer_.hash(trace.hashes[next_hash_++]);
  End cut;
  cut.outcome = "interrupted";
  cut.steps = last_step_;
  cut.time = static_cast<double>(cut.steps) * dt_;
  if (!trace.hashes.empty()) cut.state_hash = trace.hashes.back().hash;
  writer_.finish(trace.end ? *trace.end : cut);
}

void write_trace(const Trace& trace, Writer& writer) {
  PartWriter parts(writer, trace.header);
  parts.rows(trace);
  parts.finish(trace);
}

}  // namespace simbatch::trace
