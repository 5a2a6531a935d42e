// The table is checked against the header in its metadata, column by column.
#include <algorithm>
#include <cmath>

#include "base/core/number.hpp"
#include "base/parquet/read.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/columns.hpp"
#include "formats/trace/head.hpp"
#include "formats/trace/read.hpp"

namespace simbatch::trace {
namespace {

// The values of a column; false if it has another type than the field.
bool read_column(const parquet::Reader& table, std::size_t place, const Field& field, Column& column) {
  const bool text = field.type == FieldType::text;
  if (table.columns()[place].type != (text ? parquet::Type::texts : parquet::Type::numbers)) return false;
  if (text)
    column.texts = table.texts(place);
  else
    column.numbers = table.numbers(place);
  return true;
}

void read_table_columns(const parquet::Reader& table, Trace& trace) {
  const std::vector<detail::TableColumn> columns = detail::table_columns(trace.header);
  constexpr std::size_t kFirst = 2;  // after step and time
  if (table.columns().size() != kFirst + columns.size() || table.columns()[0].type != parquet::Type::integers)
    throw parquet::ReadFault{0, "expected the columns step, time, and one for each field of the header"};
  for (const std::int64_t step : table.integers(0)) {
    if (step < 0 || step > kMaxSteps || (!trace.steps.empty() && step <= trace.steps.back()))
      throw parquet::ReadFault{0, "step " + number_text(step) + " does not come after the one before it"};
    trace.steps.push_back(step);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const detail::TableColumn& column = columns[i];
    Column& values = trace.columns[column.device][column.index];
    if (table.columns()[kFirst + i].name != column.name || !read_column(table, kFirst + i, *column.field, values))
      throw parquet::ReadFault{0, "column " + number_text(kFirst + i + 1) + " is " +
                                      simbatch::quoted(table.columns()[kFirst + i].name) + ", expected " +
                                      simbatch::quoted(column.name) + " of type " + std::string(to_text(column.field->type))};
    if (!std::all_of(values.numbers.begin(), values.numbers.end(), [](double v) { return std::isfinite(v); }))
      throw parquet::ReadFault{0, "column " + simbatch::quoted(column.name) + " has a value that is not finite"};
  }
}

}  // namespace

Parsed<Trace> read_parquet(std::string_view bytes, const std::string& file_name) {
  try {
    const parquet::Reader table(bytes);
    const auto head = std::find_if(table.metadata().begin(), table.metadata().end(),
                                   [](const auto& pair) { return pair.first == detail::kParquetKey; });
    if (head == table.metadata().end())
      throw parquet::ReadFault{0, "a table without the metadata \"simbatch.trace\": not a trace"};
    Parsed<Trace> result = read_head(head->second, file_name);
    if (result.value) read_table_columns(table, *result.value);
    return result;
  } catch (const parquet::ReadFault& fault) {
    Parsed<Trace> result{std::nullopt, Diagnostics(file_name)};
    result.diagnostics.report(code::kParquet, {}, fault.message + " (at byte " + number_text(fault.offset) + ")");
    return result;
  }
}

}  // namespace simbatch::trace
