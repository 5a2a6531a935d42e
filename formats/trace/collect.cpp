#include "formats/trace/collect.hpp"

namespace simbatch::trace {

Collector::Collector(Header header) {
  trace_.header = std::move(header);
  for (const Device& device : trace_.header.devices) trace_.columns.emplace_back(device.fields.size());
}

void Collector::row(std::int64_t step, std::span<const double> numbers, std::span<const std::string_view> texts) {
  trace_.steps.push_back(step);
  std::size_t n = 0, t = 0;
  for (std::size_t d = 0; d < trace_.columns.size(); ++d)
    for (std::size_t f = 0; f < trace_.columns[d].size(); ++f) {
      if (trace_.header.devices[d].fields[f].type == FieldType::text)
        trace_.columns[d][f].texts.emplace_back(texts[t++]);
      else
        trace_.columns[d][f].numbers.push_back(numbers[n++]);
    }
}

}  // namespace simbatch::trace
