#include "formats/trace/columns.hpp"

#include <set>

#include "base/core/number.hpp"

namespace simbatch::trace::detail {

std::vector<TableColumn> table_columns(const Header& header) {
  std::vector<TableColumn> columns;
  std::set<std::string> names = {"step", "time"};
  std::size_t numbers = 0, texts = 0;
  for (std::size_t d = 0; d < header.devices.size(); ++d)
    for (std::size_t f = 0; f < header.devices[d].fields.size(); ++f) {
      const Field& field = header.devices[d].fields[f];
      const std::string whole = header.devices[d].name + "." + field.name;
      std::string name = whole;
      for (int n = 2; !names.insert(name).second; ++n) name = whole + "_" + number_text(n);
      columns.push_back({std::move(name), &field, d, f, field.type == FieldType::text ? texts++ : numbers++});
    }
  return columns;
}

std::string unit_and_frame(const Field& field) {
  std::string text = field.unit == "1" ? std::string() : field.unit;
  if (!field.frame.empty()) text += (text.empty() ? "frame " : ", frame ") + field.frame;
  return text;
}

}  // namespace simbatch::trace::detail
