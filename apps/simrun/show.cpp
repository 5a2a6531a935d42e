#include "apps/simrun/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/core/number.hpp"

namespace simbatch::simrun {

// The fields that differ, in the order in which they begin to; if there are many, only some of them.
static std::string fields_text(const trace::Comparison& c) {
  constexpr std::size_t kShown = 20;
  std::vector<trace::FieldDifferences> fields = c.fields;
  std::stable_sort(fields.begin(), fields.end(), [](const auto& a, const auto& b) { return a.first_step < b.first_step; });
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, fields.size()); ++i) {
    const trace::FieldDifferences& f = fields[i];
    out += fmt::format("  {}.{}: from step {} on, {} of {} rows{}\n", f.device, f.field, f.first_step, f.count, c.rows,
                       f.largest > 0 ? fmt::format(", apart by {:.4g} at most", f.largest) : "");
  }
  if (fields.size() > kShown) out += fmt::format("  and {} more fields\n", fields.size() - kShown);
  return out;
}

std::string show(const trace::Comparison& c) {
  std::string out;
  const auto line = [&out](const std::string& text) { out += text + "\n"; };
  if (c.first) {
    const trace::Difference& d = *c.first;
    line(fmt::format("first difference: step {} ({} s), device {}, field {}: {} | {}{}", d.step, number_text(d.time), d.device,
                     d.field, d.a, d.b, d.size > 0 ? " (apart by " + number_text(d.size) + ")" : ""));
    line(fmt::format("differing values: {} in {} common rows", c.differing_values, c.rows));
    out += fields_text(c);
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
