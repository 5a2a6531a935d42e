// The table is checked against the header in its metadata, column by column.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/core/number.hpp"
#include "base/parquet/read.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/columns.hpp"
#include "formats/trace/head.hpp"
#include "formats/trace/part_feed.hpp"
#include "formats/trace/parts.hpp"
#include "formats/trace/select.hpp"

namespace simbatch::trace {
namespace {

using namespace detail;

constexpr std::size_t kFirst = 2;  // after step and time

/// The table has the columns of the header.
void check_types(const parquet::Reader& table, const std::vector<TableColumn>& columns) {
  if (table.columns().size() != kFirst + columns.size() || table.columns()[0].type != parquet::Type::integers)
    throw parquet::ReadFault{0, "expected the columns step, time, and one for each field of the header"};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool text = columns[i].field->type == FieldType::text;
    const parquet::ColumnType& found = table.columns()[kFirst + i];
    if (found.name != columns[i].name || found.type != (text ? parquet::Type::texts : parquet::Type::numbers))
      throw parquet::ReadFault{0, "column " + number_text(kFirst + i + 1) + " is " + simbatch::quoted(found.name) +
                                      ", expected " + simbatch::quoted(columns[i].name) + " of type " +
                                      std::string(to_text(columns[i].field->type))};
  }
}

/// Appends the rows of a group.
void read_group(const parquet::Reader& table, std::size_t group, const std::vector<TableColumn>& columns, Trace& trace) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    Column& values = trace.columns[columns[i].device][columns[i].index];
    if (columns[i].field->type == FieldType::text) {
      table.texts(kFirst + i, group, values.texts);
      continue;
    }
    const std::size_t first = values.numbers.size();
    table.numbers(kFirst + i, group, values.numbers);
    if (!std::all_of(values.numbers.begin() + static_cast<std::ptrdiff_t>(first), values.numbers.end(),
                     [](double v) { return std::isfinite(v); }))
      throw parquet::ReadFault{0, "column " + simbatch::quoted(columns[i].name) + " has a value that is not finite"};
  }
}

void read_groups(const parquet::Reader& table, Trace& trace, PartFeed& feed) {
  const std::vector<TableColumn> columns = table_columns(trace.header);
  check_types(table, columns);
  const StepRange range = feed.begin(trace);
  std::int64_t last = -1;
  std::vector<std::int64_t> steps;
  for (std::size_t group = 0, end = 0; group < table.groups(); ++group) {
    steps.clear();
    table.integers(0, group, steps);
    bool wanted = false;
    for (const std::int64_t step : steps) {
      if (step < 0 || step > kMaxSteps || step <= last)
        throw parquet::ReadFault{0, "step " + number_text(step) + " does not come after the one before it"};
      last = step;
      feed.count(step);
      wanted = wanted || feed.wants(step);
    }
    if (wanted) {
      read_group(table, group, columns, trace);
      trace.steps.insert(trace.steps.end(), steps.begin(), steps.end());
      if (feed.by_parts()) {
        trace = only_steps(std::move(trace), range.first, range.last);
        feed.hand_over(trace);
      }
    }
    const std::size_t start = std::exchange(end, table.group_end(group));
    feed.release(start, end - start);
  }
  if (feed.by_parts()) make_columns(trace);  // gives back a group's memory
}

Parsed<Trace> read_table(std::string_view bytes, const std::string& file_name, PartFeed& feed) {
  try {
    const parquet::Reader table(bytes);
    const auto head = std::find_if(table.metadata().begin(), table.metadata().end(),
                                   [](const auto& pair) { return pair.first == kParquetKey; });
    if (head == table.metadata().end())
      throw parquet::ReadFault{0, "a table without the metadata \"simbatch.trace\": not a trace"};
    Parsed<Trace> result = read_head(head->second, file_name);
    if (result.value) read_groups(table, *result.value, feed);
    return result;
  } catch (const parquet::ReadFault& fault) {
    Parsed<Trace> result{std::nullopt, Diagnostics(file_name)};
    result.diagnostics.report(code::kParquet, {}, fault.message + " (at byte " + number_text(fault.offset) + ")");
    return result;
  } catch (const Stopped&) {
    return {std::nullopt, Diagnostics(file_name)};
  }
}

}  // namespace

Parsed<Trace> read_parquet(std::string_view bytes, const std::string& file_name) {
  PartFeed feed(nullptr);
  return read_table(bytes, file_name, feed);
}

PartsRead parquet_parts(std::string_view bytes, const std::string& file_name, PartReceiver& receiver,
                        const ReleaseBytes& release) {
  PartFeed feed(&receiver, release);
  PartsRead result{read_table(bytes, file_name, feed), Format::parquet};
  result.extent = feed.extent();
  return result;
}

}  // namespace simbatch::trace
