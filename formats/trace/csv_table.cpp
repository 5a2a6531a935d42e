#include "formats/trace/csv_table.hpp"

#include "base/core/number.hpp"
#include "formats/trace/codes.hpp"
#include "formats/trace/csv_cells.hpp"
#include "formats/trace/json_cursor.hpp"

namespace simbatch::trace::detail {
bool read_table(std::string_view text, const std::string& file_name, const Device& device, std::vector<std::int64_t>& steps,
                std::vector<Column>& columns, Diagnostics& diagnostics) {
  try {
    Cells cells(text);
    std::string unquoted;
    const std::size_t width = device.fields.size() + 2;
    for (std::size_t row = 0; row == 0 || !cells.done(); ++row) {
      for (std::size_t c = 0; c < width; ++c) {
        bool last = false;
        const std::string_view cell = cells.next(last, unquoted);
        if (last != (c + 1 == width))
          throw ReadFailure{&code::kShape, cells.offset(), "a row of other than " + number_text(width) + " cells"};
        if (row == 0) {
          const std::string_view expected = c == 0 ? "step" : c == 1 ? "time" : std::string_view(device.fields[c - 2].name);
          if (cell != expected)
            throw ReadFailure{&code::kShape, cells.offset(), "column " + quoted(cell) + ", expected " + quoted(expected)};
        } else if (c == 0) {
          const Number<std::int64_t> step = parse_integer<std::int64_t>(cell);
          if (!step) throw ReadFailure{&code::kSyntax, cells.offset(), quoted(cell) + " is not a step"};
          if (step.value < 0 || (!steps.empty() && step.value <= steps.back()))
            throw ReadFailure{&code::kShape, cells.offset(),
                              "step " + number_text(step.value) + " does not come after the one before it"};
          steps.push_back(step.value);
        } else if (c >= 2 && device.fields[c - 2].type == FieldType::text) {
          columns[c - 2].texts.emplace_back(cell);
        } else {
          const Number<double> value = parse_double(cell);
          if (!value) throw ReadFailure{&code::kSyntax, cells.offset(), quoted(cell) + " is not a number"};
          if (c >= 2) columns[c - 2].numbers.push_back(value.value);
        }
      }
    }
    return true;
  } catch (const ReadFailure& failure) {
    Diagnostics found(file_name);
    found.report(*failure.code, position_at(text, failure.offset), failure.message);
    diagnostics.append(std::move(found));
    return false;
  }
}

}  // namespace simbatch::trace::detail
