// A table of a CSV trace: columns are as long as the steps, or the table is refused.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/trace/csv_table.hpp"

using namespace simbatch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const trace::Device device{"car.gps",
                             "GPSSensor",
                             {{"latitude", "deg", "G", trace::FieldType::number},
                              {"count", "1", "", trace::FieldType::integer},
                              {"sentence", "", "", trace::FieldType::text}}};
  std::vector<std::int64_t> steps;
  std::vector<trace::Column> columns(device.fields.size());
  Diagnostics problems("fuzz");
  const bool good =
      trace::detail::read_table({reinterpret_cast<const char*>(data), size}, "fuzz", device, steps, columns, problems);
  if (good == problems.has_errors()) std::abort();
  if (!good) return 0;
  if (columns.size() != 3 || columns[0].numbers.size() != steps.size() || columns[1].numbers.size() != steps.size() ||
      columns[2].texts.size() != steps.size())
    std::abort();
  return 0;
}
