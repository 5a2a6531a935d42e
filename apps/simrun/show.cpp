#include "apps/simrun/show.hpp"

#include <fmt/format.h>

#include "base/core/number.hpp"

namespace simbatch::simrun {

std::string show(const trace::Comparison& c) {
  std::string out;
  const auto line = [&out](const std::string& text) { out += text + "\n"; };
  if (c.first) {
    const trace::Difference& d = *c.first;
    line(fmt::format("first difference: step {} ({} s), device {}, field {}: {} | {}{}", d.step, number_text(d.time), d.device,
                     d.field, d.a, d.b, d.size > 0 ? " (apart by " + number_text(d.size) + ")" : ""));
    line(fmt::format("differing values: {} in {} common rows", c.differing_values, c.rows));
  }
  if (c.first_hash) line(fmt::format("first differing state hash: step {}", *c.first_hash));
  if (c.rows_only_a + c.rows_only_b > 0) line(fmt::format("rows only in one: {} | {}", c.rows_only_a, c.rows_only_b));
  for (const std::string& name : c.only_a) line("only in the first: " + name);
  for (const std::string& name : c.only_b) line("only in the second: " + name);
  if (!c.ends.empty()) line("end: " + c.ends);
  for (const std::string& text : c.headers) line("header, " + text);
  return out;
}

}  // namespace simbatch::simrun
