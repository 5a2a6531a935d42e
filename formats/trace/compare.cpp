#include "formats/trace/compare.hpp"

#include <cmath>
#include <unordered_map>

#include "base/core/diagnostics.hpp"
#include "base/core/hash.hpp"
#include "base/core/number.hpp"

namespace simbatch::trace {
namespace {

void compare_headers(const Header& a, const Header& b, std::vector<std::string>& out) {
  const auto line = [&](const char* what, const std::string& x, const std::string& y) {
    if (x != y) out.push_back(std::string(what) + ": " + x + " | " + y);
  };
  line("generator", a.generator, b.generator);
  line("scenario", a.scenario, b.scenario);
  line("seed", number_text(a.seed), number_text(b.seed));
  line("dt", number_text(a.dt), number_text(b.dt));
  line("steps", number_text(a.steps), number_text(b.steps));
  line("every", number_text(a.every), number_text(b.every));
  line("engine", a.engine, b.engine);
  line("mathematics", a.mathematics, b.mathematics);
  line("float mode", a.float_mode, b.float_mode);
  const auto digest = [](const Header& header, const std::string& name) -> std::string {
    for (const InputFile& input : header.inputs)
      if (input.name == name) return input.digest;
    return "-";
  };
  for (const InputFile& input : a.inputs) line(("input " + input.name).c_str(), input.digest, digest(b, input.name));
  for (const InputFile& input : b.inputs)
    if (digest(a, input.name) == "-") line(("input " + input.name).c_str(), "-", input.digest);
}

// Rows that both have, as pairs of indices. Steps rise in both.
std::vector<std::pair<std::size_t, std::size_t>> common_rows(const Trace& a, const Trace& b) {
  std::vector<std::pair<std::size_t, std::size_t>> rows;
  std::size_t i = 0, j = 0;
  while (i < a.steps.size() && j < b.steps.size()) {
    if (a.steps[i] < b.steps[j]) {
      ++i;
    } else if (a.steps[i] > b.steps[j]) {
      ++j;
    } else {
      rows.emplace_back(i++, j++);
    }
  }
  return rows;
}

}  // namespace

Comparison compare(const Trace& a, const Trace& b, double tolerance) {
  Comparison result;
  compare_headers(a.header, b.header, result.headers);
  const auto rows = common_rows(a, b);
  result.rows = static_cast<std::int64_t>(rows.size());
  result.rows_only_a = static_cast<std::int64_t>(a.steps.size() - rows.size());
  result.rows_only_b = static_cast<std::int64_t>(b.steps.size() - rows.size());

  std::unordered_map<std::string_view, std::size_t> devices_b;
  for (std::size_t d = 0; d < b.header.devices.size(); ++d) devices_b.emplace(b.header.devices[d].name, d);
  std::vector<bool> seen_b(b.header.devices.size(), false);
  std::size_t first_row = rows.size();
  for (std::size_t d = 0; d < a.header.devices.size(); ++d) {
    const Device& device = a.header.devices[d];
    const auto found = devices_b.find(device.name);
    if (found == devices_b.end()) {
      result.only_a.push_back(device.name);
      continue;
    }
    seen_b[found->second] = true;
    const Device& other = b.header.devices[found->second];
    for (const Field& field : other.fields) {
      bool known = false;
      for (const Field& own : device.fields) known = known || (own.name == field.name && own.type == field.type);
      if (!known) result.only_b.push_back(device.name + "." + field.name);
    }
    for (std::size_t f = 0; f < device.fields.size(); ++f) {
      std::size_t g = 0;
      while (g < other.fields.size() &&
             (other.fields[g].name != device.fields[f].name || other.fields[g].type != device.fields[f].type))
        ++g;
      if (g == other.fields.size()) {
        result.only_a.push_back(device.name + "." + device.fields[f].name);
        continue;
      }
      const Column& x = a.columns[d][f];
      const Column& y = b.columns[found->second][g];
      const bool is_text = device.fields[f].type == FieldType::text;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::size_t i = rows[r].first, j = rows[r].second;
        if (is_text ? x.texts[i] == y.texts[j] : std::abs(x.numbers[i] - y.numbers[j]) <= tolerance) continue;
        ++result.differing_values;
        if (r >= first_row) continue;
        first_row = r;
        Difference& first = result.first.emplace();
        first.step = a.steps[i];
        first.time = static_cast<double>(first.step) * a.header.dt;
        first.device = device.name;
        first.field = device.fields[f].name;
        first.a = is_text ? quoted(x.texts[i], 100) : number_text(x.numbers[i]);
        first.b = is_text ? quoted(y.texts[j], 100) : number_text(y.numbers[j]);
        if (!is_text) first.size = std::abs(x.numbers[i] - y.numbers[j]);
      }
    }
  }
  for (std::size_t d = 0; d < seen_b.size(); ++d)
    if (!seen_b[d]) result.only_b.push_back(b.header.devices[d].name);

  std::size_t j = 0;
  for (const HashPoint& point : a.hashes) {
    while (j < b.hashes.size() && b.hashes[j].step < point.step) ++j;
    if (j == b.hashes.size()) break;
    if (b.hashes[j].step == point.step && b.hashes[j].hash != point.hash) {
      result.first_hash = point.step;
      break;
    }
  }
  const auto end_text = [](const Trace& trace) {
    if (!trace.end) return std::string("cut");
    return trace.end->outcome + " after " + number_text(trace.end->steps) + " steps, state hash " +
           hex64(trace.end->state_hash);
  };
  if (tolerance == 0 ? a.end != b.end : (a.end ? a.end->steps : -1) != (b.end ? b.end->steps : -1))
    result.ends = end_text(a) + " | " + end_text(b);
  if (tolerance > 0) result.first_hash.reset();
  return result;
}

}  // namespace simbatch::trace
